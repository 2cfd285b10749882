"""A review in words: for terminals, pipes and screen readers."""

from collections.abc import Sequence

from cantstop.draw.seats import width
from cantstop.language import (
    Translator,
    bust_text,
    message,
    name_text,
    round_of,
    signed,
    turns_text,
    uncertain,
    worth_text,
)
from cantstop.odds import usable_chance
from cantstop.review.game import Decision, Question, Review, RollLuck, SeatReview
from cantstop.review.grades import Grade
from cantstop.review.played_like import PlayedLike
from cantstop.review.story import Telling
from cantstop.rules import Choice, Move

CURVE_WIDTH = 60
_LEVELS = "▁▂▃▄▅▆▇█"
_ASCII_LEVELS = "0123456789"

GRADES = {
    Grade.INACCURACY: message("inaccuracy"),
    Grade.MISTAKE: message("mistake"),
    Grade.BLUNDER: message("blunder"),
}


def review_text(
    review: Review, words: Translator, hero: int | None = None, *, ascii_only: bool = False
) -> str:
    """The whole review as lines of text; ``hero`` is the seat whose story it has."""
    parts = [
        *story_lines(review, words, hero),
        "",
        columns_text(seat_rows(review, words)),
        unit_text(review, words),
        _curves(review, words, ascii_only=ascii_only),
    ]
    worst = review.worst_decisions()
    if worst:
        parts.append(words.say("Decisions worth a look:"))
        parts += [f"  {decision_text(review, decision, words)}" for decision in worst]
    else:
        parts.append(words.say("No decision gave away much."))
    return "\n".join(parts)


def change(words: Translator, worth: float, *, solo: bool) -> str:
    """A change with its sign, plus is good: in points of win chance, or in turns."""
    return signed(words, worth, 2) if solo else signed(words, 100 * worth)


def uncertain_change(words: Translator, seat: SeatReview, worth: float) -> str:
    """Luck or skill of a seat: a change, and how far it may be off."""
    if seat.rules.players == 1:
        return uncertain(words, worth, seat.uncertainty, 2)
    return uncertain(words, 100 * worth, 100 * seat.uncertainty)


def unit_text(review: Review, words: Translator) -> str:
    """What the figures of luck, skill and errors are in, said once."""
    if review.is_solo:
        return words.say("Luck, skill and errors are in turns: + is good.")
    return words.say("Luck, skill and errors are in points of win chance: + is good.")


def story_lines(review: Review, words: Translator, hero: int | None = None) -> list[str]:
    """The game in a few sentences: who won and why, then three moments of one seat.

    Unless it is given, that is the winner; in a game that nobody has won, whoever was closest.
    """
    telling = Telling(review, words)
    if hero is None:
        last = review.moments[-1].worths
        hero = review.winners[0] if review.winners else max(range(len(last)), key=last.__getitem__)
    lines = [telling.headline(), telling.verdict(), *(one.text for one in telling.moments(hero))]
    return [line for line in lines if line]


def seat_rows(review: Review, words: Translator) -> list[tuple[str, ...]]:
    """The players side by side: a row for each figure, the first one their names."""
    seats, solo = review.seats, review.is_solo
    return [
        ("", *(name_text(words, seat.name) for seat in seats)),
        (words.say("start"), *(worth_text(words, seat.start, solo=solo) for seat in seats)),
        (words.say("luck"), *(uncertain_change(words, seat, seat.luck) for seat in seats)),
        (words.say("skill"), *(uncertain_change(words, seat, seat.skill) for seat in seats)),
        (words.say("drift"), *(change(words, seat.drift, solo=solo) for seat in seats)),
        (words.say("result"), *(worth_text(words, seat.result, solo=solo) for seat in seats)),
        (words.say("given away"), *(change(words, -seat.error, solo=solo) for seat in seats)),
        (words.say("accuracy"), *(_accuracy(seat) for seat in seats)),
        (words.say("decisions"), *(str(len(seat.decisions)) for seat in seats)),
        *_played_like(review, words),
        *(
            (words.say(name), *(str(seat.count(grade)) for seat in seats))
            for grade, name in GRADES.items()
        ),
    ]


def columns_text(rows: Sequence[tuple[str, ...]], left: int = 1) -> str:
    """Rows as aligned text: the first ``left`` columns to the left, figures to the right."""
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
    names = [name_text(words, seat.name) for seat in review.seats]
    widest = max(map(width, names))
    lines = [words.say("The game from its start to its end:")]
    for name, curve in zip(names, curves, strict=True):
        drawn = "".join(_level(worth, low, high, levels) for worth in _sampled(curve, CURVE_WIDTH))
        lines.append(f"  {_padded(name, widest, left=True)}  {drawn}")
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
        "Round {round}, {name}: {dice}",
        round=round_of(roll.turn, review.rules.players),
        name=name_text(words, review.names[roll.seat]),
        dice="-".join(map(str, roll.dice)),
    )
    luck = change(words, roll.luck, solo=review.is_solo)
    return f"{where} ({words.say('bust')}, {luck})" if roll.is_bust else f"{where} ({luck})"


def decision_text(review: Review, decision: Decision, words: Translator) -> str:
    """One decision in a line: where it was, what it is called, and why."""
    return f"{place_text(review, decision, words)}: {decision_sentence(words, decision)}"


def place_text(review: Review, decision: Decision, words: Translator) -> str:
    """Where in the game a decision was, whose, and what it is called."""
    return words.say(
        "Round {round}, {name} ({grade})",
        round=round_of(decision.turn, review.rules.players),
        name=name_text(words, review.names[decision.seat]),
        grade=words.say(GRADES.get(decision.grade, "fine")),
    )


def decision_sentence(words: Translator, decision: Decision) -> str:
    """What was chosen, what was best, and a reason, in one plain sentence."""
    if decision.question is Question.MOVE:
        return _move_sentence(words, decision)
    worths = {option.action: option.worth for option in decision.options}
    stop, roll = (_worth(words, decision, worths[press]) for press in (Choice.STOP, Choice.ROLL))
    position = decision.position
    reason = bust_text(words, position.runners, 1 - usable_chance(position))
    if decision.best is Choice.STOP and position.stop().outcome is not None:
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
    if best.then is Choice.STOP:
        return words.say("{chosen} gave {worth}, {best} and stopping then {more}.", **fields)
    position = decision.position
    bust, less = (1 - usable_chance(position.move(move)) for move in (chosen.action, best.action))
    if chosen.then is Choice.ROLL and less < bust:
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
    return words.say("{turns} in all", turns=turns_text(words, decision.turn - worth, 2))
