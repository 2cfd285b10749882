"""``cantstop show``: a position, or a game at any point, as a board."""

from pathlib import Path
from typing import Annotated

from cantstop.cli.options import (
    Ascii,
    GameNumber,
    Json,
    Lang,
    draws_unicode,
    echo,
    print_json,
    read_one,
    translator,
)
from cantstop.cli.parser import Argument, Option
from cantstop.draw import board_svg, board_text
from cantstop.odds import usable_chance
from cantstop.rules import InvalidText, Position


def show(
    what: Annotated[
        str, Argument(metavar="POSITION|RECORD", help="A position text or a record file.")
    ],
    at: Annotated[
        int | None, Option(metavar="N", help="In a record: after event N; 0 is the start.")
    ] = None,
    game: GameNumber = None,
    svg: Annotated[bool, Option("--svg", help="Print the board as SVG.")] = False,
    lang: Lang = None,
    ascii: Ascii = False,  # noqa: A002
    json: Json = False,
) -> None:
    """Draw a board.

    Example: cantstop show "v1,players=2 7:4/6:11,8:3 1 7:5,9:1 1236"
    """
    words = translator(lang)
    position, names = _position(what, game, at)
    if json:
        print_json(_as_json(position))
    elif svg:
        echo(board_svg(position, names=names))
    else:
        echo(board_text(position, names=names, ascii=ascii or not draws_unicode()))
        moves = [str(move) for move in position.legal_moves]
        if moves:
            echo(words.say("Legal moves: {moves}", moves=", ".join(moves)))
        echo(str(position))


def _position(
    what: str, game: int | None, at: int | None
) -> tuple[Position, tuple[str, ...] | None]:
    if " " in what and not _is_there(what):
        return Position.parse(what), None
    record = read_one(what, game)
    positions = record.game().positions
    if at is not None and not 0 <= at < len(positions):
        raise InvalidText(
            "There is no event {at}: the record has {count}.", at=at, count=len(positions) - 1
        )
    return positions[-1 if at is None else at], record.names


def _is_there(name: str) -> bool:
    try:
        return Path(name).exists()
    except OSError:  # longer than any name
        return False


def _as_json(position: Position) -> dict[str, object]:
    outcome = position.outcome
    usable = usable_chance(position) if position.may_roll and not position.roll_off else None
    return {
        "position": str(position),
        "rules": str(position.rules),
        "phase": position.phase.value,
        "seat": position.seat,
        "tokens": [list(spaces[2:]) for spaces in position.tokens.spaces],
        "runners": list(position.runners[2:]),
        "dice": None if position.dice is None else list(position.dice),
        "legal_moves": [str(move) for move in position.legal_moves],
        "may_stop": position.may_stop,
        "usable_chance": None if usable is None else float(usable),
        "winners": None if outcome is None else list(outcome.winners),
    }
