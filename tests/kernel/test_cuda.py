"""The kernel's functions as C++, compiled for the CPU: the same games as Numba's, game by game."""

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cantstop.arena.plan import seatings_of
from cantstop.bots.compiled import compiled_bots
from cantstop.kernel.cuda import MATCH, source
from cantstop.kernel.layout import TOTALS
from cantstop.kernel.play import play_games
from cantstop.kernel.records import rules_records
from cantstop.rules import Rules

SEED = 2**63 + 11
FIRST = 7 * 10**9
"""Game numbers of more than 32 bits."""

MATCHES = [
    ("players=2", ("rule-of-28", "glenn-linear"), 300),
    ("players=2", ("rule-of-28", "rule-of-28"), 300),
    ("players=1", ("glenn-aloi-constant",), 200),
    ("players=3,win=5,early", ("random", "careful", "rule-of-28"), 120),
    ("players=4,sharing=leapfrog,start=roll-off", ("glenn-linear", "random:3", "bold", "bold"), 96),
    ("players=2,sharing=no-rest", ("max-expected-progress", "glenn-aloi-linear"), 60),
    ("players=2,lengths=1.3.2.9.4,runners=2", ("random", "max-expected-progress"), 60),
    ("players=2,lengths=1.1.1.2.2.2.2.2.2.2.2.2.1.1.1,runners=4", ("bold", "random:1"), 60),
]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., None]:
    """The generated source as a function of this process."""
    compiler = shutil.which("g++") or shutil.which("clang++") or "c++"
    folder: Path = tmp_path_factory.mktemp("kernel")
    (folder / "games.cpp").write_text(source())
    command = [compiler, "-std=c++17", "-O1", "-shared", "-fPIC", "-Wall", "-Wno-unused-variable"]
    subprocess.run(
        [*command, "-Wno-parentheses", "-Werror", "-o", "games.so", "games.cpp"],
        check=True,
        cwd=folder,
    )
    function = ctypes.CDLL(str(folder / "games.so")).play_games
    function.argtypes, function.restype = [ctypes.c_void_p, ctypes.c_longlong], None

    def play(match: NDArray[Any], threads: int) -> None:
        function(match.ctypes.data, threads)

    return play


def translated(
    play: Callable[..., None], rules: str, names: tuple[str, ...], games: int, games_a_thread: int
) -> NDArray[Any]:
    """The totals of each thread."""
    bots, records = compiled_bots(names), rules_records(Rules.parse(rules))
    assert bots is not None
    seatings = seatings_of(names)
    threads = -(-games // games_a_thread)
    totals = np.zeros(threads, TOTALS)
    arrays = {
        "rules": records.rules,
        "rolls": records.rolls,
        "bots": bots.records,
        "seatings": seatings.bots,
        "dice": seatings.dice,
        "totals": totals,
    }
    match = np.zeros(1, MATCH)
    for name, array in arrays.items():
        match[name] = array.ctypes.data
    match["dice_a_block"], match["size"] = seatings.dice_a_block, len(seatings.bots)
    match["first_game"], match["last_game"] = FIRST, FIRST + games
    match["games_a_thread"], match["seed"] = games_a_thread, SEED
    play(match, threads + 3)  # a launch has threads to spare
    return totals


def by_numba(rules: str, names: tuple[str, ...], first: int, last: int) -> NDArray[Any]:
    bots, totals = compiled_bots(names), np.zeros(1, TOTALS)
    assert bots is not None
    records = rules_records(Rules.parse(rules))
    play_games(records, bots.records, seatings_of(names), np.uint64(SEED), first, last, totals)
    return totals


@pytest.mark.parametrize(("rules", "names", "games"), MATCHES)
def test_every_game_is_the_one_that_numba_plays(
    compiled: Callable[..., None], rules: str, names: tuple[str, ...], games: int
) -> None:
    for number, found in enumerate(translated(compiled, rules, names, games, 1)):
        due = by_numba(rules, names, FIRST + number, FIRST + number + 1)
        assert found.tobytes() == due.tobytes(), number


def test_the_threads_totals_add_up_to_those_of_the_match(compiled: Callable[..., None]) -> None:
    names = ("rule-of-28", "careful", "random")
    shares = translated(compiled, "players=3", names, 500, 60)
    added = shares.view(np.int64).reshape(len(shares), -1).sum(axis=0)
    due = by_numba("players=3", names, FIRST, FIRST + 500).view(np.int64)
    blocks = [TOTALS.fields[name][1] // 8 for name in ("blocks", "turn_counts")]  # type: ignore[index]
    # a share that ends inside a block leaves that block out of the error bars
    assert np.array_equal(np.delete(added, slice(*blocks)), np.delete(due, slice(*blocks)))
