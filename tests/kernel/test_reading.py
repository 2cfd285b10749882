"""Positions from outside: the kernel completes them and refuses those that no game can come to."""

import random
from dataclasses import replace

import numpy as np
import pytest

from cantstop.kernel.layout import POSITION
from cantstop.kernel.reading import busting_falls, complete, is_possible, leaders
from cantstop.kernel.records import rules_records, to_record
from cantstop.odds import rolls_of, usable_chance
from cantstop.rules import CantStopError, Phase, Position, Rules
from cantstop.rules.check import check
from cantstop.rules.tokens import Tokens
from engine.random_positions import random_positions

GAMES = [
    "players=1",
    "players=2,early",
    "players=2,sharing=no-rest",
    "players=3,win=2,sharing=leapfrog",
    "players=4,win=4",
    "players=2,lengths=1.2.3.2.1,runners=2",
]


@pytest.mark.parametrize("game", GAMES)
def test_what_follows_from_tokens_and_runners_is_filled_in(game: str) -> None:
    rules = Rules.parse(game)
    records = rules_records(rules)
    for position in random_positions(rules, 60, seed=1):
        known = to_record(position, 0)
        found = np.zeros(1, POSITION)
        for name in ("seat", "tokens", "runners"):
            found[name] = known[name]
        assert is_possible(records.rules[0], found[0])
        complete(records.rules[0], found[0])
        for name in ("free", "topped", "open", "out", "usable", "won"):
            assert (found[name] == known[name]).all(), name
        count = rules.board.runners - int(found["free"][0])
        assert (found["entered"][0, :count] == known["entered"][0, :count]).all()


@pytest.mark.parametrize("game", GAMES)
def test_what_the_rules_call_impossible_is_refused(game: str) -> None:
    rules, chance = Rules.parse(game), random.Random(game)
    records, board = rules_records(rules), rules.board
    seen = {True: 0, False: 0}
    for position in random_positions(rules, 400, seed=2):
        spaces = [list(seat) for seat in position.tokens.spaces]
        runners = list(position.runners)
        for _ in range(chance.randrange(4)):
            column = chance.choice(board.columns)
            where = chance.choice([*spaces, runners])
            where[column] = chance.choice([0, 1, board.top(column), board.top(column) + 1])
        tokens = Tokens(rules, tuple(map(tuple, spaces)))
        given = Position(tokens, chance.randrange(rules.players), runners)
        try:
            check(given)
            allowed = True
        except CantStopError:
            allowed = False
        record = np.zeros(1, POSITION)
        record["seat"] = given.seat
        record["runners"][0, : len(runners)] = runners
        for seat, row in enumerate(spaces):
            record["tokens"][0, seat, : len(row)] = row
        assert is_possible(records.rules[0], record[0]) is allowed, given
        seen[allowed] += 1
    assert all(seen.values())


def test_winners_and_busts_are_those_of_the_rules() -> None:
    for game in GAMES:
        rules = Rules.parse(game)
        records = rules_records(rules)
        for position in random_positions(rules, 60, seed=3):
            turn = replace(position, dice=None) if position.dice else position
            falls = busting_falls(records.rolls[0], to_record(turn, 0)[0])
            assert falls == (1 - usable_chance(turn)) * rolls_of(rules.board)
            assert leaders(records.rules[0], to_record(turn, 0)[0]) == 0
            after = turn.stop() if turn.may_stop else turn
            if after.phase is Phase.OVER:
                assert after.outcome is not None
                bits = sum(1 << seat for seat in after.outcome.winners)
                assert leaders(records.rules[0], to_record(after, 0)[0]) == bits
    over = Position.parse("v1,players=2,lengths=1.1.1,runners=1 2:1,3:1/4:1 1 - -")
    assert leaders(rules_records(over.rules).rules[0], to_record(over, 0)[0]) == 0b01
