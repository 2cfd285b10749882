"""All triples of runners in one picture: how safe is the next roll?"""

from collections.abc import Iterator
from itertools import pairwise

from cantstop.odds.exact import rolls_of, triple_rolls
from cantstop.rules import OFFICIAL

_CELL = 34
_GAP = 46
_HEAD = 74
_ROWS = ((2, 3), (4, 5, 6), (7, 8, 9, 10))
"""The lowest column of each panel, laid out so that the rows are about equally wide."""

_RAMP = (
    (0.42, "#7f2704"),
    (0.55, "#d94801"),
    (0.68, "#fdae6b"),
    (0.78, "#f7f4e9"),
    (0.85, "#9ecae1"),
    (0.90, "#3182bd"),
    (0.93, "#08306b"),
)
"""From brown (a bust is likely) to blue (safe); every triple's chance lies in here."""


def triples_chart() -> str:
    """The 165 triples of the official board as a standalone SVG."""
    columns = OFFICIAL.columns
    total = rolls_of()
    chances = {triple: count / total for triple, count in triple_rolls().items()}
    width = max(sum(_span(low) + _GAP for low in row) for row in _ROWS) + _GAP // 2
    height = _HEAD + sum(_span(row[0]) + _GAP for row in _ROWS) + 12
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="11" text-anchor="middle">',
        "<title>How often a roll is of use to three runners</title>",
        f"<desc>One panel for the lowest runner; each cell is a pair of higher ones. "
        f"The best triple is 6-7-8 with {chances[6, 7, 8]:.1%}, the worst 2-3-12 with "
        f"{chances[2, 3, 12]:.1%}.</desc>",
        f'<rect width="{width}" height="{height}" fill="#fffdf7"/>',
        f'<text x="{_GAP}" y="30" font-size="19" font-weight="700" fill="#222" '
        'text-anchor="start">The chance that the next roll is of use, for every three '
        "runners</text>",
        f'<text x="{_GAP}" y="50" font-size="12.5" fill="#555" text-anchor="start">'
        "Percent of the 1,296 rolls. A panel for the lowest runner; across the middle one, down "
        "the highest.</text>",
    ]
    top = _HEAD
    for row in _ROWS:
        left = _GAP
        for low in row:
            parts += _panel(low, left, top, columns[-1], chances)
            left += _span(low) + _GAP
        top += _span(row[0]) + _GAP
    return "\n".join([*parts, "</svg>", ""])


def _span(low: int) -> int:
    """How wide and high the panel of a lowest column is: it has a cell for each one above."""
    return (OFFICIAL.columns[-1] - low) * _CELL


def _panel(
    low: int, left: int, top: int, last: int, chances: dict[tuple[int, int, int], float]
) -> Iterator[str]:
    yield (
        f'<text x="{left}" y="{top + 4}" font-size="20" font-weight="700" fill="#222" '
        f'text-anchor="start">{low}</text>'
    )
    for middle in range(low + 1, last):
        x = left + (middle - low - 1) * _CELL
        yield _label(x + _CELL // 2, top + (middle - low) * _CELL - 6, middle)
        for high in range(middle + 1, last + 1):
            y = top + (high - low - 1) * _CELL
            yield _cell(x, y, (low, middle, high), chances[low, middle, high])
    for high in range(low + 2, last + 1):
        yield _label(left - 12, top + (high - low - 1) * _CELL + _CELL // 2 + 4, high)


def _cell(x: int, y: int, triple: tuple[int, int, int], chance: float) -> str:
    name = "-".join(map(str, triple))
    fill, dark = _colour(chance)
    return (
        f'<g><title>{name}: {chance:.2%}</title><rect x="{x + 1}" y="{y + 1}" '
        f'width="{_CELL - 2}" height="{_CELL - 2}" rx="4" fill="{fill}"/>'
        f'<text x="{x + _CELL / 2}" y="{y + _CELL / 2 + 4}" '
        f'fill="{"#fff" if dark else "#222"}">{chance * 100:.0f}</text></g>'
    )


def _label(x: int, y: int, column: int) -> str:
    return f'<text x="{x}" y="{y}" font-weight="600" fill="#777">{column}</text>'


def _colour(chance: float) -> tuple[str, bool]:
    """The colour of a chance, and whether it is a dark one."""
    (low, one), (high, other) = next(pair for pair in pairwise(_RAMP) if chance <= pair[1][0])
    red, green, blue = _mixed(one, other, (chance - low) / (high - low))
    return f"#{red:02x}{green:02x}{blue:02x}", 0.3 * red + 0.59 * green + 0.11 * blue < 140


def _mixed(one: str, other: str, share: float) -> tuple[int, int, int]:
    first, second = ([int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in (one, other))
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue
