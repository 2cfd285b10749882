"""A decision in words: what can be done, what it is worth, and what a bust would cost.

The figures come from whoever has them: the engine, a review, or a drill, which needs no engine.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from cantstop.language.translator import Translator
from cantstop.rules import Action, Choice


def resigned_text(words: Translator, names: Sequence[str], winner: int) -> str:
    """Who has won because everybody else resigned, all by their names.

    >>> resigned_text(Translator(), ["Anne", "Bob"], 0)
    'Anne wins: Bob has resigned.'
    """
    others = [name for seat, name in enumerate(names) if seat != winner]
    return words.say_count(
        "{name} wins: {others} has resigned.",
        "{name} wins: {others} have resigned.",
        len(others),
        name=names[winner],
        others=words.join(others),
    )


def worth_text(words: Translator, worth: float, *, solo: bool) -> str:
    """A chance to win in percent; in a solo game turns."""
    return words.decimal(abs(worth), 2) if solo else words.percent(Fraction(worth))


def action_text(words: Translator, action: Action, then: Choice | None = None) -> str:
    """A move, “stop” or “roll”, and what to do then.

    >>> from cantstop.rules import Move
    >>> action_text(Translator(), Move(6, 8), Choice.STOP)
    '6+8, then stop'
    """
    match action, then:
        case Choice.STOP, _:
            return words.say("stop")
        case Choice.ROLL, _:
            return words.say("roll")
        case move, Choice.STOP:
            return words.say("{move}, then stop", move=move)
        case move, Choice.ROLL:
            return words.say("{move}, then roll again", move=move)
        case move, _:
            return str(move)


def stake_text(words: Translator, at_stake: Mapping[int, int]) -> str:
    """What a bust would take back: the number of spaces, by column."""
    steps = [
        words.say_count(
            "{count} space in column {column}",
            "{count} spaces in column {column}",
            spaces,
            column=column,
        )
        for column, spaces in at_stake.items()
    ]
    return words.say("A bust would take back {steps}.", steps=words.join(steps))


def bust_text(words: Translator, runners: Sequence[int], bust: Fraction) -> str:
    """How likely the next roll is a bust with a position's runners, as the end of a sentence."""
    if not bust:
        return words.say("no roll can bust")
    columns = [column for column, space in enumerate(runners) if space]
    return words.say_count(
        "a runner on {columns} busts in {bust} of rolls",
        "runners on {columns} bust in {bust} of rolls",
        len(columns),
        columns=words.join(columns),
        bust=words.percent(bust),
    )
