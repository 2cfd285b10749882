"""The ladder: eight levels, in order of strength, each with a temperament of its own."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from cantstop.bots import BOTS, LADDER, Level, bot_named
from cantstop.bots.expert import ChampionBot
from cantstop.bots.judgement import Judgement, JudgingBot

ROOT = Path(__file__).parents[2]
MEASURED = json.loads((ROOT / "tools" / "ladder" / "results.json").read_text("utf-8"))


def test_it_has_eight_levels_and_the_top_one_is_the_champion() -> None:
    assert len(LADDER) == 8
    assert LADDER[-1].name == "champion"
    assert type(LADDER[-1].bot()) is ChampionBot
    assert LADDER[-1].rating == 2000


def test_the_registry_lists_the_ladder_first_from_its_lowest_level_up() -> None:
    assert list(BOTS)[:8] == [level.name for level in LADDER]
    for number, level in enumerate(LADDER, start=1):
        assert (BOTS[level.name].level, BOTS[level.name].rating) == (number, level.rating)
    assert {bot.level for bot in list(BOTS.values())[8:]} == {None}
    assert {bot.rating for bot in list(BOTS.values())[8:]} == {None}


@pytest.mark.parametrize("level", LADDER[:-1], ids=lambda level: level.name)
def test_a_level_is_a_player_with_the_levels_judgement(level: Level) -> None:
    bot = bot_named(level.name)
    assert isinstance(bot, JudgingBot)
    assert bot.judgement == level.judgement


def test_everybody_has_weaknesses_of_their_own() -> None:
    nameless = [replace(level.judgement, person=0) for level in LADDER]
    assert len(set(nameless)) == 8
    assert len({level.judgement.person for level in LADDER[:-1]}) == 7
    assert LADDER[-1].judgement == Judgement()


def test_a_temperament_is_one_sentence() -> None:
    for level in LADDER:
        assert level.about.endswith(".")
        assert level.about.count(".") == 1


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
