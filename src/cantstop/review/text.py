"""A review in words: for terminals, pipes and screen readers."""

from collections.abc import Sequence
from fractions import Fraction

from cantstop.language import Translator, message
from cantstop.odds import usable_chance
from cantstop.review.game import Decision, Question, Review, SeatReview
from cantstop.review.grades import Grade

CURVE_WIDTH = 60
_LEVELS = "▁▂▃▄▅▆▇█"
_ASCII_LEVELS = "0123456789"

GRADES = {
    Grade.INACCURACY: message("inaccuracy"),
    Grade.MISTAKE: message("mistake"),
    Grade.BLUNDER: message("blunder"),
}


def review_text(review: Review, words: Translator, *, ascii_only: bool = False) -> str:
    """The whole review as lines of text."""
    parts = [_seats(review, words), _curves(review, words, ascii_only=ascii_only)]
    worst = review.worst_decisions()
    if worst:
        parts.append(words.say("Decisions worth a look:"))
        parts += [f"  {decision_text(review, decision, words)}" for decision in worst]
    else:
        parts.append(words.say("No decision gave away much."))
    return "\n".join(parts)


def figure(review: Review, worth: float, words: Translator) -> str:
    """A win chance in percent; in a solo game turns."""
    if review.rules.players == 1:
        return f"{worth:.2f}"
    return words.percent(Fraction(worth))


def change(review: Review, worth: float) -> str:
    """A change of it, with its sign: in points, or in turns."""
    return f"{worth:+.2f}" if review.rules.players == 1 else f"{100 * worth:+.1f}"


def _seats(review: Review, words: Translator) -> str:
    rows: list[tuple[str, ...]] = [
        ("", *(seat.name for seat in review.seats)),
        (words.say("start"), *(figure(review, seat.start, words) for seat in review.seats)),
        (words.say("luck"), *(change(review, seat.luck) for seat in review.seats)),
        (words.say("skill"), *(change(review, seat.skill) for seat in review.seats)),
        (words.say("drift"), *(change(review, seat.drift) for seat in review.seats)),
        (words.say("result"), *(figure(review, seat.result, words) for seat in review.seats)),
        (words.say("given away"), *(change(review, -seat.error) for seat in review.seats)),
        (words.say("accuracy"), *(_accuracy(seat) for seat in review.seats)),
        (words.say("decisions"), *(str(len(seat.decisions)) for seat in review.seats)),
        *(
            (words.say(name), *(str(seat.count(grade)) for seat in review.seats))
            for grade, name in GRADES.items()
        ),
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _accuracy(seat: SeatReview) -> str:
    return "-" if seat.accuracy is None else f"{seat.accuracy:.0f} %"


def _curves(review: Review, words: Translator, *, ascii_only: bool) -> str:
    """Everybody's win chance through the game, one line each."""
    levels = _ASCII_LEVELS if ascii_only else _LEVELS
    curves = [[moment.worths[seat.seat] for moment in review.moments] for seat in review.seats]
    low = min(map(min, curves)) if review.rules.players == 1 else 0.0
    high = max(map(max, curves)) if review.rules.players == 1 else 1.0
    width = max(len(seat.name) for seat in review.seats)
    lines = [words.say("The game from its start to its end:")]
    for seat, curve in zip(review.seats, curves, strict=True):
        drawn = "".join(_level(worth, low, high, levels) for worth in _sampled(curve, CURVE_WIDTH))
        lines.append(f"  {seat.name:<{width}}  {drawn}")
    return "\n".join(lines)


def _sampled(curve: Sequence[float], width: int) -> Sequence[float]:
    if len(curve) <= width:
        return curve
    return [curve[round(place * (len(curve) - 1) / (width - 1))] for place in range(width)]


def _level(worth: float, low: float, high: float, levels: str) -> str:
    share = (worth - low) / (high - low) if high > low else 0.0
    return levels[min(int(share * len(levels)), len(levels) - 1)]


def decision_text(review: Review, decision: Decision, words: Translator) -> str:
    """One decision in a sentence: what was chosen, what was best, and why."""
    name = review.names[decision.seat]
    chosen, best = (
        figure(review, _turns(review, worth, decision), words)
        for worth in (decision.worth, decision.options[0].worth)
    )
    grade = words.say(GRADES.get(decision.grade, "fine"))
    where = words.say("Turn {turn}, {name} ({grade})", turn=decision.turn, name=name, grade=grade)
    if decision.question is Question.MOVE:
        told = words.say(
            "{chosen} gave {worth}, {best} would have given {more}.",
            chosen=decision.chosen,
            worth=chosen,
            best=decision.best,
            more=best,
        )
        return f"{where}: {told}"
    stop, roll = (best, chosen) if decision.best == "stop" else (chosen, best)
    columns = [column for column, space in enumerate(decision.position.runners) if space]
    told = words.say(
        "Stopping gave {stop}, rolling {roll}: runners on {columns} bust in {bust} of rolls.",
        stop=stop,
        roll=roll,
        columns=words.join(columns),
        bust=words.percent(1 - usable_chance(decision.position)),
    )
    return f"{where}: {told}"


def _turns(review: Review, worth: float, decision: Decision) -> float:
    """In a solo game, the number of turns that the game will have had."""
    return decision.turn - worth if review.rules.players == 1 else worth
