"""The recursions over the states of a turn, in compiled code.

Backwards, from the last state to the first: what every state is worth. Forwards: where the turn
goes under best play, the chance to stop in each state and to bust.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.turn.rolls import EACH, OPTIONS, TWICE, RollClasses, TripleRolls
from cantstop.engine.turn.splits import (
    Lookahead,
    best_split,
    count_new_runners,
    expand_rolls,
    new_lookahead,
    select_set,
)
from cantstop.engine.turn.states import (
    StateLayout,
    next_state,
    place_at_bottom,
    place_at_top,
    previous_state,
)
from cantstop.engine.turn.tables import TurnTables
from cantstop.jit import compiled, inlined


class TurnValues(NamedTuple):
    """What every state of a turn is worth to the mover: arrays over the states.

    ``stop`` is minus infinity where stopping is illegal, ``again`` is what rolling again is worth,
    ``value`` the better of the two. ``value`` has one entry more than there are states: minus
    infinity, for moves that lead nowhere.
    """

    stop: NDArray[np.float64]
    again: NDArray[np.float64]
    value: NDArray[np.float64]


class SolvedTurn(NamedTuple):
    """What compiled code looks up in a solved turn: numbers of states, and what they are worth.

    ``step_on[column, space]`` is the step that leads to a space; ``bust[0]`` what a bust is worth.
    """

    step_on: NDArray[np.int64]
    layout: StateLayout
    values: TurnValues
    bust: NDArray[np.float64]


@compiled
def solve_states(tables: TurnTables, layout: StateLayout, bust: float, values: TurnValues) -> None:
    """Fill in ``again`` and ``value``, given ``stop`` and what a bust is worth."""
    sets, wanted = tables.sets, tables.wanted
    members, sizes, steps = sets.members, sets.sizes, layout.steps
    ahead = new_lookahead(len(steps), members.shape[1], len(tables.rolls.splits))
    made, options = ahead.made, np.empty(OPTIONS)
    values.value[-1] = -np.inf
    for index in range(len(sizes) - 1, -1, -1):
        size = sizes[index]
        states = place_at_top(members, index, size, steps, made)
        if states == 0 or not wanted[index]:
            continue
        last = layout.first[index] + states - 1
        if index >= tables.first_triple:
            triple = index - tables.first_triple
            _solve_triple(tables.triples, triple, made, last, bust, values, options)
            continue
        select_set(sets, layout, index, ahead)
        _solve_set(tables, layout, index, last - states, last, bust, values, ahead)


@inlined
def _solve_set(
    tables: TurnTables,
    layout: StateLayout,
    index: int,
    before: int,
    last: int,
    bust: float,
    values: TurnValues,
    ahead: Lookahead,
) -> None:
    """The states of one set, from the last to the one after ``before``, with runners in hand."""
    members, size, made = tables.sets.members, tables.sets.sizes[index], ahead.made
    stop, again, value = values
    for here in range(last, before, -1):
        expand_rolls(
            tables.split_order, layout, index, size, here, value, ahead, record_targets=False
        )
        if tables.early:
            free = members.shape[1] - size
            count_new_runners(tables.rolls.splits, free, len(value) - 1, ahead)
            again[here] = _mean_early(tables.rolls, ahead, bust)
        else:
            again[here] = _mean(tables.rolls.rolls, tables.rolls.chances, ahead.worth, bust)
        value[here] = max(again[here], stop[here])
        previous_state(members, index, size, layout.steps, made)


@inlined
def _mean(
    rolls: NDArray[np.uint64],
    chances: NDArray[np.float64],
    worth: NDArray[np.float64],
    bust: float,
) -> float:
    """What a roll is worth on average."""
    even = odd = 0.0  # two sums at a time: each addition waits for the one before
    for roll in range(0, len(rolls), 2):
        best = _best_of_three(rolls, roll, worth)
        even += chances[roll] * (best if best > -np.inf else bust)
        best = _best_of_three(rolls, roll + 1, worth)
        odd += chances[roll + 1] * (best if best > -np.inf else bust)
    return even + odd


@inlined
def _best_of_three(options: NDArray[np.uint64], row: int, worth: NDArray[np.float64]) -> float:
    """The highest worth of a row's three options; much faster than max()."""
    best: float = worth[options[row, 0]]
    second, third = worth[options[row, 1]], worth[options[row, 2]]
    best = best if best > second else second
    return best if best > third else third


@inlined
def _mean_early(rolls: RollClasses, ahead: Lookahead, bust: float) -> float:
    """What a roll is worth on average where the runners have to come out early (V2)."""
    total = 0.0
    for roll in range(len(rolls.rolls)):
        best = ahead.worth[best_split(rolls.rolls, roll, ahead.worth, ahead.new, early=True)]
        total += rolls.chances[roll] * (best if best > -np.inf else bust)
    return total


