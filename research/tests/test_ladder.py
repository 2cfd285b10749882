"""The ladder's ratings and its page are what was measured."""

import json
from itertools import pairwise
from pathlib import Path

from cantstop.bots import LADDER

ROOT = Path(__file__).parents[2]
MEASURED = json.loads((ROOT / "research" / "ladder" / "results.json").read_text("utf-8"))


def test_ratings_are_the_measured_ones_and_rise_in_steps_of_60_to_150() -> None:
    measured = MEASURED["round_robin"]["ratings"]
    assert [level.rating for level in LADDER] == [
        round(measured[level.name][0]) for level in LADDER
    ]
    for lower, upper in pairwise(LADDER):
        assert 60 <= upper.rating - lower.rating <= 150


def test_what_a_decision_loses_falls_from_level_to_level() -> None:
    losses = [MEASURED["levels"][level.name]["loss_per_decision"] for level in LADDER]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] == 0.0


def test_the_page_about_the_ladder_shows_what_was_measured() -> None:
    page = (ROOT / "docs" / "ladder.md").read_text("utf-8")
    for number, level in enumerate(LADDER, start=1):
        assert f"| {number} | `{level.name}` | {level.rating} ± " in page
