"""The measurements of the value networks are those of the file that is shipped."""

import json
from pathlib import Path

import pytest

from cantstop.engine import value_model
from cantstop.engine.evaluators.value import FILE, model
from cantstop.rules import Position, Rules


def test_the_page_and_the_measurements_are_about_the_file_that_is_shipped() -> None:
    root = Path(__file__).parents[2]
    data = Path(model.__file__).with_name(FILE).read_bytes()
    page = (root / "docs/value-networks.md").read_text("utf-8")
    digest = data.split(b"\n", 3)[2].decode()
    assert f"{len(data):,} bytes" in page
    assert f"`{digest}`" in page
    measured = json.loads((root / "research/train/results/measured.json").read_text("utf-8"))
    errors = value_model().errors
    for rules, found in measured.items():
        solved = found["self_play"]["champion"]["solved"]["all"]
        error = errors.of(Position.initial(Rules.parse(rules)))
        assert error is not None
        opening = found["self_play"]["champion"]["solved"].get("opening", solved)
        stage = opening if opening["positions"] >= 100 else solved
        assert error.rms == pytest.approx(max(stage["rms"], stage["noise"]) / 100, abs=6e-6)
    plain = measured["v1,players=2"]
    assert (
        f"| self-play: network | {plain['self_play']['champion']['solved']['all']['rms']:.2f} |"
        in page
    )
    for kind, most in (("self_play", 0.3), ("classic", 0.6)):
        table = plain[kind]["champion"]["solved"]
        assert table["all"]["rms"] < most
        assert max(table[phase]["rms"] for phase in ("opening", "middle", "end")) < 0.5
