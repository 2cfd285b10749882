"""The measurements of the value networks are those of the file that is shipped."""

import json
from functools import cache
from pathlib import Path

import pytest

from cantstop.engine import race_model, value_model
from cantstop.engine.evaluators import ErrorTable, Stage
from cantstop.engine.evaluators.value import model
from cantstop.engine.evaluators.value.model import FILE
from cantstop.rules import Rules
from research.train.stated import (
    MIN_POSITIONS,
    NETWORKS,
    RACE,
    Measured,
    stated_errors,
    with_tables,
)

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/value-networks.md").read_text("utf-8")


@cache
def measured() -> Measured:
    found: Measured = json.loads((ROOT / "research/train/results/measured.json").read_text("utf-8"))
    return found


def test_the_page_and_the_measurements_are_about_the_file_that_is_shipped() -> None:
    data = Path(model.__file__).with_name(FILE).read_bytes()
    digest = data.split(b"\n", 3)[2].decode()
    assert f"{len(data):,} bytes" in PAGE
    assert f"`{digest}`" in PAGE
    assert with_tables(PAGE, measured()) == PAGE
    plain = measured()["v1,players=2"]
    assert (
        f"| self-play: network | {plain['self_play']['champion']['solved']['all']['rms']:.2f} |"
        in PAGE
    )
    for kind, most in (("self_play", 0.3), ("classic", 0.6)):
        table = plain[kind]["champion"]["solved"]
        assert table["all"]["rms"] < most
        assert max(table[phase]["rms"] for phase in ("opening", "middle", "end")) < 0.5


@pytest.mark.parametrize(
    ("who", "errors"), [(NETWORKS, value_model().errors), (RACE, race_model().errors)]
)
def test_the_stated_errors_are_those_of_ordinary_games(who: str, errors: ErrorTable) -> None:
    assert errors == ErrorTable.parse(stated_errors(measured(), who))
    assert len(errors.figures) == len(measured()) == 54
    for rules, found in measured().items():
        solved, stated = found["classic"][who]["solved"], errors.figures[Rules.parse(rules)]
        for stage in Stage:
            one = solved.get(stage, solved["all"])
            error = stated.get(stage, stated["all"])
            if one["positions"] >= MIN_POSITIONS:
                assert error.rms == pytest.approx(max(one["rms"], one["noise"]) / 100, abs=6e-6)
            else:
                assert error.rms >= max(one["rms"], solved["all"]["rms"]) / 100 - 6e-6


def test_a_rare_stage_never_states_less_than_the_whole_game() -> None:
    def figures(positions: int, rms: float, within: float) -> dict[str, float]:
        return {"positions": positions, "rms": rms, "noise": 0.1, "within_99": within}

    solved = {
        "all": figures(160, 0.5, 2.0),
        "opening": figures(60, 0.3, 3.0),
        "middle": figures(MIN_POSITIONS, 0.04, 0.2),
        "end": figures(20, 0.9, 1.0),
    }
    (stated,) = stated_errors({"v1": {"classic": {"race": {"solved": solved}}}}, "race").values()
    assert {stage: (one["rms"], one["within_99"]) for stage, one in stated.items()} == {
        "all": (0.5, 2.0),
        "middle": (0.1, 0.2),
        "end": (0.9, 2.0),
    }
