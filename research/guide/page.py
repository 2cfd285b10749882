"""docs/strategy.md: the guide's English text, with boards as pictures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from cantstop.draw import board_svg
from cantstop.language import Translator
from cantstop.language.guide import GUIDE, Board, guide_json
from cantstop.rules import Position

NOTE = "<!-- written by python -m research.guide from src/cantstop/language/guide.py -->"


def boards() -> dict[str, str]:
    """The pictures by the names of their files."""
    blocks = (block for section in GUIDE for block in section.blocks)
    found = [block.position for block in blocks if isinstance(block, Board)]
    return {
        f"guide-{number}.svg": board_svg(Position.parse(position), names=["You", "They"]) + "\n"
        for number, position in enumerate(found, start=1)
    }


def page(results: dict[str, Any]) -> str:
    """The whole page; ``results`` are the figures of the rule, for the table at its end."""
    guide = json.loads(guide_json(Translator()))
    pictures = iter(boards())
    parts = [NOTE, f"# {guide['title']}", guide["lead"]]
    for section in guide["sections"]:
        parts.append(f"## {section['title']}")
        for block in section["blocks"]:
            parts += card(guide["card"]) if block["kind"] == "card" else written(block, pictures)
    parts += all_figures(results)
    return "\n\n".join(parts) + "\n"


def card(given: dict[str, Any]) -> list[str]:
    """The card, as a box."""
    lines: list[str] = []
    for part in given["parts"]:
        lines += [f"**{part['title']}**", "", *"\n\n".join(written(part, iter(()))).split("\n"), ""]
    inside = "\n".join(f"    {line}".rstrip() for line in lines).rstrip()
    return [
        f'!!! abstract "{given["title"]}"\n\n{inside}',
        "`cantstop` prints it on one page at `/guide/card`, in five languages; the bot `simple` "
        "plays by it.",
        '![The card on a phone](screenshots/card-phone-light.webp){ width="300" }',
    ]


def written(block: dict[str, Any], pictures: Iterator[str]) -> list[str]:
    """A block in Markdown."""
    match block["kind"]:
        case "text":
            return [block["text"]]
        case "points":
            return ["\n".join(f"- {item}" for item in block["items"])]
        case "steps":
            return ["\n".join(f"{at}. {item}" for at, item in enumerate(block["items"], 1))]
        case "board":
            return [
                f'![{block["caption"]}](img/{next(pictures)}){{ width="420" }}',
                block["caption"],
            ]
        case "table":
            head, *rows = block["rows"]
            lines = [head, ["---"] * len(head), *rows]
            return ["\n".join(f"| {' | '.join(line)} |" for line in lines)]
        case _:
            return ["```\n" + "\n".join(block["items"]) + "\n```"]


def all_figures(results: dict[str, Any]) -> list[str]:
    """What only docs have: every match of the rule, and how it was found."""
    measured = results["measured"]
    alone = [
        f"| `{name}` | {found['turns']:.3f} ± {found['interval']:.3f} | {found['games']:,} |"
        for name, found in measured["alone"].items()
    ]
    against = [
        f"| `{name}` | {found['wins']:.2f} ± {found['interval']:.2f} % | {found['games']:,} |"
        for name, found in measured["against"].items()
    ]
    forms = [
        f"| {title} | {results[name]['rule-of-28'][0]:.1f} % "
        f"| {results[name]['glenn-linear'][0]:.1f} % | {results[name]['alone'][0]:.2f} |"
        for name, title in FORMS.items()
    ]
    return [
        "## All figures of the rule",
        "The bot `simple` plays by the card. Intervals are 95 %; every match plays both seatings "
        "with the same dice.",
        "\n".join(["| bot | turns alone | games |", "|---|---|---|", *alone]),
        "\n".join(["| against | `simple` wins | games |", "|---|---|---|", *against]),
        "```\npython -m research.simple_rule measure\n```",
        SEARCH,
        "\n".join(
            [
                "| best rule of the form | beats `rule-of-28` | `glenn-linear` | turns alone |",
                "|---|---|---|---|",
                *forms,
            ]
        ),
        "```\npython -m research.simple_rule card\n"
        "python -m research.simple_rule search --form counting\n```",
    ]


FORMS = {
    "twenty-eight": "the Rule of 28's own form, 20 better numbers",
    "counting": "the card's moves, and spaces counted: 3 outside, 1 inside, stop at 10",
    "long": "35 numbers, for nobody's head",
}

SEARCH = """\
## How it was found

A rule of the card's form has points for steps in 2, 6, 8 and 12, in 4 and 10 and in 7 (0 to 3
each), a price for a new runner (0 to 4), points for the upper half (0 to 6), tops first or not, one
of 15 ways to tell bad columns from good ones, and the race or not: 134,400 rules. All of them play
4,096 games against `glenn-linear`, as many against a strong rule of 35 numbers, as many alone;
the best 4,000 play sixteen times as many, the best 300 again. What counts is the share of wins,
less 0.01 for every turn alone. The best rule has 4 points for the upper half; the card has 3, which
loses less than a tenth of a point and leaves one number less to learn. Of equal moves the bot takes
the one from the most balanced split.

It takes a minute on an H200, where 290 million games a second are played; without a GPU the same
program runs on the cores (`--games 64` for a look). Other forms are searched by changing a few
numbers at a time:"""
