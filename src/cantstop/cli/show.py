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
from cantstop.language import name_text
from cantstop.rules import InvalidText, Position
from cantstop.wire.position import position_view


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
    position, recorded = _position(what, game, at)
    names = None if recorded is None else [name_text(words, name) for name in recorded]
    if json:
        print_json(position_view(position))
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
