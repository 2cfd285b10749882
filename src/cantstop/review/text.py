"""A review in words: for terminals, pipes and screen readers."""

from collections.abc import Sequence

from cantstop.draw.seats import width
from cantstop.engine import Press
from cantstop.language import Translator, bust_text, message, worth_text
from cantstop.odds import usable_chance
from cantstop.review.game import Decision, Question, Review, RollLuck, SeatReview
from cantstop.review.grades import Grade
from cantstop.review.played_like import PlayedLike
from cantstop.rules import Move

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
    parts = [columns_text(seat_rows(review, words)), _curves(review, words, ascii_only=ascii_only)]
    worst = review.worst_decisions()
    if worst:
        parts.append(words.say("Decisions worth a look:"))
        parts += [f"  {decision_text(review, decision, words)}" for decision in worst]
    else:
        parts.append(words.say("No decision gave away much."))
    return "\n".join(parts)


def change(review: Review, worth: float) -> str:
    """A change of it, with its sign: in points, or in turns."""
    return f"{worth:+.2f}" if review.is_solo else f"{100 * worth:+.1f}"


def headline(review: Review, words: Translator) -> str:
    """Who won, in how many turns."""
    turns = review.moments[-1].turn
    if review.winners is None:
        return words.say_count(
            "The game is not over after {count} turn.",
            "The game is not over after {count} turns.",
            turns,
        )
    names = words.join(review.names[seat] for seat in review.winners)
    if review.outcome is None:
        return words.say_count(
            "{names}: won after {count} turn, since all others have resigned.",
            "{names}: won after {count} turns, since all others have resigned.",
            turns,
            names=names,
        )
    return words.say_count(
        "{names}: won after {count} turn.", "{names}: won after {count} turns.", turns, names=names
    )


def seat_rows(review: Review, words: Translator) -> list[tuple[str, ...]]:
    """The players side by side: a row for each figure, the first one their names."""
    seats, solo = review.seats, review.is_solo
    return [
        ("", *(seat.name for seat in seats)),
        (words.say("start"), *(worth_text(words, seat.start, solo=solo) for seat in seats)),
        (words.say("luck"), *(change(review, seat.luck) for seat in seats)),
        (words.say("skill"), *(change(review, seat.skill) for seat in seats)),
        (words.say("drift"), *(change(review, seat.drift) for seat in seats)),
        (words.say("result"), *(worth_text(words, seat.result, solo=solo) for seat in seats)),
        (words.say("given away"), *(change(review, -seat.error) for seat in seats)),
        (words.say("accuracy"), *(_accuracy(seat) for seat in seats)),
        (words.say("decisions"), *(str(len(seat.decisions)) for seat in seats)),
        *_played_like(review, words),
        *(
            (words.say(name), *(str(seat.count(grade)) for seat in seats))
            for grade, name in GRADES.items()
        ),
    ]


def columns_text(rows: Sequence[tuple[str, ...]], left: int = 1) -> str:
    """Rows under each other, so many columns of them to the left, figures to the right."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            _padded(cell, widths[place], left=place < left) for place, cell in enumerate(row)
        ).rstrip()
        for row in rows
    )


def _padded(cell: str, wide: int, *, left: bool) -> str:
    room = " " * (wide - width(cell))
    return cell + room if left else room + cell


def _played_like(review: Review, words: Translator) -> list[tuple[str, ...]]:
    found = [seat.played_like for seat in review.seats]
    if not any(found):
        return []
    return [(words.say("played like"), *(like_text(like) for like in found))]


def like_text(like: PlayedLike | None) -> str:
    """A rating with its interval, rounded to what it can tell."""
    return "-" if like is None else f"{like.rating:.0f} ({like.low:.0f}-{like.high:.0f})"


def _accuracy(seat: SeatReview) -> str:
    return "-" if seat.accuracy is None else f"{seat.accuracy:.0f} %"


def _curves(review: Review, words: Translator, *, ascii_only: bool) -> str:
    """Everybody's win chance through the game, one line each."""
    levels = _ASCII_LEVELS if ascii_only else _LEVELS
    curves = [[moment.worths[seat.seat] for moment in review.moments] for seat in review.seats]
    low = min(map(min, curves)) if review.is_solo else 0.0
    high = max(map(max, curves)) if review.is_solo else 1.0
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


def roll_text(review: Review, roll: RollLuck, words: Translator) -> str:
    """One roll in a line: what it changed for whoever rolled."""
    where = words.say(
        "Turn {turn}, {name}: {dice}",
        turn=roll.turn,
        name=review.names[roll.seat],
        dice="-".join(map(str, roll.dice)),
    )
    luck = change(review, roll.luck)
    return f"{where} ({words.say('bust')}, {luck})" if roll.is_bust else f"{where} ({luck})"


def decision_text(review: Review, decision: Decision, words: Translator) -> str:
    """One decision in a line: where it was, what it is called, and why."""
    where = words.say(
        "Turn {turn}, {name} ({grade})",
        turn=decision.turn,
        name=review.names[decision.seat],
        grade=words.say(GRADES.get(decision.grade, "fine")),
    )
    return f"{where}: {decision_sentence(words, decision)}"


def decision_sentence(words: Translator, decision: Decision) -> str:
    """What was chosen, what was best, and a reason, in one plain sentence."""
    if decision.question is Question.MOVE:
        return _move_sentence(words, decision)
    worths = {option.action: option.worth for option in decision.options}
    stop, roll = (_worth(words, decision, worths[press]) for press in (Press.STOP, Press.ROLL))
    position = decision.position
    reason = bust_text(words, position.runners, 1 - usable_chance(position))
    if decision.best is Press.STOP and position.stop().outcome is not None:
        return words.say(
            "Stopping won the game, rolling gave {roll}: {reason}.", roll=roll, reason=reason
        )
    return words.say(
        "Stopping gave {stop}, rolling {roll}: {reason}.", stop=stop, roll=roll, reason=reason
    )


def _move_sentence(words: Translator, decision: Decision) -> str:
    chosen, best = decision.chosen_option, decision.options[0]
    assert isinstance(chosen.action, Move)
    assert isinstance(best.action, Move)
    fields = {
        "chosen": chosen.action,
        "best": best.action,
        "worth": _worth(words, decision, chosen.worth),
        "more": _worth(words, decision, best.worth),
    }
    if best.then is Press.STOP:
        return words.say("{chosen} gave {worth}, {best} and stopping then {more}.", **fields)
    position = decision.position
    bust, less = (1 - usable_chance(position.move(move)) for move in (chosen.action, best.action))
    if chosen.then is Press.ROLL and less < bust:
        return words.say(
            "{chosen} gave {worth}, {best} {more}: the next roll busts in {bust} of cases "
            "after {chosen}, in {less} after {best}.",
            **fields,
            bust=words.percent(bust),
            less=words.percent(less),
        )
    return words.say("{chosen} gave {worth}, {best} {more}.", **fields)


def _worth(words: Translator, decision: Decision, worth: float) -> str:
    """A win chance; in a solo game the number of turns that the game will have had."""
    if decision.position.rules.players > 1:
        return worth_text(words, worth, solo=False)
    turns = worth_text(words, worth - decision.turn, solo=True)
    return words.say("{turns} turns in all", turns=turns)
