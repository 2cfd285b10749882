"""Light and dark colours. Shapes and numbers show everything too: colour is never needed."""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from rich.style import Style
from textual.theme import Theme

LIGHT, DARK = "cantstop-light", "cantstop-dark"


class Paint(NamedTuple):
    """A colour to write with, upon another."""

    ink: str
    ground: str


@cache
def style(paint: Paint) -> Style:
    """The style of a paint, cached: making one takes longer than drawing with it."""
    return Style(color=paint.ink, bgcolor=paint.ground)


@dataclass(frozen=True)
class Palette:
    """What the board and the dice are painted with."""

    around: str
    """Between the tiles."""
    tile: Paint
    number: Paint
    runner: Paint
    at_risk: Paint
    """Spaces below a runner that a bust would lose."""
    preview: Paint
    die: Paint
    spent_die: Paint
    """Dice of the last roll that were used already."""
    fatal_die: Paint


DARK_PALETTE = Palette(
    around="#161a22",
    tile=Paint("#667085", "#272d39"),
    number=Paint("#e8e6df", "#161a22"),
    runner=Paint("#14171f", "#f7f4ea"),
    at_risk=Paint("#f7f4ea", "#565f70"),
    preview=Paint("#14171f", "#f2b632"),
    die=Paint("#14171f", "#f7f4ea"),
    spent_die=Paint("#7d8798", "#2b313d"),
    fatal_die=Paint("#ffffff", "#b3261e"),
)

LIGHT_PALETTE = Palette(
    around="#f4f0e6",
    tile=Paint("#8b8474", "#e0d9c9"),
    number=Paint("#26231c", "#f4f0e6"),
    runner=Paint("#ffffff", "#14171f"),
    at_risk=Paint("#14171f", "#bdb4a0"),
    preview=Paint("#14171f", "#f2b632"),
    die=Paint("#14171f", "#ffffff"),
    spent_die=Paint("#a39b8a", "#e8e2d4"),
    fatal_die=Paint("#ffffff", "#b3261e"),
)

_POINTED = {"pointed": DARK_PALETTE.preview.ground, "pointed-ink": DARK_PALETTE.preview.ink}

THEMES = (
    Theme(
        DARK,
        primary="#f2b632",
        secondary="#5aa9e6",
        warning="#f2b632",
        error="#ff8a80",
        success="#57c89a",
        accent="#f2b632",
        foreground="#e8e6df",
        background="#161a22",
        surface="#1c212b",
        panel="#272d39",
        dark=True,
        variables=_POINTED,
    ),
    Theme(
        LIGHT,
        primary="#8a5a00",
        secondary="#00568a",
        warning="#8a5a00",
        error="#a3201a",
        success="#006b4f",
        accent="#8a5a00",
        foreground="#26231c",
        background="#f4f0e6",
        surface="#ece6d9",
        panel="#e0d9c9",
        dark=False,
        variables=_POINTED,
    ),
)


def palette(theme: str) -> Palette:
    """The palette that goes with a theme."""
    return LIGHT_PALETTE if theme == LIGHT else DARK_PALETTE
