"""What stands under a text board: who sits where, what they have won, and the dice."""

from collections.abc import Iterator, Sequence

from cantstop.draw.glyphs import ASCII, Glyphs
from cantstop.draw.names import as_ascii, cut, width
from cantstop.draw.seats import SeatShown
from cantstop.rules import Phase, Position

LINE = 80
LONGEST_NAME = 32


def legend(position: Position, seats: Sequence[SeatShown], glyphs: Glyphs) -> list[str]:
    """A line a seat (more only where its columns do not fit), then the table."""
    names = [as_ascii(seat.name) if glyphs is ASCII else seat.name for seat in seats]
    names = [cut(name, LONGEST_NAME, glyphs.cut) for name in names]
    room = max(map(width, names))
    lines: list[str] = []
    for seat, name in zip(seats, names, strict=True):
        sign = glyphs.winner if seat.winner else glyphs.turn if seat.on_turn else " "
        count = f"{len(seat.won)}/{position.rules.columns_to_win}"
        padding = " " * (room - width(name))
        head = f"{sign} {glyphs.seats[seat.seat]} {name}{padding}  {count}  "
        details = [str(column) for column in seat.won]
        if seat.thrown is not None:
            details.append(f"= {seat.thrown or glyphs.empty}")
        lines += _wrapped(head, details)
    return [*lines, *_table(position, glyphs)]


def _wrapped(head: str, words: Sequence[str]) -> Iterator[str]:
    indent = " " * width(head)
    line = head
    for word in words:
        if width(line) + len(word) > LINE:
            yield line
            line = indent
        line += word + " "
    yield line


def _table(position: Position, glyphs: Glyphs) -> Iterator[str]:
    """The runners in hand and the dice."""
    if position.phase in (Phase.START, Phase.OVER):
        return
    dice = "".join(f" [{die}]" for die in position.dice or ())
    yield f"  {glyphs.runner} {glyphs.times}{position.free_runners} {dice}"
