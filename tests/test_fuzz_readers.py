"""A share of ``make fuzz``: whatever is read, readers take it or refuse it, within bounds."""

import sys
import time
from pathlib import Path
from random import Random

import pytest

from fuzz import children
from fuzz.children import Figures, input_of, read_inputs
from fuzz.readers import READ, READERS, REFUSED, Reader
from fuzz_readers import WHOLE, fuzz, shares


def test_a_share_of_all_readers() -> None:
    found = fuzz(2026, shares(3000), children=1)
    assert {name: one.failures for name, one in found.items()} == {name: [] for name in found}
    assert sum(one.inputs for one in found.values()) >= 2990
    for name, one in found.items():
        assert one.answers[REFUSED], f"nothing of {name} is wrong"
    assert sum(bool(one.answers[READ]) for one in found.values()) > 8


def test_a_million_inputs_are_shared_between_readers_and_protocol() -> None:
    assert WHOLE == sum(shares(WHOLE).values()) == 800_000


def test_the_same_seed_gives_the_same_inputs_at_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    for reader in READERS:
        inputs = [input_of(reader, 1, number) for number in range(5)]
        with monkeypatch.context() as later:
            later.setattr(time, "time", lambda: 2_000_000_000.0)
            assert inputs == [input_of(reader, 1, number) for number in range(5)]
        assert inputs != [input_of(reader, 2, number) for number in range(5)]


def _make(chance: Random) -> bytes:
    return chance.randbytes(1)


def _raise(data: bytes, _: Path) -> None:
    raise KeyError(data)


class TestTheFuzzer:
    """What finds nothing would be worth nothing if it could not find anything."""

    @pytest.fixture
    def found(self, tmp_path: Path) -> Figures:
        reader = Reader("broken", 1, _make, _raise)
        return read_inputs(reader, 1, range(3), tmp_path, bytearray(8))

    def test_an_error_that_is_not_the_readers_own_is_found(self, found: Figures) -> None:
        assert [number for number, _ in found.failures] == [0, 1, 2]
        assert "KeyError" in found.failures[0][1]
        assert found.inputs == 3
        assert Figures.from_json(found.to_json()) == found

    def test_a_crash_and_a_hang_are_found_and_the_rest_is_read(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        script = tmp_path / "script.py"
        script.write_text(
            "import os, sys\n"
            f"sys.path[:0] = {[str(Path(children.__file__).parent.parent), *sys.path]!r}\n"
            "from fuzz import children\n"
            "from fuzz.readers import Reader\n"
            "def make(chance): return chance.randbytes(1)\n"
            "def read(data, folder):\n"
            "    number = int.from_bytes(children._step_of_test(), 'little')\n"
            "    if number == 3: os.abort()\n"
            "    if number == 5: bytearray(10**10)\n"
            "    if number == 7:\n"
            "        while True: pass\n"
            "children.MAX_SECONDS = 0.5\n"
            "children.READERS = (Reader('broken', 1, make, read),)\n"
            "import mmap\n"
            "place = sys.argv[sys.argv.index('--child') + 1]\n"
            "file = open(place, 'r+b')\n"
            "shared = mmap.mmap(file.fileno(), 8)\n"
            "children._step_of_test = lambda: shared[:8]\n"
            "children.child(1, place)\n"
        )
        monkeypatch.setattr(children, "_SCRIPT", str(script))
        found = Figures()
        for _, figures in children.fuzz_readers(1, {"broken": 10}, 1):
            found.add(figures)
        failures = dict(found.failures)
        assert failures.keys() == {3, 5, 7}
        assert "ended with -6" in failures[3]
        assert "MemoryError" in failures[5]
        assert "_TooSlow" in failures[7]
        assert found.inputs == 10
