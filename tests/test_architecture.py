"""The page about the architecture says where things are, and what no module does: so it is."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/architecture.md").read_text("utf-8")
BASES = (ROOT / "src/cantstop", ROOT / "src/cantstop/web", ROOT)
PATH = re.compile(r"`([\w.-]+(?:/[\w.-]+)+/?)`")
"""Something in backticks with a slash in it."""


def test_every_path_on_the_page_exists() -> None:
    paths = sorted(set(PATH.findall(PAGE)))
    assert len(paths) > 60
    missing = [path for path in paths if not any((base / path).exists() for base in BASES)]
    assert missing == [], "neither in src/cantstop, nor in its web, nor at the root"


def test_it_is_a_map_and_not_an_index() -> None:
    page = PAGE.partition("## The map")[2].partition("\n## ")[0]
    streets, questions = re.findall(r"\n[-|]+\n((?:\|.*\n)+)", page)
    assert streets.count("\n") == 10
    assert questions.count("\n") <= 30


def test_the_way_of_a_roll_names_each_module_once() -> None:
    steps = re.findall(r"^\d+\. `([^`]+)`", PAGE, re.MULTILINE)
    assert len(steps) > 10
    assert len(set(steps)) == len(steps)


def test_what_is_kept_for_boards_and_positions_is_bounded() -> None:
    """They are without number, and a server is asked about any: ``@cache`` would keep them all."""
    unbounded = [
        f"{path.name}: {node.name}"
        for path in (ROOT / "src").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
        and "cache" in map(ast.unparse, node.decorator_list)
        and {"Board", "Rules", "Situation", "Position"}
        & {ast.unparse(argument.annotation) for argument in node.args.args if argument.annotation}
    ]
    assert unbounded == []
