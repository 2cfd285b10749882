"""What the pool's processes find out about positions and games: analyses and reviews, as JSON.

What comes in may be anything: a text is read here, where it can keep nobody waiting, and the answer
is packed here too, for every language at once.
"""

import gzip
from collections import Counter
from itertools import combinations_with_replacement
from math import factorial
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from cantstop.language import LANGUAGES, Translator
from cantstop.record import Record, read_record
from cantstop.rules import Phase, Position

if TYPE_CHECKING:
    from cantstop.engine import Turn

Packed = bytes
"""JSON in UTF-8, compressed by gzip."""


def analyse(text: str) -> Packed:
    """A position with all that can be done in it, and with all rolls."""
    return _packed(_analysis(Position.parse(text), rolls=True))


def hint(position: Position) -> bytes:
    """What can be done in a position, as JSON."""
    return to_json(_analysis(position, rolls=False))


def review_text(text: str) -> dict[str, Packed]:
    """The review of the one record in a text, in every language."""
    return review_record(read_record(text), None)


def review_record(record: Record, events: tuple[int, ...] | None) -> dict[str, Packed]:
    """The review of a game, in every language; ``events`` are its moments' numbers at a table."""
    from cantstop.review import review
    from cantstop.review.export import review_json
    from cantstop.review.text import decision_text

    found = review(record)
    answer = review_json(found)
    answer["names"] = list(record.names)
    if events is not None:
        for moment in answer["moments"]:
            moment["event"] = events[moment["n"]]
    packed = {}
    for language in LANGUAGES:
        words = Translator(language)
        for told, decision in zip(answer["decisions"], found.decisions, strict=True):
            told["why"] = (
                decision_text(found, decision, words).partition(": ")[2]
                if decision.grade.is_error
                else None
            )
        packed[language] = _packed(answer)
    return packed


def _packed(answer: dict[str, Any]) -> Packed:
    return gzip.compress(to_json(answer), 6, mtime=0)


def _analysis(position: Position, *, rolls: bool) -> dict[str, Any]:
    from cantstop.engine import best_evaluator, hint, solve_turn
    from cantstop.odds import usable_chance

    rules, phase = position.rules, position.phase
    answer: dict[str, Any] = {
        "position": str(position),
        "rules": str(rules),
        "solo": rules.players == 1,
        "seat": position.seat,
        "phase": phase.value,
        "win": [],
        "bust": 0.0,
        "next_bust": None,
        "error": None,
        "at_stake": {},
        "options": [],
        "rolls": None,
    }
    if not rolls:
        del answer["rolls"]
    outcome = position.outcome
    if outcome is not None:
        share = 1 / len(outcome.winners) if rules.players > 1 else 0.0
        answer["win"] = [share * (seat in outcome.winners) for seat in range(rules.players)]
        return answer
    evaluator = best_evaluator(rules)
    turn = solve_turn(position, evaluator)
    found = hint(position, evaluator)
    mine = position.tokens.spaces[position.seat]
    answer |= {
        "win": list(turn.worths(position)),
        "bust": found.bust,
        "error": found.error and {"rms": found.error.rms, "p99": found.error.within_99},
        "at_stake": {
            str(column): space - mine[column]
            for column, space in enumerate(position.runners)
            if space
        },
        "options": [
            {"action": str(one.action), "win": one.worth, "then": one.then and str(one.then)}
            for one in found.options
        ],
    }
    if phase in (Phase.ROLL, Phase.CHOICE):
        answer["next_bust"] = float(1 - usable_chance(position))
        if rolls:
            answer["rolls"] = [
                _roll(turn, position, dice)
                for dice in combinations_with_replacement(range(1, rules.board.sides + 1), 4)
            ]
    return answer


def _roll(turn: "Turn", position: Position, dice: tuple[int, ...]) -> dict[str, Any]:
    ways = factorial(4)
    for count in Counter(dice).values():
        ways //= factorial(count)
    rolled = position.roll(dice)
    if rolled.phase is Phase.BUST:
        best = then = None
    else:
        move = turn.best_move(rolled)
        best, then = str(move), "stop" if turn.should_stop(rolled.move(move)) else "roll"
    return {
        "dice": list(dice),
        "ways": ways,
        "bust": best is None,
        "win": turn.value(rolled),
        "best": best,
        "then": then,
    }
