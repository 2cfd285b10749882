"""Results as a picture: who wins how often, and how long the games are."""

from xml.etree.ElementTree import Element, tostring

from cantstop.arena.results import MatchResult, Results, Standing
from cantstop.draw.svg.elements import element
from cantstop.language import Translator

_WIDTH = 760
_LEFT, _RIGHT = 250, 90
_ROW, _HEAD, _GAP = 30, 64, 34
_BARS_HIGH = 150
_FEWEST = 0.002
"""A number of turns that fewer games than this share had is not drawn."""

_STYLE = """
.arena{max-width:100%;height:auto;font-family:system-ui,sans-serif;font-size:13px}
.arena .paper{fill:#fffdf7}.arena text{fill:#222}.arena .title{font-size:19px;font-weight:700}
.arena .soft{fill:#777}.arena .bar{fill:#3182bd}.arena .whisker{stroke:#222;stroke-width:2}
.arena .axis{stroke:#bbb}.arena .even{stroke:#d94801;stroke-dasharray:4 4}
@media (prefers-color-scheme:dark){
.arena .paper{fill:#12151c}.arena text{fill:#eceae4}.arena .soft{fill:#999}
.arena .whisker{stroke:#eceae4}.arena .axis{stroke:#555}}
"""


def chart(words: Translator, results: Results) -> str:
    """The results as a standalone SVG, a panel for each match."""
    panels: list[Element] = []
    top = _HEAD
    for match in results.matches:
        if not match.games:
            continue
        if results.plan.rules.players > 1:
            panels += _shares(words, match, top)
            top += _ROW * len(match.names) + _GAP
        panels += _turns(words, match, top)
        top += _BARS_HIGH + 2 * _GAP
    picture = element(
        "svg",
        element("title", words.say("Can't Stop bots in the arena")),
        element("style", _STYLE),
        element("rect", class_="paper", width=_WIDTH, height=top),
        element("text", " · ".join(results.plan.bots), class_="title", x=24, y=32),
        element("text", str(results.plan.rules), class_="soft", x=24, y=52),
        *panels,
        xmlns="http://www.w3.org/2000/svg",
        class_="arena",
        role="img",
        viewBox=f"0 0 {_WIDTH} {top}",
        width=_WIDTH,
        height=top,
    )
    return tostring(picture, encoding="unicode") + "\n"


def _shares(words: Translator, match: MatchResult, top: int) -> list[Element]:
    """A bar for each bot: its share of the wins, with the interval that holds it."""
    even = _across(1 / len(match.names))
    bottom = top + _ROW * len(match.names)
    found = [element("line", class_="even", x1=even, x2=even, y1=top - 4, y2=bottom)]
    for row, standing in enumerate(match.standings):
        found += _share(words, standing, top + row * _ROW)
    return found


def _share(words: Translator, standing: Standing, top: float) -> list[Element]:
    middle = top + _ROW / 2 - 2
    low, high = map(_across, standing.interval)
    share = f"{standing.share * 100:.1f}%"
    bar = element(
        "rect",
        element("title", words.say("{name} wins {share}", name=standing.name, share=share)),
        class_="bar",
        x=_LEFT,
        y=top,
        width=_across(standing.share) - _LEFT,
        height=_ROW - 8,
    )
    return [
        element("text", standing.name, x=_LEFT - 10, y=middle + 3, text_anchor="end"),
        bar,
        element("line", class_="whisker", x1=low, x2=high, y1=middle, y2=middle),
        element("text", share, x=_WIDTH - _RIGHT + 10, y=middle + 3),
    ]


def _across(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _turns(words: Translator, match: MatchResult, top: int) -> list[Element]:
    """The number of games for each number of turns."""
    counts = {
        turns: count
        for turns, count in enumerate(match.turn_counts)
        if count >= _FEWEST * match.games
    }
    first, last, most = min(counts), max(counts), max(counts.values())
    bottom, wide = top + _BARS_HIGH, (_WIDTH - 48) / (last - first + 1)
    mean = f"{match.turns_per_game.mean:.2f}"
    found = [
        element("text", words.say("Turns a game (mean {mean})", mean=mean), x=24, y=top - 4),
        element("line", class_="axis", x1=24, x2=_WIDTH - 24, y1=bottom, y2=bottom),
    ]
    every = max(1, (last - first) // 12)
    for turns, count in counts.items():
        left, high = 24 + (turns - first) * wide, count / most * (_BARS_HIGH - 12)
        label = f"{turns}: {count / match.games * 100:.1f}%"
        found.append(
            element(
                "rect",
                element("title", label),
                class_="bar",
                x=left + wide * 0.1,
                y=bottom - high,
                width=wide * 0.8,
                height=high,
            )
        )
        if (turns - first) % every == 0:
            found.append(
                element(
                    "text",
                    str(turns),
                    class_="soft",
                    x=left + wide / 2,
                    y=bottom + 16,
                    text_anchor="middle",
                )
            )
    return found
