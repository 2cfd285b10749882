"""How a person sees what the turn solver knows, in compiled form; ``bots/judgement.py`` tells why.

Both functions take solved values of the player on turn and say what that player does. The record
without any weakness, all zeros, does what is worth most: the first of equal moves, and rather stop.

Every leaning is a share of the *stake*: what the best option is worth more than a bust. So the
same person goes wrong about as often early and late, in a game of two and of four, and alone.
"""

from typing import Any

import numpy as np

from cantstop.jit import compiled, entry, inlined
from cantstop.kernel.fields import JUDGEMENT_FIELDS, ROUNDING
from cantstop.kernel.layout import Array, PositionRecord, RulesRecord, Word
from cantstop.kernel.steps import new_runners, next_space, standing, stop_wins

JUDGEMENT = np.dtype(list(JUDGEMENT_FIELDS), align=True)
JudgementRecord = Any  # compiled code knows its fields

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR, _SECOND_FACTOR = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_THIRTY, _TWENTY_SEVEN, _THIRTY_ONE = np.uint64(30), np.uint64(27), np.uint64(31)
_SIXTEEN, _LOW_16 = np.uint64(16), np.uint64(0xFFFF)
_WORDS, _RANGE = 4, 65536.0
_STOPPING = 99
"""Stands for the question whether to stop, where a move is named by its columns."""


@inlined
def mix(key: Word, number: int) -> Word:
    """A key made of a key and a number (SplitMix64, Steele, Lea and Flood, 2014)."""
    key = (key ^ np.uint64(number)) + _STEP
    key = (key ^ (key >> _THIRTY)) * _FIRST_FACTOR
    key = (key ^ (key >> _TWENTY_SEVEN)) * _SECOND_FACTOR
    return key ^ (key >> _THIRTY_ONE)


@compiled
def position_key(rules: RulesRecord, position: PositionRecord, person: Word) -> Word:
    """A number for a person and what lies on the board, the same from every seat."""
    key = mix(person, rules.columns_to_win)
    for place in range(rules.players):
        seat = (position.seat + place) % rules.players
        for column in range(2, 2 * rules.sides + 1):
            key = mix(key, position.tokens[seat, column])
    for column in range(2, 2 * rules.sides + 1):
        key = mix(key, position.runners[column])
    return key


@inlined
def normal(key: Word) -> float:
    """A number that a key stands for, nearly normal: mean 0, variance 1, within 3.5."""
    total = 0
    for _ in range(_WORDS):
        total += np.int64(key & _LOW_16)  # type: ignore[assignment]
        key >>= _SIXTEEN
    return ((total + 2.0) / _RANGE - 2.0) * 1.7320508075688772


@compiled
def climb(rules: RulesRecord, position: PositionRecord) -> float:
    """What the turn has gained so far, in columns."""
    total = 0.0
    for index in range(rules.runners - position.free):
        column = position.entered[index]
        gained = position.runners[column] - position.tokens[position.seat, column]
        total += gained / rules.tops[column]
    return total


@compiled
def liking(
    judgement: JudgementRecord, rules: RulesRecord, position: PositionRecord, index: int
) -> float:
    """How much a player likes a legal move, as a share of the stake."""
    longest, shortest = 0, 127
    for column in range(2, 2 * rules.sides + 1):
        longest, shortest = max(longest, rules.tops[column]), min(shortest, rules.tops[column])
    total = judgement.fresh * new_runners(position, index)
    space = 0
    for part in range(2):
        column = position.moves[index, part]
        if column == 0:
            continue
        if part == 1 and column == position.moves[index, 0]:
            space = next_space(rules, position, column, space)
        else:
            space = next_space(rules, position, column, standing(position, column))
        top = rules.tops[column]
        total += judgement.summit * space / top
        if longest > shortest:
            total += judgement.middle * (2 * top - longest - shortest) / (longest - shortest)
    return total


@compiled
def wins_at_once(rules: RulesRecord, position: PositionRecord, index: int) -> bool:
    """Whether a legal move brings the last columns that it takes to win."""
    topped = position.topped
    low, high = position.moves[index, 0], position.moves[index, 1]
    space = next_space(rules, position, low, standing(position, low))
    if high == low:
        space = next_space(rules, position, low, space)
    elif high:
        topped += next_space(rules, position, high, standing(position, high)) == rules.tops[high]
    topped += space == rules.tops[low]
    return position.won[position.seat] + topped >= rules.columns_to_win


@inlined
def best_option(worth: Array, count: int) -> int:
    """The number of the best of some options, the first of equals."""
    best = 0
    for index in range(1, count):
        if worth[index] > worth[best] + ROUNDING:
            best = index
    return best


@compiled
def judge_moves(
    judgement: JudgementRecord,
    rules: RulesRecord,
    position: PositionRecord,
    worth: Array,
    bust: float,
) -> int:
    """The number of the legal move that a person makes.

    ``worth[index]`` is what the turn is worth after each move with best play from there, ``bust``
    what a bust is worth. Nobody overlooks a move that wins the game.
    """
    best = best_option(worth, position.move_count)
    stake = abs(worth[best] - bust)
    is_fallible = (
        judgement.misjudgement != 0.0
        or judgement.middle != 0.0
        or judgement.fresh != 0.0
        or judgement.summit != 0.0
    )
    if not is_fallible or position.move_count == 1 or wins_at_once(rules, position, best):
        return best
    key = position_key(rules, position, judgement.person)
    chosen, highest = 0, -np.inf
    for index in range(position.move_count):
        option = position.moves[index, 0] * 64 + position.moves[index, 1]
        leaning = liking(judgement, rules, position, index)
        leaning += judgement.misjudgement * normal(mix(key, option))
        seems = worth[index] + stake * leaning
        if seems > highest:
            chosen, highest = index, seems
    return chosen


@compiled
def judge_stop(
    judgement: JudgementRecord,
    rules: RulesRecord,
    position: PositionRecord,
    stop: float,
    again: float,
    bust: float,
) -> bool:
    """Whether a person stops, where that is legal.

    ``stop`` and ``again`` are what stopping and rolling again are worth, ``bust`` what a bust is.
    Nobody rolls on who has won, or whom no roll can help.
    """
    if stop_wins(rules, position) or not position.usable:
        return True
    leaning = judgement.boldness
    leaning += judgement.habit * (judgement.enough - climb(rules, position))
    if position.topped:
        leaning -= judgement.banking
    if judgement.misjudgement != 0.0:
        key = position_key(rules, position, judgement.person)
        leaning += judgement.misjudgement * normal(mix(key, _STOPPING))
    return stop >= again + abs(max(stop, again) - bust) * leaning


@entry
def judge_moves_at(
    judgements: Array, rules: Array, positions: Array, worth: Array, bust: float
) -> int:
    """``judge_moves`` for Python: of the first record of each array."""
    return judge_moves(judgements[0], rules[0], positions[0], worth, bust)


@entry
def judge_stop_at(
    judgements: Array, rules: Array, positions: Array, stop: float, again: float, bust: float
) -> bool:
    """``judge_stop`` for Python."""
    return judge_stop(judgements[0], rules[0], positions[0], stop, again, bust)
