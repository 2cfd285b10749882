"""The table and the picture of docs/ladder.md."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, tostring

from cantstop.bots import LADDER
from cantstop.draw.svg.elements import element

ROOT = Path(__file__).parents[2]
PAGE, PICTURE = ROOT / "docs" / "ladder.md", ROOT / "docs" / "img" / "ladder.svg"
BEGIN, END = "<!-- written by research/ladder -->", "<!-- end -->"

TOP = 2000
"""The champion's rating, by definition."""

_WIDTH, _HEAD, _ROW, _FOOT = 760, 74, 38, 24
_NAMES = 92
_RATING = 110, 400
"""Where the scale of the ratings lies, from left to right."""
_STEP = 100
_STYLE = """
.ladder{max-width:100%;height:auto;font-family:system-ui,sans-serif;font-size:13px}
.ladder .paper{fill:#fffdf7}.ladder text{fill:#222}.ladder .title{font-size:19px;font-weight:700}
.ladder .soft{fill:#777}.ladder .name{font-weight:600}.ladder .bar{fill:#3182bd}
.ladder .loss{fill:#d94801}.ladder .dot{fill:#3182bd}.ladder .line{stroke:#9ecae1;stroke-width:2;fill:none}
.ladder .grid{stroke:#ddd}.ladder .whisker{stroke:#222;stroke-width:2}
@media (prefers-color-scheme:dark){
.ladder .paper{fill:#12151c}.ladder text{fill:#eceae4}.ladder .soft{fill:#999}
.ladder .grid{stroke:#333}.ladder .line{stroke:#31547a}.ladder .whisker{stroke:#eceae4}}
"""  # noqa: E501

Figures = dict[str, Any]


def write_documents(found: Figures) -> None:
    """Write both, from what was measured."""
    PICTURE.write_text(picture(found), "utf-8")
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{table(found)}\n{END}{after}", "utf-8")


def table(found: Figures) -> str:
    """The levels, a row each."""
    lines = [
        "| level | bot | rating | loss | rolls | busts | climb | middle |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for number, level in enumerate(LADDER, start=1):
        rating, interval = found["round_robin"]["ratings"][level.name]
        style = found["levels"][level.name]
        lines.append(
            f"| {number} | `{level.name}` | {rating:.0f} ± {interval:.0f} "
            f"| {100 * style['loss_per_decision']:.2f} | {style['rolls_per_turn']:.1f} "
            f"| {100 * style['busts_per_turn']:.0f} % | {style['columns_per_stop']:.2f} "
            f"| {100 * style['middle']:.0f} % |"
        )
    games = [style["games"] for style in found["levels"].values()]
    lines += [
        "",
        f"The ratings are from {found['round_robin']['games']} games of every pair, the other "
        f"figures from {min(games)} to {max(games)} games of each level against the champion.",
    ]
    return "\n".join(lines) + "\n"


def picture(found: Figures) -> str:
    """Ratings on a scale, the strongest on top, and beside them what the levels do."""
    ratings, levels = found["round_robin"]["ratings"], found["levels"]
    names = [level.name for level in reversed(LADDER)]
    height = _HEAD + _ROW * len(names) + _FOOT
    lowest = _STEP * int((min(value for value, _ in ratings.values()) - 30) // _STEP)
    across = _scale(lowest, TOP)
    parts = _grid(lowest, across, height - _FOOT)
    points = [(across(ratings[name][0]), _middle(row)) for row, name in enumerate(names)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts.append(element("polyline", class_="line", points=path))
    for row, name in enumerate(names):
        rating, interval = ratings[name]
        parts += _level(row, name, rating, interval, across)
    columns: tuple[tuple[str, str, str, str, float], ...] = (
        ("loss a decision", "loss_per_decision", "loss", "{:.2f}", 100),
        ("rolls a turn", "rolls_per_turn", "bar", "{:.1f}", 1),
        ("busts a turn", "busts_per_turn", "bar", "{:.0f} %", 100),
    )
    for place, (title, key, kind, form, unit) in enumerate(columns):
        values = [levels[name][key] * unit for name in names]
        parts += _bars(430 + 112 * place, title, kind, form, values)
    drawn = element(
        "svg",
        element(
            "title", "The ladder: rating, loss a decision, rolls and busts of its eight levels"
        ),
        element("style", _STYLE),
        element("rect", class_="paper", width=_WIDTH, height=height),
        element("text", "The ladder", class_="title", x=24, y=32),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        class_="ladder",
        role="img",
        viewBox=f"0 0 {_WIDTH} {height}",
        width=_WIDTH,
        height=height,
    )
    return tostring(drawn, encoding="unicode") + "\n"


def _scale(lowest: float, highest: float) -> Callable[[float], float]:
    left, right = _RATING
    return lambda rating: left + (rating - lowest) / (highest - lowest) * (right - left)


def _middle(row: int) -> float:
    return _HEAD + _ROW * (row + 0.5)


def _grid(lowest: int, across: Callable[[float], float], bottom: float) -> list[Element]:
    parts = [element("text", "rating", class_="soft", x=_RATING[0], y=_HEAD - 8)]
    for rating in range(lowest, TOP + 1, 2 * _STEP if TOP - lowest > 5 * _STEP else _STEP):
        x = across(rating)
        parts += [
            element("line", class_="grid", x1=x, x2=x, y1=_HEAD, y2=bottom),
            element("text", str(rating), class_="soft", x=x, y=bottom + 16, text_anchor="middle"),
        ]
    return parts


def _level(
    row: int, name: str, rating: float, interval: float, across: Callable[[float], float]
) -> list[Element]:
    x, y = across(rating), _middle(row)
    return [
        element("text", name, class_="name", x=_NAMES, y=y + 4, text_anchor="end"),
        element(
            "line",
            class_="whisker",
            x1=across(rating - interval),
            x2=across(rating + interval),
            y1=y,
            y2=y,
        ),
        element("circle", class_="dot", cx=x, cy=y, r=5),
        element("text", f"{rating:.0f}", x=x - 9, y=y - 5, text_anchor="end"),
    ]


def _bars(left: float, title: str, kind: str, form: str, values: list[float]) -> list[Element]:
    parts = [element("text", title, class_="soft", x=left, y=_HEAD - 8)]
    for row, value in enumerate(values):
        y, wide = _middle(row), value / max(values) * 58
        parts += [
            element("rect", class_=kind, x=left, y=y - 8, width=wide, height=16, rx=2),
            element("text", form.format(value), x=left + wide + 5, y=y + 4),
        ]
    return parts
