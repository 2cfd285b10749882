"""Whole turns of the score-and-threshold bots against the same games decision by decision."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from cantstop.arena.plan import seatings_of
from cantstop.bots import BOTS, bot_named
from cantstop.bots.compiled import record_of
from cantstop.bots.heuristic import RULE_OF_28, HeuristicBot
from cantstop.kernel.layout import TOTALS
from cantstop.kernel.play import play_games
from cantstop.kernel.records import RulesRecords, rules_records
from cantstop.rules import EDITIONS, OFFICIAL, Board, Rules, Sharing, Start
from known_figures import READINGS

HEURISTIC = [bot for bot in map(bot_named, BOTS) if isinstance(bot, HeuristicBot)]
ALL = [
    *HEURISTIC,
    *READINGS,
    HeuristicBot("eager", replace(RULE_OF_28, entry=2, marker=-3, threshold=60)),
    HeuristicBot("shy", replace(RULE_OF_28, foresees=False, threshold=1)),
]
GAMES = 150


def played(
    records: RulesRecords, bots: list[HeuristicBot], seed: int, games: int
) -> list[NDArray[np.int64]]:
    """The totals of each single game."""
    found = [record_of(bot) for bot in bots]
    compiled = np.concatenate([record for record in found if record is not None])
    assert len(compiled) == len(bots)
    seatings = seatings_of([bot.name for bot in bots])
    totals = []
    for game in range(games):
        array = np.zeros(1, TOTALS)
        play_games(records, compiled, seatings, np.uint64(seed), game, game + 1, array)
        totals.append(array.view(np.int64))
    return totals


def by_decisions(records: RulesRecords) -> RulesRecords:
    """The same rules for code that is to take nothing about them for granted."""
    rules = records.rules.copy()
    assert rules["whole_turns"][0]
    rules["whole_turns"] = 0
    return RulesRecords(rules, records.rolls)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("columns_to_win", [1, 3, 5, 11])
@pytest.mark.parametrize("start", [Start.FIRST_SEAT, Start.ROLL_OFF])
def test_every_game_is_the_same_turn_by_turn_and_decision_by_decision(
    players: int, columns_to_win: int, start: Start
) -> None:
    records = rules_records(Rules(players, columns_to_win, start=start))
    for number in range(0, len(ALL), players):
        bots = [ALL[(number + seat) % len(ALL)] for seat in range(players)]
        turns = played(records, bots, 28 + number, GAMES)
        decisions = played(by_decisions(records), bots, 28 + number, GAMES)
        for game, (one, other) in enumerate(zip(turns, decisions, strict=True)):
            assert np.array_equal(one, other), ([bot.name for bot in bots], game)


def test_whole_turns_are_played_under_the_rules_that_the_code_knows_and_no_others() -> None:
    def whole_turns(rules: Rules) -> bool:
        return bool(rules_records(rules).rules["whole_turns"][0])

    for edition in EDITIONS.values():
        rules = edition.rules(2)
        assert whole_turns(rules) == (rules.sharing is Sharing.FREE and not rules.early), edition
    assert whole_turns(Rules())
    assert not whole_turns(Rules(early=True))
    assert not whole_turns(Rules(sharing=Sharing.NO_REST))
    assert not whole_turns(Rules(sharing=Sharing.LEAPFROG))
    assert not whole_turns(Rules(board=Board(OFFICIAL.lengths, runners=2)))
    assert not whole_turns(Rules(board=Board.stepped(sides=6, shortest=2)))
