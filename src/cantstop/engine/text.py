"""A hint in words: for terminals, pipes and screen readers."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from cantstop.engine.analysis import Action, Hint, Press
from cantstop.language import Translator
from cantstop.odds import usable_chance
from cantstop.rules import Phase, Position


def worth_text(words: Translator, worth: float, *, solo: bool) -> str:
    """A chance to win in percent; in a solo game turns."""
    return words.decimal(abs(worth), 2) if solo else words.percent(Fraction(worth))


def action_text(words: Translator, action: Action, then: Press | None = None) -> str:
    """Something that can be done, and what to do then."""
    match action, then:
        case Press.STOP, _:
            return words.say("stop")
        case Press.ROLL, _:
            return words.say("roll")
        case move, Press.STOP:
            return words.say("{move}, then stop", move=move)
        case move, Press.ROLL:
            return words.say("{move}, then roll again", move=move)
        case move, _:
            return str(move)


def hint_lines(words: Translator, found: Hint) -> Iterator[str]:
    """Every option with its worth, the best first, and what the figures mean."""
    position, solo = found.position, found.position.rules.players == 1
    names = [action_text(words, option.action, option.then) for option in found.options]
    width = max(map(len, names), default=0)
    error = "" if solo or found.error is None else f" ± {words.decimal(100 * found.error.rms)}"
    for name, option in zip(names, found.options, strict=True):
        yield f"{name:<{width}}  {worth_text(words, option.worth, solo=solo):>6}{error}"
    if position.phase is Phase.BUST:
        yield words.say("This roll is of no use: it is a bust.")
        return
    if solo:
        yield words.say("How many turns will follow this one, on average.")
    else:
        yield words.say("The chance to win.")
    bust = words.percent(Fraction(found.bust))
    yield words.say("The turn ends in a bust: {percent}", percent=bust)


def hint_reasons(words: Translator, found: Hint) -> Iterator[str]:
    """Why: the chance to bust, what that would take, and what the turn may come to."""
    if found.position.phase is Phase.CHOICE:
        reason = bust_text(words, found.position)
        yield f"{reason[0].upper()}{reason[1:]}."
    if found.at_stake:
        yield stake_text(words, found.at_stake)
    if found.options:
        bust = words.percent(Fraction(found.bust))
        yield words.say(
            "With best play the turn ends in a bust in {percent} of cases.", percent=bust
        )


def stake_text(words: Translator, at_stake: Mapping[int, int]) -> str:
    """What a bust would take back: so many spaces by column."""
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


def bust_text(words: Translator, position: Position) -> str:
    """How likely the next roll is a bust, as the end of a sentence."""
    bust = 1 - usable_chance(position)
    if not bust:
        return words.say("no roll can bust")
    columns = [column for column, space in enumerate(position.runners) if space]
    return words.say_count(
        "a runner on {columns} busts in {bust} of rolls",
        "runners on {columns} bust in {bust} of rolls",
        len(columns),
        columns=words.join(columns),
        bust=words.percent(bust),
    )
