"""What the pool's processes find out about positions and games: analyses and reviews, as JSON.

A record may be anything: it is read here, where it can keep nobody waiting. The answer is packed
here too, for every language at once.
"""

import gzip
import pickle
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from cantstop.daily import daily_result
from cantstop.dice import DailyDice
from cantstop.game import Game
from cantstop.language import LANGUAGES, Translator
from cantstop.record import Record, read_record
from cantstop.record.record import OFFICIAL_SOLO
from cantstop.rules import Board, Event, Phase, Position
from cantstop.server.work.process import Unfinished

if TYPE_CHECKING:  # the engine is loaded in the processes only
    from cantstop.review import Reviewer

SLICE_SECONDS = 0.2
"""How long a review goes on at a time: what a bot's decision waits for it at most."""

MOST_TURN_BYTES = 100 << 20
"""Memory that a turn may take to be solved; the official board needs a fifth of that."""

Packed = bytes
"""JSON in UTF-8, compressed by gzip."""

Reviews = dict[str, Packed]
"""A review by language."""


def analyse(position: Position) -> Packed:
    """A position with all that can be done in it, and with all rolls."""
    from cantstop.engine import analyse, analysis_json

    _check_size(position.rules.board)
    return _packed(analysis_json(analyse(position)))


def hint(position: Position) -> bytes:
    """What can be done in a position, as JSON."""
    from cantstop.engine import hint, hint_json

    return to_json(hint_json(hint(position)))


def review_text(text: str) -> Unfinished | Reviews:
    """The review of the one record in a text, in every language."""
    return review_record(read_record(text), ())


def review_record(record: Record, events: Sequence[int]) -> Unfinished | Reviews:
    """The review of a game, in every language; ``events`` are its moments' numbers at a table."""
    from cantstop.review import Reviewer

    _check_size(record.rules.board)
    return _reviewed(Reviewer(record), events)


def best_daily(dice: DailyDice, events: tuple[Event, ...] = ()) -> Unfinished | bytes:
    """How each turn of a daily game ends that is played at its best, as letters; a turn a time."""
    from cantstop.engine import Press, hint

    game = Game.replay(Position.initial(OFFICIAL_SOLO), events)
    turn = game.turn
    while game.outcome is None and game.turn == turn:
        option = hint(game.position).best if game.phase is not Phase.ROLL else None
        if option is None or option.action is Press.ROLL:
            game.roll(dice.roll_in_turn(turn, game.moves_in_turn + 1))
        elif option.action is Press.STOP:
            game.stop()
        else:
            game.move(option.action)
    result = daily_result(game.events)
    if result is None:
        return Unfinished(best_daily, (dice, game.events))
    return result.letters.encode()


def _continue_review(paused: bytes) -> Unfinished | Reviews:
    reviewer, events = pickle.loads(zlib.decompress(paused))  # noqa: S301 - from a process of ours
    return _reviewed(reviewer, events)


def _reviewed(reviewer: "Reviewer", events: Sequence[int]) -> Unfinished | Reviews:
    if reviewer.run(SLICE_SECONDS):
        return _review_answers(reviewer, events)
    return Unfinished(_continue_review, (zlib.compress(pickle.dumps((reviewer, events)), 1),))


def _review_answers(reviewer: "Reviewer", events: Sequence[int]) -> Reviews:
    from cantstop.review.export import review_json
    from cantstop.review.text import decision_sentence

    found = reviewer.review()
    answer = review_json(found)
    answer["names"] = list(found.names)
    if events:
        for moment in answer["moments"]:
            moment["event"] = events[moment["n"]]
    errors = [
        (told, decision)
        for told, decision in zip(answer["decisions"], found.decisions, strict=True)
        if decision.grade.is_error
    ]
    answers = {}
    for told in answer["decisions"]:
        told["why"] = None
    for language in LANGUAGES:
        words = Translator(language)
        for told, decision in errors:
            told["why"] = decision_sentence(words, decision)
        answers[language] = _packed(answer)
    return answers


def _packed(answer: dict[str, Any]) -> Packed:
    return gzip.compress(to_json(answer), 6, mtime=0)


def _check_size(board: Board) -> None:
    """Refuse a board on which a single turn would take long."""
    from cantstop.engine import check_turn_size

    check_turn_size(board, most=MOST_TURN_BYTES)
