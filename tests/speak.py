"""Positions, moves and events as text, so that a test reads like a record."""

from cantstop import Busted, Event, Game, Move, Moved, Position, Rolled, Stopped
from cantstop.rules import parse_dice


def event(word: str) -> Event:
    """An event as a record has it: ``2345``, ``=6+8``, ``=bust`` or ``stop``."""
    if word == "stop":
        return Stopped()
    if word == "=bust":
        return Busted()
    if word.startswith("="):
        return Moved(Move.parse(word.removeprefix("=")))
    return Rolled(parse_dice(word))


def play(text: str, *words: str) -> str:
    """The position that some events lead to."""
    position = Position.parse(text)
    for word in words:
        position = position.after(event(word))
    return str(position)


def moves(text: str) -> set[str]:
    """The legal moves of a position."""
    return set(map(str, Position.parse(text).legal_moves))


def runners(game: Game) -> dict[int, int]:
    """The runners on the board: column to space."""
    return {column: space for column, space in enumerate(game.runners) if space}


def may_stop(text: str) -> bool:
    """Whether the player may stop."""
    return Position.parse(text).may_stop
