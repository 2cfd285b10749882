"""The whole picture: a card with the octagon and the panel, and the same in text for readers."""

from collections.abc import Iterator, Sequence
from numbers import Real
from xml.etree.ElementTree import tostring

from cantstop.draw.marks import RUNNER_MARK, SEAT_MARKS, UNICODE
from cantstop.draw.seats import SeatShown, seats_shown
from cantstop.draw.svg.board import board
from cantstop.draw.svg.elements import element, number
from cantstop.draw.svg.layout import Layout
from cantstop.draw.svg.panel import panel, panel_height
from cantstop.rules import AnyMove, InvalidText, Move, Phase, Position, WrongType, dice_text

LARGEST_PICTURE = 100_000
"""The most pixels that a picture can be wide."""


def board_svg(
    position: Position,
    *,
    names: Sequence[str] | None = None,
    size: float | None = None,
    last_move: AnyMove | None = None,
) -> str:
    """The board, the seats and the dice as one SVG document, for light and dark pages.

    ``size`` is how many pixels wide it is; the height follows. The spaces that ``last_move`` led to
    have a frame: those of the runners, or of the tokens where its turn has been stopped.

    Programs find things by attributes: tokens have ``data-seat``, ``data-column`` and
    ``data-space``, runners the last two, won columns ``data-owner``; seats count from 0. Spaces of
    the last move have ``data-last``.

    >>> from cantstop.rules import Rules
    >>> board_svg(Position.initial(Rules())).startswith("<svg ")
    True
    """
    seats = seats_shown(position, names)
    layout = Layout(position.rules.board, panel_height(position, seats))
    last = {} if last_move is None else _last_spaces(position, Move.read(last_move))
    card = {"width": layout.width, "height": layout.height}
    scale = 1.0 if size is None else _width(size) / layout.width
    picture = element(
        "svg",
        element("title", f"Can’t Stop: {', '.join(seat.name for seat in seats)}"),
        element("desc", "\n".join(_description(position, seats))),
        element("style", STYLE),
        element("rect", class_="card", rx=22, **card),
        board(position, layout, last),
        panel(position, seats, layout.panel),
        xmlns="http://www.w3.org/2000/svg",
        class_="cantstop",
        role="img",
        viewBox=f"0 0 {number(layout.width)} {number(layout.height)}",
        data_position=str(position),
        width=layout.width * scale,
        height=layout.height * scale,
    )
    return tostring(picture, encoding="unicode")


def _width(size: float) -> float:
    if isinstance(size, bool) or not isinstance(size, Real) or not 0 < size <= LARGEST_PICTURE:
        raise WrongType(
            "{size} is not the width of a picture: it takes a number of pixels from 1 to {most}.",
            size=repr(size),
            most=LARGEST_PICTURE,
        )
    return float(size)


def _last_spaces(position: Position, move: Move) -> dict[int, int]:
    """The space in each column of a move that it led to, as far as it can be seen."""
    spaces = position.runners
    if not any(spaces):  # its turn was stopped: they are tokens of whoever had that turn
        over = position.phase is Phase.OVER
        spaces = position.tokens.spaces[position.seat if over else position.seat - 1]
    columns = position.rules.board.columns
    for column in move:
        if column not in columns:
            raise InvalidText(
                "There is no column {column}: they are {first} to {last}.",
                column=column,
                first=columns[0],
                last=columns[-1],
            )
    return {column: spaces[column] for column in move if spaces[column]}


def _description(position: Position, seats: Sequence[SeatShown]) -> Iterator[str]:
    """What stands where, in marks, names and numbers, so that it is right in every language."""
    for seat in seats:
        sign = UNICODE.winner if seat.winner else UNICODE.turn if seat.on_turn else ""
        spaces = _spaces(position, position.tokens.spaces[seat.seat])
        yield f"{sign} {seat.mark.symbol} {seat.name}: {spaces}".lstrip()
    if any(position.runners):
        yield f"{RUNNER_MARK.symbol}: {_spaces(position, position.runners)}"
    if position.dice is not None:
        yield dice_text(position.dice, position.rules.board.sides)


def _spaces(position: Position, spaces: Sequence[int]) -> str:
    """Each column that has a piece, with the space and the top: ``7 (4/13)``."""
    tops = position.rules.board.tops
    return ", ".join(
        f"{column} ({space}/{tops[column]})" for column, space in enumerate(spaces) if space
    )


_SEATS = "\n".join(
    f".cantstop .seat-{seat}{{fill:{mark.colour}}}.cantstop .on-{seat}{{fill:{mark.ink}}}"
    for seat, mark in enumerate(SEAT_MARKS)
)

STYLE = f"""
.cantstop{{max-width:100%;height:auto}}
.cantstop{{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}}
.cantstop text{{fill:#1b2130}}
.cantstop .card{{fill:#f6f2e8}}
.cantstop .rim{{fill:#b3202c}}
.cantstop .line{{fill:#fffaf0}}
.cantstop .field{{fill:#22304c}}
.cantstop .track{{fill:#182238}}
.cantstop .plain{{fill:#efe6d2}}
.cantstop .top{{fill:#fffaf0}}
.cantstop .stake{{fill:#fbe58e}}
.cantstop .space[data-last]{{stroke:#c2255c;stroke-width:4}}
.cantstop .runs{{fill:#ffd21f}}
.cantstop .number{{fill:#fffaf0;font-size:22px;font-weight:700;text-anchor:middle}}
.cantstop .foot{{font-size:15px;font-weight:600;opacity:.7}}
{_SEATS}
.cantstop .runner{{fill:{RUNNER_MARK.colour}}}
.cantstop .shadow{{fill:#000;fill-opacity:.28}}
.cantstop .pattern{{fill:#fff;fill-opacity:.3}}
.cantstop .crest{{fill:#fff}}
.cantstop .plate{{fill:#fffdf7;stroke:#ddd4c0;stroke-width:1.5}}
.cantstop .on .plate{{stroke:#1b2130;stroke-width:3}}
.cantstop .pointer,.cantstop .crown{{fill:#1b2130}}
.cantstop .name{{font-size:19px;font-weight:600}}
.cantstop .thrown{{font-size:22px;font-weight:700;text-anchor:end}}
.cantstop .slot{{fill:none;stroke:#c5baa1;stroke-width:1.5;stroke-dasharray:3 3}}
.cantstop .chip text{{font-size:14px;font-weight:700;text-anchor:middle}}
.cantstop .die{{fill:#fffaf0;stroke:#1b2130;stroke-width:1.5}}
.cantstop .pip,.cantstop .face{{fill:#1b2130}}
.cantstop .face{{font-size:24px;font-weight:700;text-anchor:middle}}
@media (prefers-color-scheme:dark){{
.cantstop .card{{fill:#12151c}}
.cantstop text{{fill:#eceae4}}
.cantstop .plain{{fill:#ded4bd}}
.cantstop .top{{fill:#f4ecdc}}
.cantstop .plate{{fill:#1d222d;stroke:#343b49}}
.cantstop .on .plate{{stroke:#eceae4}}
.cantstop .pointer,.cantstop .crown{{fill:#eceae4}}
.cantstop .slot{{stroke:#4a5262}}
}}
"""
