"""The ladder: eight levels, in order of strength, each with a temperament of its own."""

from dataclasses import replace

import pytest

from cantstop.bots import BOTS, LADDER, Level, bot_named
from cantstop.bots.expert import ChampionBot
from cantstop.bots.judgement import Judgement, JudgingBot


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
