"""The page about ratings and the model have the constants and the figures that were measured."""

import json
import re
from pathlib import Path

from cantstop.ratings import MODEL, model
from research.ratings.games import LEVELS, PAIRS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ratings.md").read_text("utf-8")
MEASURED = json.loads((ROOT / "research" / "ratings" / "results.json").read_text("utf-8"))


def numbers(line: str) -> list[float]:
    """The numbers of a line of a table."""
    return [float(one) for one in re.findall(r"\d+(?:\.\d+)?", line)]


def row(start: str) -> list[float]:
    """The numbers of the line that starts like this."""
    (line,) = [one for one in PAGE.splitlines() if one.startswith(start)]
    return numbers(line.removeprefix(start))


def test_the_page_has_the_models_constants() -> None:
    assert row("| `w` |") == list(model.WEIGHTS)
    assert row("| `a` |") == list(model.ADDS)
    assert row("| rating |") == list(model.KNOTS)
    assert f"× {model.SEATS[3]} for three players, × {model.SEATS[4]} for four" in PAGE


def test_what_was_measured_belongs_to_this_model() -> None:
    assert MEASURED["model"] == MODEL
    assert len(PAIRS) == 26


def test_the_page_shows_widths_and_how_often_intervals_held() -> None:
    for after in ("10", "20", "50"):
        play, results = MEASURED["play"][after], MEASURED["results"][after]
        halves = [round(play[f"half {level}"]) for level in LEVELS]
        assert row(f"| {after} games |") == [*halves, play["holds"]]
        assert row(f"| {after}, Results |")[-1] == results["holds"]
        for bots, club in MEASURED["clubs"].items():
            assert row(f"| {after}, {bots} % |")[-1] == club[after]["holds"]


def test_intervals_hold_as_often_as_they_promise() -> None:
    for table in (MEASURED["play"], *MEASURED["clubs"].values()):
        for measured in table.values():
            assert 91 <= measured["holds"] <= 99


def test_at_no_kind_of_moment_leaving_gains_beyond_two_standard_errors() -> None:
    for level in MEASURED["leaving"].values():
        for found in (level["any"], level["best"]):
            assert found["mean"] <= 2 * found["error"]


def test_luck_has_the_mean_zero() -> None:
    for groups in MEASURED["luck"].values():
        assert all(abs(errors) < 3 for _, _, errors in groups.values())
