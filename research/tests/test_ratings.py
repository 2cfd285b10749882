"""The page about ratings and the model have the constants and the figures that were measured."""

import json
import re
from pathlib import Path

from cantstop.ratings import MODEL, model
from research.ratings.games import LEVELS, PAIRS
from research.ratings.leaving import Way

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
    assert f"it is less by {model.UNEQUAL} (2 `P` − 1)²" in PAGE
    assert row("| `a` |") == list(model.ADDS)
    assert row("| waste |") == list(model.WASTE)
    assert row("| rating, less one standard deviation |") == list(model.WASTE_RATINGS)
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
            assert 93 <= measured["holds"] <= 98
            assert all(measured[f"holds {level}"] >= 80 for level in LEVELS)


def test_intervals_of_play_are_as_narrow_as_the_page_says() -> None:
    most = {"10": (175, 175, 150, 150, 100, 100, 100, 100), "50": (85, 85, 70, 70, 47, 45, 45, 45)}
    for after, halves in most.items():
        for level, half in zip(LEVELS, halves, strict=True):
            assert MEASURED["play"][after][f"half {level}"] <= half


def test_at_no_kind_of_moment_leaving_gains_beyond_two_standard_errors() -> None:
    assert set(MEASURED["leaving"]) == set(Way)
    for which in ("leaving", "leaving new"):
        for levels in MEASURED[which].values():
            for level in levels.values():
                for found in (level["any"], level["best"]):
                    assert found["mean"] <= 2 * found["error"]
    for levels in MEASURED["leaving"].values():
        assert all(level["any"]["games"] >= 200 for level in levels.values())


def test_luck_has_the_mean_zero() -> None:
    for groups in MEASURED["luck"].values():
        assert all(abs(errors) < 3 for _, _, errors in groups.values())
