"""The first turn of a game: openings, and when to stop, for any number of players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import factorial, prod
from typing import Any

from cantstop.engine import Turn, best_evaluator, solve_turn
from cantstop.rules import OFFICIAL, Position, Rules

PLAYERS = (1, 2, 3, 4)


def first_position(players: int, runners: dict[int, int] | None = None) -> Position:
    """The empty board, the first seat to move, perhaps with runners out."""
    tokens = "/".join("-" * players)
    out = ",".join(f"{column}:{space}" for column, space in sorted((runners or {}).items())) or "-"
    return Position.parse(f"{Rules(players)} {tokens} 1 {out} -")


@cache
def first_turn(players: int) -> Turn:
    """The first turn, solved."""
    return solve_turn(first_position(players), best_evaluator(Rules(players)))


def opening_values(players: int) -> dict[str, float]:
    """What every opening is worth, by name, mirror images under the lower one; the best first."""
    turn, found = first_turn(players), {}
    for low, high in combinations_with_replacement(OFFICIAL.columns, 2):
        name, mirror = f"{low}+{high}", f"{14 - high}+{14 - low}"
        if mirror in found:
            continue
        runners = {low: 2} if low == high else {low: 1, high: 1}
        found[name] = turn.value(first_position(players, runners))
    return dict(sorted(found.items(), key=lambda row: -row[1]))


def different_openings(players: int) -> list[dict[str, Any]]:
    """Rolls whose best move is not the one that is best alone, and what the latter would cost."""
    rows = []
    for dice in combinations_with_replacement(range(1, 7), 4):
        alone = first_turn(1).move_values(first_position(1).roll(dice))
        here = first_turn(players).move_values(first_position(players).roll(dice))
        best_alone, best = (max(values, key=values.__getitem__) for values in (alone, here))
        if best != best_alone:
            chances = factorial(4) // prod(map(factorial, Counter(dice).values()))
            rows.append(
                {
                    "dice": "-".join(map(str, dice)),
                    "chance": chances / 6**4,
                    "alone": str(best_alone),
                    "best": str(best),
                    "points": 100 * (here[best] - here[best_alone]),
                }
            )
    return rows


def roll_gains(players: int, columns: tuple[int, ...]) -> Iterator[tuple[dict[int, int], float]]:
    """For all places that runners in these columns can have, what rolling gains on stopping."""
    turn = first_turn(players)
    for spaces in product(*(range(1, OFFICIAL.top(column) + 1) for column in columns)):
        runners = dict(zip(columns, spaces, strict=True))
        position = first_position(players, runners)
        if position.may_roll:
            yield runners, turn.roll_value(position) - turn.stop_value(position)


def is_on_a_top(runners: dict[int, int]) -> bool:
    """Whether one of them is at the top of its column."""
    return any(OFFICIAL.top(column) == space for column, space in runners.items())


def first_turn_figures(players: int) -> dict[str, Any]:
    """How boldly the first turn is played; counts are of places that the runners can have."""
    turn, start = first_turn(players), first_position(players)
    in_hand = [
        gain
        for size in (1, 2)
        for columns in combinations(OFFICIAL.columns, size)
        for _, gain in roll_gains(players, columns)
    ]
    tops = [
        gain
        for columns in ((4, 6, 8), (5, 7, 9), (6, 7, 8), (2, 7, 12), (3, 7, 11), (6, 8, 10))
        for runners, gain in roll_gains(players, columns)
        if is_on_a_top(runners)
    ]
    evens = [
        gain
        for columns in ((4, 6, 8), (6, 8, 10))
        for runners, gain in roll_gains(players, columns)
        if not is_on_a_top(runners)
    ]
    at_once = [
        triple
        for triple in combinations(OFFICIAL.columns, 3)
        if turn.should_stop(first_position(players, dict.fromkeys(triple, 1)))
    ]
    on_six = first_position(players, {6: 6, 7: 6, 8: 6})
    return {
        "bust": turn.bust_chance(start),
        "roll_gains_on_6_6_6": turn.roll_value(on_six) - turn.stop_value(on_six),
        "stops_with_a_runner_in_hand": [sum(gain < 0 for gain in in_hand), len(in_hand)],
        "rolls_with_one_on_a_top": [sum(gain > 0 for gain in tops), len(tops)],
        "stops_in_4_6_8_below_tops": [sum(gain < 0 for gain in evens), len(evens)],
        "triples_to_stop_at_once": len(at_once),
    }
