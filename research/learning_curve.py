"""Draws the learning curve of the example agent from what ``learn_solo.py --curve`` has written.

python -m research.learning_curve examples/learning/curve.csv docs/img/learning-curve.svg
"""

import csv
import sys
from pathlib import Path
from xml.etree.ElementTree import Element, tostring

from cantstop.draw.svg.elements import element
from cantstop.odds import PAR

WIDTH, HEIGHT = 760, 400
LEFT, RIGHT, TOP, BOTTOM = 60, 24, 56, 48
LOWEST, HIGHEST = 6, 18
BOTS = {"careful": 15.588, "glenn-linear": 8.787, "best play": PAR}
"""Turns a game, as docs/solved.md has them."""

STYLE = """
.curve{max-width:100%;height:auto;font-family:system-ui,sans-serif;font-size:13px}
.curve .paper{fill:#fffdf7}.curve text{fill:#222}.curve .title{font-size:19px;font-weight:700}
.curve .line{fill:none;stroke:#3182bd;stroke-width:3}.curve .axis{stroke:#bbb}
.curve .bot{stroke:#d94801;stroke-dasharray:4 4}
@media (prefers-color-scheme:dark){
.curve .paper{fill:#12151c}.curve text{fill:#eceae4}.curve .axis{stroke:#555}}
"""


def down(turns: float) -> float:
    """Where a number of turns is."""
    share = (HIGHEST - min(turns, HIGHEST)) / (HIGHEST - LOWEST)
    return round(TOP + share * (HEIGHT - TOP - BOTTOM), 1)


def marks(last: float) -> list[Element]:
    """The lines of the bots, and the axes."""
    found = []
    for name, turns in BOTS.items():
        y = down(turns)
        beside = y + 14 if turns == PAR else y - 5  # the curve comes down to the optimum
        found += [
            element("line", class_="bot", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y),
            element(
                "text", f"{name}: {turns:.2f}", x=WIDTH - RIGHT - 4, y=beside, text_anchor="end"
            ),
        ]
    for turns in range(LOWEST, HIGHEST + 1, 2):
        found.append(element("text", str(turns), x=LEFT - 10, y=down(turns) + 4, text_anchor="end"))
    bottom = HEIGHT - BOTTOM
    found.append(element("line", class_="axis", x1=LEFT, x2=WIDTH - RIGHT, y1=bottom, y2=bottom))
    for minute in range(int(last // 60) + 1):
        x = across(minute * 60, last)
        found.append(element("text", str(minute), x=x, y=bottom + 18, text_anchor="middle"))
    label = "minutes of training"
    found.append(element("text", label, x=WIDTH - RIGHT, y=bottom + 38, text_anchor="end"))
    return found


def across(seconds: float, last: float) -> float:
    """Where a moment is."""
    return round(LEFT + seconds / last * (WIDTH - LEFT - RIGHT), 1)


def main() -> None:
    """Read and draw."""
    source, target = map(Path, sys.argv[1:])
    with source.open(encoding="utf-8") as file:
        rows = [(float(row["seconds"]), float(row["turns"])) for row in csv.DictReader(file)]
    last = rows[-1][0]
    points = " ".join(f"{across(seconds, last)},{down(turns)}" for seconds, turns in rows)
    picture = element(
        "svg",
        element("title", "Turns a game of the example agent while it learns"),
        element("style", STYLE),
        element("rect", class_="paper", width=WIDTH, height=HEIGHT),
        element("text", "Turns a game, while it learns", class_="title", x=24, y=32),
        *marks(last),
        element("polyline", class_="line", points=points),
        xmlns="http://www.w3.org/2000/svg",
        class_="curve",
        role="img",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
    )
    target.write_text(tostring(picture, encoding="unicode") + "\n", "utf-8")


if __name__ == "__main__":
    main()