@inlined
def _solve_triple(
    rolls: TripleRolls,
    triple: int,
    steps: NDArray[np.int64],
    last: int,
    bust: float,
    values: TurnValues,
    options: NDArray[np.float64],
) -> None:
    """Three runners and none in hand: a 3-D recursion over what each has left to its top."""
    start, chances, offered, bust_chance = rolls
    stop, again, value = values
    here = last
    for left0 in range(steps[0]):
        up0 = steps[1] * steps[2] if left0 else 0
        for left1 in range(steps[1]):
            up1 = steps[2] if left1 else 0
            for left2 in range(steps[2]):
                up2 = 1 if left2 else 0
                mask = (left0 == 0) + 2 * (left1 == 0) + 4 * (left2 == 0)
                options[0] = value[here + up0]
                options[1] = value[here + up1]
                options[2] = value[here + up2]
                options[TWICE] = value[here + 2 * up0] if left0 > 1 else options[0]
                options[TWICE + 1] = value[here + 2 * up1] if left1 > 1 else options[1]
                options[TWICE + 2] = value[here + 2 * up2] if left2 > 1 else options[2]
                options[EACH] = value[here + up0 + up1]
                options[EACH + 1] = value[here + up0 + up2]
                options[EACH + 2] = value[here + up1 + up2]
                even, odd = bust_chance[triple, mask] * bust, 0.0
                for roll in range(start[triple, mask], start[triple, mask + 1], 2):
                    even += chances[roll] * _best_of_three(offered, roll, options)
                    odd += chances[roll + 1] * _best_of_three(offered, roll + 1, options)
                again[here] = even + odd
                value[here] = max(again[here], stop[here])
                here -= 1


@compiled
def follow_best_play(
    tables: TurnTables,
    layout: StateLayout,
    stops: NDArray[np.bool_],
    value: NDArray[np.float64],
    chance: NDArray[np.float64],
) -> float:
    """Play on from where ``chance`` says the turn stands; returns the chance of a bust.

    Afterwards ``chance[state]`` is the chance to stop there for the states in ``stops``, and
    the chance to come by for the others. ``value`` is what ``solve_states`` has found.
    """
    sets, wanted, early = tables.sets, tables.wanted, tables.early
    members, sizes, steps, first = sets.members, sets.sizes, layout.steps, layout.first
    columns, runners = len(steps), members.shape[1]
    ahead = new_lookahead(columns, runners, len(tables.rolls.splits))
    made, targets = ahead.made, np.empty(OPTIONS, np.int64)
    bust = 0.0
    for index in range(len(sizes)):
        if not wanted[index]:
            continue
        size = sizes[index]
        if index >= tables.first_triple:
            if place_at_top(members, index, size, steps, made):
                triple = index - tables.first_triple
                bust += _follow_triple(
                    tables.triples, triple, made, first[index], stops, value, chance, targets
                )
            continue
        states = place_at_bottom(members, index, size, steps, made)
        if states:
            select_set(sets, layout, index, ahead)
        for here in range(first[index], first[index] + states):
            if chance[here] > 0.0 and not stops[here]:
                expand_rolls(
                    tables.split_order, layout, index, size, here, value, ahead, record_targets=True
                )
                if early:
                    count_new_runners(tables.rolls.splits, runners - size, len(value) - 1, ahead)
                bust += _pass_on(tables.rolls, early, ahead, here, chance)
            next_state(members, index, size, steps, made)
    return bust


@inlined
def _follow_triple(
    rolls: TripleRolls,
    triple: int,
    steps: NDArray[np.int64],
    first: int,
    stops: NDArray[np.bool_],
    value: NDArray[np.float64],
    chance: NDArray[np.float64],
    targets: NDArray[np.int64],
) -> float:
    """Follow best play through the states with three runners; returns the chance of a bust."""
    start, chances, offered, bust_chance = rolls
    here, bust = first, 0.0
    for left0 in range(steps[0] - 1, -1, -1):
        up0 = steps[1] * steps[2] if left0 else 0
        for left1 in range(steps[1] - 1, -1, -1):
            up1 = steps[2] if left1 else 0
            for left2 in range(steps[2] - 1, -1, -1):
                if chance[here] > 0.0 and not stops[here]:
                    up2 = 1 if left2 else 0
                    mask = (left0 == 0) + 2 * (left1 == 0) + 4 * (left2 == 0)
                    targets[0] = here + up0
                    targets[1] = here + up1
                    targets[2] = here + up2
                    targets[TWICE] = here + up0 * min(left0, 2)
                    targets[TWICE + 1] = here + up1 * min(left1, 2)
                    targets[TWICE + 2] = here + up2 * min(left2, 2)
                    targets[EACH] = here + up0 + up1
                    targets[EACH + 1] = here + up0 + up2
                    targets[EACH + 2] = here + up1 + up2
                    bust += chance[here] * bust_chance[triple, mask]
                    for roll in range(start[triple, mask], start[triple, mask + 1]):
                        best = targets[offered[roll, 0]]
                        for at in range(1, offered.shape[1]):
                            other = targets[offered[roll, at]]
                            if value[other] > value[best]:
                                best = other
                        chance[best] += chance[here] * chances[roll]
                here += 1
    return bust


@inlined
def _pass_on(
    rolls: RollClasses, early: bool, ahead: Lookahead, here: int, chance: NDArray[np.float64]
) -> float:
    """Pass the chance to be in a state on to where its rolls lead; returns what is a bust."""
    bust = 0.0
    for roll in range(len(rolls.rolls)):
        split = best_split(rolls.rolls, roll, ahead.worth, ahead.new, early)
        part = chance[here] * rolls.chances[roll]
        if ahead.worth[split] == -np.inf:
            bust += part
        else:
            chance[ahead.target[split]] += part
    return bust
