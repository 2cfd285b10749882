"""What there is to do now, in one sentence."""

from collections.abc import Iterator
from itertools import chain

from cantstop.rules import IllegalAction, Phase, Position
from cantstop.terminal.app.driver import Driver, Step
from cantstop.terminal.telling import Teller


def status(teller: Teller, driver: Driver) -> str:
    """Whose turn it is and what they may do; how the game ended, when it is over."""
    position, say = driver.position, teller.words.say
    if position.outcome is not None:
        told = chain(
            teller.outcome(position, driver.turn, position.outcome),
            teller.against_par(_start(driver), driver.turn),
        )
        return " ".join(told)
    if driver.trouble is not None:
        return say(driver.trouble.text, **driver.trouble.fields)
    name = driver.names[position.seat]
    if position.phase is Phase.BUST:
        return say("Bust! Nothing fits.")
    if not driver.may_act:
        return say("It is the turn of {name}.", name=name)
    match position.phase:
        case Phase.START:
            return say("{name}: throw two dice. The highest sum starts.", name=name)
        case Phase.MOVE:
            return say("{name}: pick a move.", name=name)
        case Phase.CHOICE if position.may_stop:
            return say("{name}: roll again, or stop?", name=name)
        case Phase.CHOICE:
            return teller.words.error(_refusal(position))
    return say("{name}: roll the dice.", name=name)


def _start(driver: Driver) -> Position:
    """The position that the game started from."""
    steps = (entry.before for entry in driver.entries if isinstance(entry, Step))
    return next(steps, driver.position)


def _refusal(position: Position) -> IllegalAction:
    """Why stopping is forbidden (V3)."""
    try:
        position.stop()
    except IllegalAction as refusal:
        return refusal
    raise AssertionError(position)


def heading(teller: Teller, driver: Driver, title: str) -> Iterator[str]:
    """What is played here: the edition, the goal, the turn."""
    words, rules = teller.words, driver.position.rules
    yield title
    yield words.say_count("{count} column wins", "{count} columns win", rules.columns_to_win)
    if driver.position.phase is not Phase.START:
        yield words.say("turn {turn}", turn=driver.turn)
