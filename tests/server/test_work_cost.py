"""The estimate of what work costs: its counts against brute force, and what it refuses."""

from itertools import combinations, product
from math import prod

import pytest

from cantstop.odds import starting_chances
from cantstop.rules import Position, RollOff, Rules
from cantstop.server.work.cost import (
    MOST_SECONDS,
    Work,
    analysis_work,
    count_rolls,
    count_turn_states,
    hint_work,
    review_work,
    start_of_record,
)

HEAVY = "v1,players=4,start=roll-off,lengths=" + ".".join(["20"] * 39)


def states_by_hand(steps: list[int], runners: int, roots: list[tuple[int, ...]]) -> tuple[int, int]:
    """Every set of columns that contains a root, with every step of every runner."""
    few = full = 0
    for size in range(runners + 1):
        for columns in combinations(range(len(steps)), size):
            if any(set(root) <= set(columns) for root in roots):
                states = prod(steps[column] for column in columns)
                few, full = (few, full + states) if size == runners else (few + states, full)
    return few, full


@pytest.mark.parametrize("runners", [1, 2, 3])
@pytest.mark.parametrize("root", [(), (1,), (0, 2)])
def test_the_states_of_a_turn_are_counted(runners: int, root: tuple[int, ...]) -> None:
    steps = [2, 3, 1, 0, 4]
    if len(root) <= runners:
        assert count_turn_states(steps, runners, [root]) == states_by_hand(steps, runners, [root])


def test_several_roots_count_at_least_the_union_and_never_more_than_the_whole_turn() -> None:
    steps, roots = [2, 3, 1, 0, 4], [(0,), (1,), (0, 1)]
    few, full = count_turn_states(steps, 3, roots)
    assert states_by_hand(steps, 3, roots) <= (few, full) <= states_by_hand(steps, 3, [()])


def test_rolls_are_counted() -> None:
    assert count_rolls(6) == len({tuple(sorted(dice)) for dice in product(range(6), repeat=4)})


@pytest.mark.parametrize(
    "text",
    [
        "v1,players=2 -/- 1 - -",
        "v1,players=4,start=roll-off -/-/-/- start:1,2,3,4 - -",
        "v1,players=3,early 2:1,7:3/-/12:1 2 6:1,7:2 1246",
        "v1,players=1,win=5 - 1 2:1,3:1,4:1 -",
    ],
)
def test_everything_on_the_official_board_is_well_below_the_bound(text: str) -> None:
    work = analysis_work(Position.parse(text))
    assert 0 < work.seconds < MOST_SECONDS
    assert hint_work(Position.parse(text)).seconds <= work.seconds


def test_heavy_rules_are_above_the_bound_whether_played_or_not() -> None:
    start = Position.initial(Rules.parse(HEAVY))
    assert analysis_work(start).seconds > MOST_SECONDS
    assert review_work(start, 1, 0).seconds > MOST_SECONDS
    empty = start_of_record(f'[Cantstop "1"]\n[Rules "{HEAVY}"]\n')
    assert empty == start


def test_a_review_costs_more_the_more_turns_there_are() -> None:
    start = Position.initial(Rules())
    costs = [review_work(start, turns, 8 * turns).seconds for turns in (0, 10, 20)]
    assert costs[2] - costs[1] == pytest.approx(costs[1] - costs[0])
    assert costs[0] > 0


def test_a_record_that_begins_elsewhere_says_so() -> None:
    position = "v1,players=2 7:4/6:9,8:3 1 - -"
    text = f'[Cantstop "1"]\n[Rules "v1,players=2"]\n[Position "{position}"]\n'
    assert str(start_of_record(text)) == position
    assert start_of_record('[Rules "v9"]') is None


def test_work_adds_up() -> None:
    one = Work(1, 2, 3)
    assert one.plus(one) == one.times(2)


def in_turn_by_hand(sides: int, contenders: int) -> float:
    """The chance of the first seat to start, over all throws of two dice by everybody."""
    sums = [one + two for one in range(sides) for two in range(sides)]
    total = 0.0
    for thrown in product(sums, repeat=contenders):
        best = [seat for seat, one in enumerate(thrown) if one == max(thrown)]
        total += (0 in best) / len(best)
    return total / float(len(sums) ** contenders)


@pytest.mark.parametrize(("sides", "contenders"), [(2, 4), (3, 3), (4, 2)])
def test_who_starts_is_worked_out_by_the_highest_sum(sides: int, contenders: int) -> None:
    """Not by all throws of all seats: with dice of 20 sides those took 22 seconds."""
    found = starting_chances(RollOff(tuple(range(contenders))), contenders, sides)
    assert found[0] == pytest.approx(in_turn_by_hand(sides, contenders))
    assert sum(found) == pytest.approx(1)


def test_seats_that_have_thrown_count_as_they_have() -> None:
    found = starting_chances(RollOff((0, 2, 3), (4, 4)), 4, 2)
    # of sums 2, 3, 4 in 1, 2, 1 of 4 ways: the last seat ties once in four
    assert found == pytest.approx((11 / 24, 0, 11 / 24, 1 / 12))
