"""Who starts: the kernel's roll-off against the rules' (M4)."""

import numpy as np
import pytest

from cantstop.kernel.layout import STREAM
from cantstop.kernel.records import rules_records
from cantstop.kernel.steps import who_starts
from cantstop.kernel.stream import ROLL_OFF, open_stream, start_stream
from cantstop.rules import Board, Phase, Position, Rules, Start


def starter_by_rules(rules: Rules, seed: int, game: int) -> tuple[int, int]:
    position, throws, rounds = Position.initial(rules), start_stream(seed, game), 0
    while position.phase is Phase.START:
        assert position.roll_off is not None
        rounds += not position.roll_off.sums
        position = position.roll(throws.dice(2, rules.board.sides))
    return position.seat, rounds


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("sides", [2, 6])
def test_M4_the_roll_off_of_the_kernel_is_the_rules_roll_off_ties_included(
    players: int, sides: int
) -> None:
    rules = Rules(players, start=Start.ROLL_OFF, board=Board.stepped(sides, 3))
    stream, ties, starters = np.zeros(1, STREAM), 0, set()
    for game in range(300):
        due, rounds = starter_by_rules(rules, 9, game)
        open_stream(stream[0], np.uint64(9), np.uint64(game), 0, ROLL_OFF)
        assert who_starts(rules_records(rules).rules[0], stream[0]) == due
        ties += rounds > 1
        starters.add(due)
    assert starters == set(range(players))
    assert (ties > 0) is (players > 1)


@pytest.mark.parametrize("start", [Start.FIRST_SEAT, Start.YOUNGEST])
def test_M4_without_a_roll_off_the_first_seat_starts(start: Start) -> None:
    rules = Rules(4, start=start)
    assert who_starts(rules_records(rules).rules[0], np.zeros(1, STREAM)[0]) == 0
