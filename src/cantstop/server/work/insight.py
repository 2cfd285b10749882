"""What the pool's processes find out about positions and games: analyses and reviews, as JSON.

A record may be anything: it is read here, where it can keep nobody waiting. The answer is packed
here too, for every language at once.
"""

import gzip
import pickle
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from cantstop.daily import daily_result
from cantstop.dice import DailyDice
from cantstop.game import Game
from cantstop.language import LANGUAGES, Translator
from cantstop.record import Record, read_record
from cantstop.record.record import OFFICIAL_SOLO
from cantstop.rules import Board, Choice, Event, Phase, Position
from cantstop.server.tables.history import Costly, GameFindings, SeatFindings, unpacked_game
from cantstop.server.work.process import Unfinished, should_pause
from cantstop.wire.codec import encode
from cantstop.wire.insight import AnalysisAnswer, analysis_view, hint_view
from cantstop.wire.review import ReviewAnswer, review_view

if TYPE_CHECKING:  # the engine is loaded in the processes only
    from cantstop.review import Decision, Reviewer, SeatReview

SLICE_SECONDS = 0.2
"""How long a review goes on at a time: what a bot's decision waits for it at most."""

MOST_SLICES = 25
"""Slices in one go while nobody else waits: a process has a deadline."""

MOST_COSTLY = 3
"""Decisions of a seat that are kept as what cost most."""

MOST_TURN_BYTES = 100 << 20
"""Memory that a turn may take to be solved; the official board needs a fifth of that."""

Packed = bytes
"""JSON in UTF-8, compressed by gzip."""

Answer = TypeVar("Answer")

Reviews = dict[str, Packed]
"""A review by language."""


def analyse(position: Position) -> Packed:
    """A position with all that can be done in it, and with all rolls."""
    from cantstop.engine import analyse

    _check_size(position.rules.board)
    return _packed(analysis_view(analyse(position)))


def hint(position: Position) -> bytes:
    """What can be done in a position, as JSON."""
    from cantstop.engine import hint

    return encode(hint_view(hint(position)))


def review_text(text: str) -> Unfinished | Reviews:
    """The review of the one record in a text, in every language."""
    return review_record(read_record(text), ())


def review_record(record: Record, events: Sequence[int]) -> Unfinished | Reviews:
    """The review of a game, in every language; ``events`` are its moments' numbers at a table."""
    from cantstop.review import Reviewer

    _check_size(record.rules.board)
    return _reviewed(Reviewer(record), _review_answers, (events,))


def luck_and_skill(record: Record) -> Unfinished | tuple[float, float]:
    """What luck and skill a solo game had."""
    from cantstop.review import Reviewer

    return _reviewed(Reviewer(record), _luck_and_skill, ())


def findings(packed: bytes, until: int | None) -> Unfinished | GameFindings:
    """What a game of players of the club comes to: to its end, or until the first seat left."""
    from cantstop.review import Reviewer

    record = unpacked_game(packed)
    _check_size(record.rules.board)
    if until is not None:
        record = replace(record, events=record.events[:until], ended=None, resigned=())
    return _reviewed(Reviewer(record), _findings, (until is not None,))


def best_daily(dice: DailyDice, events: tuple[Event, ...] = ()) -> Unfinished | bytes:
    """How each turn of a daily game ends that is played at its best, as letters; a turn a time."""
    from cantstop.engine import hint

    game = Game.replay(Position.initial(OFFICIAL_SOLO), events)
    turn = game.turn
    while game.outcome is None and game.turn == turn:
        option = hint(game.position).best if game.phase is not Phase.ROLL else None
        if option is None or option.action is Choice.ROLL:
            game.roll(dice.roll_in_turn(turn, game.moves_in_turn + 1))
        elif option.action is Choice.STOP:
            game.stop()
        else:
            game.move(option.action)
    result = daily_result(game.events)
    if result is None:
        return Unfinished(best_daily, (dice, game.events))
    return result.letters.encode()


def _reviewed(
    reviewer: "Reviewer", answer: Callable[..., Answer], args: tuple[object, ...]
) -> Unfinished | Answer:
    """What is answered when a review is done, which may take many goes."""
    for _ in range(MOST_SLICES):
        if reviewer.run(SLICE_SECONDS):
            return answer(reviewer, *args)
        if should_pause():  # to pack all that was found, and to unpack it, is work too
            break
    paused = zlib.compress(pickle.dumps((reviewer, answer, args)), 1)
    return Unfinished(_continue_review, (paused,))


def _continue_review(paused: bytes) -> Any:  # noqa: ANN401 - whatever was begun
    return _reviewed(*pickle.loads(zlib.decompress(paused)))  # noqa: S301 - from a process of ours


def _luck_and_skill(reviewer: "Reviewer") -> tuple[float, float]:
    (seat,) = reviewer.review().seats
    return seat.luck, seat.skill


def _findings(reviewer: "Reviewer", has_left: bool) -> GameFindings:
    from cantstop.engine import evaluator_version

    found = reviewer.review()
    errors = found.worst_decisions(len(found.decisions))
    return GameFindings(
        evaluator_version(found.rules),
        tuple(_seat_findings(seat, has_left=has_left) for seat in found.seats),
        tuple(
            _costly(one)
            for seat in found.seats
            for one in [error for error in errors if error.seat == seat.seat][:MOST_COSTLY]
        ),
    )


def _costly(decision: "Decision") -> Costly:
    return Costly(
        decision.n,
        decision.seat,
        str(decision.position),
        decision.question.value,
        str(decision.chosen),
        str(decision.best),
        decision.error,
    )


def _seat_findings(seat: "SeatReview", *, has_left: bool) -> SeatFindings:
    from cantstop.review import Grade, Question

    counts = Counter(decision.question for decision in seat.decisions)
    return SeatFindings(
        seat.start,
        seat.luck,
        seat.skill,
        seat.drift,
        counts[Question.PRESS],
        seat.error_of(Question.PRESS),
        counts[Question.MOVE],
        seat.error_of(Question.MOVE),
        seat.count(Grade.INACCURACY),
        seat.count(Grade.MISTAKE),
        seat.count(Grade.BLUNDER),
        seat.result if has_left else None,
    )


def _review_answers(reviewer: "Reviewer", events: Sequence[int]) -> Reviews:
    found = reviewer.review()
    return {
        language: _packed(review_view(found, Translator(language), events))
        for language in LANGUAGES
    }


def _packed(answer: AnalysisAnswer | ReviewAnswer) -> Packed:
    return gzip.compress(encode(answer), 6, mtime=0)


def _check_size(board: Board) -> None:
    """Refuse a board on which a single turn would take long."""
    from cantstop.engine import check_turn_size

    check_turn_size(board, most=MOST_TURN_BYTES)
