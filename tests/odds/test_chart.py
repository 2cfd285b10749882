"""The chart of all triples: complete, well formed, and the one in the documentation."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from cantstop.odds import triple_rolls, triples_chart

SVG = "{http://www.w3.org/2000/svg}"
ROOT = Path(__file__).parents[2]


def test_every_triple_has_a_cell_with_its_chance() -> None:
    chart = ElementTree.fromstring(triples_chart())
    cells = {
        group.findtext(f"{SVG}title"): group.findtext(f"{SVG}text")
        for group in chart.iter(f"{SVG}g")
    }
    expected = {
        f"{low}-{middle}-{high}: {rolls / 1296:.2%}": f"{rolls / 12.96:.0f}"
        for (low, middle, high), rolls in triple_rolls().items()
    }
    assert cells == expected


def test_safer_triples_are_bluer() -> None:
    chart = ElementTree.fromstring(triples_chart())
    fills = {
        group.findtext(f"{SVG}title", "").partition(":")[0]: rect.get("fill")
        for group in chart.iter(f"{SVG}g")
        for rect in group.iterfind(f"{SVG}rect")
    }

    def blueness(fill: Any) -> Any:
        return int(fill[5:7], 16) - int(fill[1:3], 16)

    assert blueness(fills["6-7-8"]) > blueness(fills["4-5-6"]) > blueness(fills["2-3-12"])


def test_the_documentation_shows_this_chart() -> None:
    assert (ROOT / "docs/img/triples.svg").read_text() == triples_chart()
