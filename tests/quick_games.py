"""Whole games that no browser watches, for tests that look at what is left of them."""

from cantstop import client
from cantstop.rules import Phase, Position


def play_quickly(me: client.Player) -> None:
    """Decide for all our seats until the game is over."""
    for position in me.decisions():
        take(me, quick_action(me, position))


def quick_action(me: client.Player, position: Position) -> str:
    """The first move of each roll, and a stop after three."""
    if position.phase is Phase.MOVE:
        return str(position.legal_moves[0])
    return "stop" if position.may_stop and me.moves > 2 else "roll"


def take(me: client.Player, action: str) -> None:
    """Roll, stop, or a move as people write it."""
    if action == "roll":
        me.roll()
    elif action == "stop":
        me.stop()
    else:
        me.move(action)
