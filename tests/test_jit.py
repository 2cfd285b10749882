"""Compiled code on disk is used only as long as every source that it is built on is the same."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cantstop import jit
from cantstop.kernel.play import play_games

MODULES = {
    "cantstop/__init__.py": "",
    "cantstop/entries.py": """
from cantstop.jit import entry
from cantstop.parts import (
    double,
)

@entry
def quadruple(number):
    return 2 * double(number)

print(quadruple(1), sum(quadruple.stats.cache_hits.values()))
""",
    "cantstop/parts.py": """
from cantstop import numbers
from cantstop.jit import inlined

@inlined
def double(number):
    return numbers.FACTOR * number
""",
    "cantstop/numbers.py": "FACTOR = 2\n",
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of the same name, with an entry that is built on two other modules."""
    for name, text in MODULES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    (tmp_path / "cantstop/jit.py").write_bytes(Path(jit.__file__).read_bytes())
    return tmp_path


def run(folder: Path) -> Any:
    """What the entry gives, and how often the cache was hit, in a process of its own."""
    code = f"import sys; sys.path.insert(0, {str(folder)!r}); import cantstop.entries"
    command = [sys.executable, "-B", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return tuple(map(int, done.stdout.split()))


def test_an_entry_is_compiled_again_when_another_module_that_it_is_built_on_changes(
    package: Path,
) -> None:
    assert run(package) == (4, 0)
    assert run(package) == (4, 1)
    (package / "cantstop/numbers.py").write_text("FACTOR = 3\n", "utf-8")
    assert run(package) == (6, 0)
    assert run(package) == (6, 1)


def test_the_digest_covers_whatever_a_module_imports() -> None:
    assert set(jit._imports("cantstop.kernel.stream")) >= {"cantstop.jit", "cantstop.kernel.layout"}
    assert jit.source_digest("cantstop.kernel.play") != jit.source_digest("cantstop.kernel.stream")


def test_numba_looks_at_the_digest() -> None:
    # it compares what the closure holds: ``jit.entry`` tells why
    compiled: Any = play_games
    cells = [cell.cell_contents for cell in compiled.py_func.__closure__]
    assert cells == [jit.source_digest("cantstop.kernel.play")]
