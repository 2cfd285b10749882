"""The characters a text board is made of: Unicode, or plain ASCII for simple terminals."""

from dataclasses import dataclass

from cantstop.draw.marks import RUNNER_MARK, SEAT_MARKS


@dataclass(frozen=True)
class Glyphs:
    """One character for each thing that is drawn."""

    seats: tuple[str, ...]
    runner: str
    empty: str
    stake: str
    """A space below a runner that a bust would lose."""
    edge: str
    joints: str
    """Where lines meet, indexed by the ways they go: up 1, down 2, left 4, right 8, added up."""
    turn: str
    winner: str
    times: str
    cut: str


UNICODE = Glyphs(
    seats=tuple(mark.symbol for mark in SEAT_MARKS),
    runner=RUNNER_MARK.symbol,
    empty="·",
    stake="↑",
    edge="─",
    joints="   │ ╯╮┤ ╰╭├ ┴┬┼",
    turn="►",
    winner="♛",
    times="×",
    cut="…",
)

ASCII = Glyphs(
    seats=tuple(mark.letter for mark in SEAT_MARKS),
    runner=RUNNER_MARK.letter,
    empty=".",
    stake="^",
    edge="-",
    joints="   | +++ +++ +++",
    turn=">",
    winner="#",
    times="x",
    cut="~",
)
