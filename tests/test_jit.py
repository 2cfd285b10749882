"""Compiled code on disk is used only as long as every source that it is built on is the same."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from cantstop import jit
from cantstop.kernel.play import play_games
from fresh_numba import import_in_new_process

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


def run(folder: Path, cache: Path | None = None, said: str = "") -> tuple[int, ...]:
    """What the entry gives, and how often the cache was hit, in a process of its own."""
    done = import_in_new_process("cantstop.entries", folder, cache)
    assert said in done.err
    assert bool(said) == bool(done.err)
    return tuple(map(int, done.out.split()))


def test_an_entry_is_compiled_again_when_another_module_that_it_is_built_on_changes(
    package: Path,
) -> None:
    assert run(package) == (4, 0)
    assert run(package) == (4, 1)
    (package / "cantstop/numbers.py").write_text("FACTOR = 3\n", "utf-8")
    assert run(package) == (6, 0)
    assert run(package) == (6, 1)


def test_processes_that_need_the_same_entry_compile_it_once(package: Path) -> None:
    with ThreadPoolExecutor() as threads:
        found = list(threads.map(run, [package] * 3))
    assert sorted(found) == [(4, 0), (4, 1), (4, 1)]


def test_the_digest_covers_whatever_a_module_imports() -> None:
    assert set(jit._imports("cantstop.kernel.stream")) >= {"cantstop.jit", "cantstop.kernel.layout"}
    assert jit.source_digest("cantstop.kernel.play") != jit.source_digest("cantstop.kernel.stream")


def test_numba_looks_at_the_digest() -> None:
    # it compares what the closure holds: ``jit.entry`` tells why
    compiled: Any = play_games
    cells = [cell.cell_contents for cell in compiled.py_func.__closure__]
    assert cells == [jit.source_digest("cantstop.kernel.play")]


NOT_KEPT = "Compiled code is not kept"


@pytest.mark.skipif(sys.platform == "win32", reason="other systems have owners and modes")
class TestWhereCompiledCodeIsKept:
    """Compiled code that is read is run: nobody else may have put it there."""

    @pytest.fixture
    def cache(self, tmp_path: Path) -> Path:
        cache = tmp_path / "cache"
        cache.mkdir()
        return cache

    def test_a_new_folder_is_for_its_owner_alone(self, package: Path, cache: Path) -> None:
        assert [run(package, cache), run(package, cache)] == [(4, 0), (4, 1)]
        (kept,) = cache.iterdir()
        assert not kept.stat().st_mode & 0o077

    def test_a_folder_that_everybody_can_write_to_is_not_used(
        self, package: Path, cache: Path
    ) -> None:
        assert run(package, cache) == (4, 0)
        (kept,) = cache.iterdir()
        kept.chmod(0o777)
        assert run(package, cache, NOT_KEPT) == (4, 0)
        kept.chmod(0o1777)  # in a sticky folder others can still add
        assert run(package, cache, NOT_KEPT) == (4, 0)

    def test_a_folder_in_one_that_others_can_change_is_not_used(
        self, package: Path, tmp_path: Path
    ) -> None:
        cache = tmp_path / "shared" / "cache"
        cache.mkdir(parents=True)
        cache.parent.chmod(0o777)
        assert run(package, cache, NOT_KEPT) == (4, 0)
        cache.parent.chmod(0o1777)  # as /tmp is: what is there cannot be replaced
        assert [run(package, cache), run(package, cache)] == [(4, 0), (4, 1)]

    def test_what_another_user_has_prepared_is_not_used(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert jit.is_private.__wrapped__(tmp_path)
        owner = tmp_path.stat().st_uid
        monkeypatch.setattr("os.getuid", lambda: owner + 1)
        if owner:  # what is root's is trusted
            assert not jit.is_private.__wrapped__(tmp_path)
        else:
            os.chown(tmp_path, owner + 2, -1)
            assert not jit.is_private.__wrapped__(tmp_path)

    def test_code_is_compiled_where_no_folder_can_be_used(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def njit(cache: bool = False, **_: Any) -> Any:
            if cache:
                raise RuntimeError("no locator available")
            return lambda function: function

        monkeypatch.setattr(jit, "njit", njit)
        jit._warn_once.cache_clear()
        assert jit.entry(_double)(4) == 8
        assert jit.entry(_double)(5) == 10
        assert len(caplog.records) == 1
        assert NOT_KEPT in caplog.text


def _double(number: int) -> int:
    return 2 * number
