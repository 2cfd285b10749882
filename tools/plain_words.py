"""Checks docstrings and comments for words of a private register; a part of ``make lint-style``.

Usage: python tools/plain_words.py [PATH ...]

A docstring says what a caller gets, in the words that a caller would search for. The phrases below
stood in hundreds of docstrings that had to be read twice. Other strings are not looked at: on a
screen the same words may be right.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
CHECKED = ("src", "research", "tests", "tools")
"""Python and JavaScript sources below these are checked."""

WORDS = {
    r"so many": "name the number: N, count, the given number of",
    r"told": "say who is given what: shown, announced, sent, passed, stated",
    r"somebody": "a player, a user, a caller, anybody",
    r"so much (?!as|(more|less|sooner|later|larger|smaller|than)\b)": "name the amount",
    r"(what|who|that|which) (is|are) no(ne)?(?! (longer|more|larger|other))": (
        "is not a …; say what is raised or returned: raises X unless …"
    ),
    r"tells? of": "says, reports, describes",
    r"anew": "again, from scratch",
}
"""A phrase, and what to write instead."""

_SCRIPT_PROSE = re.compile(r"/\*.*?\*/|^\s*//[^\n]*", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"``[^`]*``|`[^`]*`")
_PATTERNS = {re.compile(rf"\b{phrase}\b", re.IGNORECASE): why for phrase, why in WORDS.items()}


def script_prose(source: str) -> Iterator[tuple[int, str]]:
    """The comments of a JavaScript source, each line with its number."""
    for found in _SCRIPT_PROSE.finditer(source):
        first = source.count("\n", 0, found.start()) + 1
        yield from enumerate(found[0].splitlines(), first)


def prose(source: str) -> Iterator[tuple[int, str]]:
    """The docstrings and comments of a Python source, each line with its number."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(ast.Constant(str(text))):
                for number, line in enumerate(text.splitlines()):
                    yield node.lineno + number, line
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def problems(source: str, *, is_script: bool = False) -> list[tuple[int, str]]:
    """What a source says in words of the list, with the lines and what to write instead."""
    return sorted(
        (number, f"“{found[0]}”: {why}")
        for number, line in (script_prose if is_script else prose)(source)
        for pattern, why in _PATTERNS.items()
        if (found := pattern.search(_CODE.sub("", line)))
    )


def files(paths: Iterable[Path]) -> Iterator[Path]:
    """The sources among some paths, and below them."""
    for path in paths:
        found = [*path.rglob("*.py"), *path.rglob("*.js")] if path.is_dir() else [path]
        yield from sorted(found)


def main(arguments: list[str]) -> int:
    """Print every place; the exit code is 1 if there is one."""
    paths = [Path(one) for one in arguments] or [ROOT / folder for folder in CHECKED]
    found = [
        f"{path}:{number}: {problem}"
        for path in files(paths)
        for number, problem in problems(path.read_text("utf-8"), is_script=path.suffix == ".js")
    ]
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
