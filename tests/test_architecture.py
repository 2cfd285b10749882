"""The page about the architecture says where things are, and what no module does: so it is."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/architecture.md").read_text("utf-8")
BASES = (ROOT / "src/cantstop", ROOT / "src/cantstop/web", ROOT)
PATH = re.compile(r"`([\w.-]+(?:/[\w.-]+)+/?|[\w.-]+/|[\w-]+\.(?:py|js|css|md|toml|po))`")
"""Something in backticks with a slash in it, or with the ending of a source file."""
QUESTIONS = re.compile(
    r"^\|[^|]+\| *(?:open|path|where) *\|\n\|[ -|]+\|\n((?:\|.*\n?)+)", re.MULTILINE
)
"""A table of two columns, of which the second one says where to look."""


def rows() -> list[str]:
    """What newcomers ask, each with the answer."""
    return [row for table in QUESTIONS.findall(PAGE) for row in table.splitlines()]


def exists(path: str) -> bool:
    return any((base / path).exists() for base in BASES)


def test_there_are_questions() -> None:
    assert len(rows()) >= 25


def test_the_way_of_a_roll_names_each_module_once() -> None:
    steps = re.findall(r"^\d+\. `([^`]+)`", PAGE, re.MULTILINE)
    assert len(steps) > 10
    assert len(set(steps)) == len(steps)
    assert all((ROOT / "src/cantstop" / step).is_file() for step in steps)


@pytest.mark.parametrize("path", sorted({path for path in PATH.findall(PAGE) if "/" in path}))
def test_every_path_on_the_page_exists(path: str) -> None:
    assert exists(path), f"{path} is neither in src/cantstop, nor in its web, nor at the root"


@pytest.mark.parametrize("row", rows())
def test_every_question_is_answered_by_paths_that_exist(row: str) -> None:
    answer = row.strip("|").rpartition("|")[2]
    found = PATH.findall(answer)
    assert found, f"no path in {answer}"
    assert all(map(exists, found)), answer


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
