"""What docs/compatibility.md promises of version 1 is true of this one."""

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cantstop
from cantstop import Position

PAGE = (Path(__file__).parents[1] / "docs" / "compatibility.md").read_text("utf-8")
GAME = Path(__file__).parent / "golden" / "classic-two.cantstop"
BLOCKS = [block.strip() for block in re.findall(r"^```\n(.*?)^```$", PAGE, re.M | re.S)]
ROWS = re.findall(r"^\| `cantstop (.*?)` \| (.*) \|$", PAGE, re.M)
TEXTS, NAMES = (block.splitlines() for block in BLOCKS)


def found(value: Any, path: str) -> list[Any]:
    """Everything in a place of a JSON value: ``options[].move``."""
    values = [value]
    for step in re.findall(r"\[\]|[a-z_]+", path):
        if step == "[]":
            values = [item for one in values for item in one]
        else:
            values = [one[step] for one in values]
    return values


@pytest.mark.parametrize(("command", "keys"), ROWS, ids=[row[0].split()[0] for row in ROWS])
def test_the_command_prints_the_promised_keys(
    command: str, keys: str, run: Callable[..., tuple[int, str, str]]
) -> None:
    arguments = [str(GAME) if word == "game.cantstop" else word for word in shlex.split(command)]
    code, out, _ = run(*arguments)
    assert code == 0
    paths = re.findall(r"`([^`]+)`", keys)
    assert paths
    for path in paths:
        assert found(json.loads(out), path), path


@pytest.mark.parametrize("text", TEXTS)
def test_the_text_of_a_position_is_read_and_written_alike(text: str) -> None:
    assert str(Position.parse(text)) == text


def test_the_promised_names_are_there() -> None:
    names = " ".join(NAMES).split()
    assert len(names) > 50
    assert set(names) <= set(cantstop.__all__)
    assert all(hasattr(cantstop, name) for name in names)
