"""What all tests share: repeatable Hypothesis, the command, and the table of rules and tests."""

import re
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")

# A suite that was started in the background is deaf to Ctrl-C and hanging up, and so would be all
# programs that it starts, also those that are to show that they hear them.
signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.platform != "win32":
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

collect_ignore = ["strangers"]  # programs: tests/test_strangers.py runs them

_IDS = re.compile(r"test_((?:[MTWVE]\d+_)+)(\w+)")
_ORDER = "MTWVE"


COMPILED = {"arena", "engine", "kernel", "rl", "solver"}
"""The packages whose tests let Numba compile."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what Numba compiles: then one of several workers does it, not each of them."""
    items.sort(key=lambda item: item.path.parent.name not in COMPILED)


@pytest.fixture
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """No language is asked for by the environment."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], english: None) -> Callable[..., tuple[int, str, str]]:  # noqa: ARG001
    """Runs the command in English; its exit code, and what it said."""
    from cantstop.cli import main  # most tests need none of it

    def run(*arguments: str) -> tuple[Any, Any, Any]:
        with pytest.raises(SystemExit) as exit_:
            main(list(arguments))
        captured = capsys.readouterr()
        return exit_.value.code or 0, captured.out, captured.err

    return run


@pytest.fixture
def fails(run: Callable[..., tuple[int, str, str]]) -> Callable[..., str]:
    """Runs a command that cannot be done, or whose answer is no: it says so in one line."""

    def fails(*arguments: str, code: int = 2) -> Any:
        found, out, err = run(*arguments)
        assert (found, out) == (code, "")
        assert err.startswith("cantstop: ")
        assert err.count("\n") == 1, f"one line, not {err!r}"
        return err

    return fails


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print which tests prove which rule; the reports come from all workers."""
    proofs: dict[str, Counter[str]] = defaultdict(Counter)
    sentences: dict[str, dict[str, None]] = defaultdict(dict)
    for outcome in ("passed", "failed", "error", "skipped", "xfailed"):
        for report in terminalreporter.getreports(outcome):
            found = _IDS.search(report.nodeid.rpartition("::")[2])
            if found is None:
                continue
            for rule in found[1].rstrip("_").split("_"):
                proofs[rule][outcome] += 1
                sentences[rule][found[2].replace("_", " ")] = None
    if not proofs:
        return
    terminalreporter.write_sep("=", "rules and the tests that prove them")
    for rule in sorted(proofs, key=lambda rule: (_ORDER.index(rule[0]), int(rule[1:]))):
        counts = ", ".join(f"{count} {outcome}" for outcome, count in proofs[rule].items())
        healthy = set(proofs[rule]) == {"passed"}
        terminalreporter.write(f"{rule:4}")
        terminalreporter.write(f"{counts:12}", green=healthy, red=not healthy)
        terminalreporter.line(" " + "; ".join(sentences[rule]))
