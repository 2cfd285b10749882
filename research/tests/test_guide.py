"""The strategy guide: its figures are the tools', its page in docs is its text, its card a bot."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from cantstop.bots.heuristic import GLENN_LINEAR, RULE_OF_28, SIMPLE
from cantstop.engine import hint
from cantstop.language import LANGUAGES, Translator
from cantstop.language import guide as text
from cantstop.rules import Position
from research.guide.figures import CARD, HINTS, RULES, figures, read
from research.guide.page import boards, page
from research.simple_rule.card import candidates, rows_of_candidates
from research.simple_rule.forms import FORMS, strong_rival
from research.simple_rule.games import Cores, row_of
from research.simple_rule.search import Judge, search

DOCS = Path(__file__).parents[2] / "docs"


def sentences() -> Iterator[str]:
    """All that the guide says, with its fields."""
    blocks = [block for section in text.GUIDE for block in section.blocks]
    for block in [*blocks, *(part for _, part in text.CARD_BLOCKS)]:
        match block:
            case text.Text(words) | text.Board(_, words):
                yield words
            case text.Points(words):
                yield from words
            case text.Table(rows):
                yield from (cell for row in rows for cell in row)


def test_every_figure_is_the_tools_and_is_told() -> None:
    assert text.figures() == figures()  # or run python -m research.guide
    told = {name for words in sentences() for name in re.findall(r"\{(\w+)\}", words)}
    assert told == set(figures())


def test_the_page_in_docs_is_the_text_of_the_app() -> None:
    assert (DOCS / "strategy.md").read_text("utf-8") == page(read("simple_rule"))
    for name, picture in boards().items():
        assert (DOCS / "img" / name).read_text("utf-8") == picture


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_is_whole_in_every_language(language: str) -> None:
    found = json.loads(text.guide_json(Translator(language)))
    said = str(found)
    assert [section["name"] for section in found["sections"]] == [
        *("card", "stop", "columns", "openings", "race", "variants"),
    ]
    assert "{" not in re.sub(r"[{}]'|'?[{}]|\{'", "", said.replace("{'", "").replace("'}", ""))
    alone = text.figures()["alone_simple"]
    assert (alone if language == "en" else alone.replace(".", ",")) in said


def test_the_commands_beside_figures_are_there() -> None:
    for section in text.GUIDE:
        commands = [block for block in section.blocks if isinstance(block, text.Commands)]
        assert commands, section.name
        for command in commands[-1].commands:
            assert re.match(
                r"cantstop \w+|python -m research\.(two_players|simple_rule) \w+", command
            )


def test_the_win_chances_of_the_boards_are_the_engines() -> None:
    shown = [
        block.position
        for section in text.GUIDE
        for block in section.blocks
        if isinstance(block, text.Board)
    ]
    for position, (stop, roll) in zip(shown, HINTS.values(), strict=True):
        options = hint(Position.parse(position)).options
        found = {str(option.action): 100 * option.worth for option in options}
        assert found["stop"] == pytest.approx(stop, abs=0.05)
        assert found["roll"] == pytest.approx(roll, abs=0.05)


def test_all_rules_of_the_cards_form_are_played_and_the_bots_is_among_them() -> None:
    every = candidates()
    assert len(every) == len(set(every)) == RULES
    assert tuple(CARD) in every
    assert [list(found["rule"]) for found in read("simple_rule")["card"]].count(CARD) == 1
    ours, cards = row_of(SIMPLE), rows_of_candidates([tuple(CARD)])
    for name in ("value", "space", "entered", "added", "taken", "price", "enough", "tops_stop"):
        assert np.array_equal(ours[name], cards[name]), name


@pytest.fixture(scope="module")
def cores() -> Cores:
    return Cores()


def test_the_search_plays_the_games_of_the_arena(cores: Cores) -> None:
    """Other dice, so the figures agree as samples do: 20,000 games, four standard errors."""
    names = ("simple", "rule-of-28", "glenn-linear")
    rows = np.concatenate([row_of(bot) for bot in (SIMPLE, RULE_OF_28, GLENN_LINEAR)])
    measured = read("simple_rule")["measured"]
    alone = cores.play(rows, None, 20_000, 1)
    for place, name in enumerate(names):
        error = alone.deviation[place] / 20_000**0.5
        assert abs(alone.turns[place] - measured["alone"][name]["turns"]) < 4 * error, name
    wins = cores.play(row_of(SIMPLE), row_of(RULE_OF_28), 20_000, 1).wins[0]
    assert abs(100 * wins - measured["against"]["rule-of-28"]["wins"]) < 4 * 0.35


def test_a_search_finds_better_rules_and_the_same_ones_again(cores: Cores) -> None:
    judge, form = Judge(cores, (row_of(RULE_OF_28), strong_rival())), FORMS["twenty-eight"]
    one, two = (search(judge, form, 2, 20, 30, seed=5) for _ in range(2))
    assert np.array_equal(one, two)
    before, after = judge.score(form.rows(np.stack([form.start, one])), 4000, 77)
    assert after > before
