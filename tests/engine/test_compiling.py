"""The first use after an installation: what a person is told while the engine is compiled."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from cantstop.cli import progress
from cantstop.engine import compiling, report_compiling
from cantstop.jit import compiled, watch_compiling
from cantstop.language import Translator


def test_a_function_that_is_compiled_is_told_with_those_that_it_calls() -> None:
    @compiled
    def inner(number: int) -> int:
        return number + 1

    @compiled
    def outer(number: int) -> int:
        return 2 * inner(number)

    told: list[str] = []
    with watch_compiling(told.append, lambda: told.append("done")):
        assert outer(3) == 8
        assert outer(4) == 10
    assert told == ["outer", "done"]


def test_nothing_is_told_where_nothing_is_compiled() -> None:
    told: list[float] = []
    with report_compiling(told.append, 2):
        pass
    assert told == []


def test_the_share_grows_by_what_entries_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "_LOOK_SECONDS", 0.001)
    heard = threading.Event()
    shares: list[float] = []
    hooks: list[Callable[..., None]] = []

    def tell(share: float) -> None:
        shares.append(share)
        heard.set()

    @contextmanager
    def watch(begin: Callable[[str], None], end: Callable[[], None]) -> Iterator[None]:
        hooks.extend((begin, end))
        yield

    monkeypatch.setattr(compiling, "watch_compiling", watch)
    with report_compiling(tell, 2):
        begin, end = hooks
        for name in ("fill_network_ends", "solve_turn_states"):
            heard.clear()
            begin(name)
            assert heard.wait(60)
            end()
    assert shares == sorted(shares)
    assert shares[0] < 0.6 < shares[-1] < 1  # 11.5 of 19 are done when the second one begins


def test_the_command_says_how_far_it_is_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @contextmanager
    def compiles(tell: Callable[[float], None], _players: int) -> Iterator[None]:
        tell(0.4)
        yield

    monkeypatch.setattr("cantstop.engine.report_compiling", compiles)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with progress.show_compiling(Translator(), 2):
        said = capsys.readouterr().err
    assert said == "\rThe engine is being compiled, once after each installation: 40% done…"
    assert capsys.readouterr().err.strip() == ""
