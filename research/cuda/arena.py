"""The arena on a GPU: speed, and every game compared with the CPU's.

Usage: python -m research.cuda.arena expect FILE     the digests of the CPU's games (arena.json)
       python -m research.cuda.arena compare FILE    with a GPU; Numba need not be there

A digest covers a thousand games: for each of them everything that the arena counts.
"""

import json
import sys
import time
from hashlib import sha256
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

GAMES, DIGEST_GAMES = 1_000_000, 1_000
SPEED_GAMES = 200_000_000
SEED = 2026
MATCHES = (
    ("players=2", ("rule-of-28", "rule-of-28"), GAMES),
    ("players=2", ("glenn-linear", "careful"), 50_000),
    ("players=4,start=roll-off", ("rule-of-28", "random", "bold", "glenn-aloi-linear"), 24_000),
    ("players=3,win=4,early,sharing=leapfrog", ("rule-of-28", "random:7", "careful"), 24_000),
    ("players=2,sharing=no-rest", ("glenn-aloi-constant", "max-expected-progress"), 10_000),
    ("players=1,lengths=2.4.6.4.2,runners=2", ("max-expected-progress",), 5_000),
)


Anything = Any


def stand_in_for_numba() -> None:
    """Let the kernel be imported where Numba is missing: its functions stay plain Python."""

    def unchanged(*given: Anything, **_options: Anything) -> Anything:
        def keep(function: Anything) -> Anything:
            function.stats = SimpleNamespace(cache_path=str(Path.home()))
            function.compile = None
            return function

        return keep(given[0]) if given and callable(given[0]) else keep

    numba, llvmlite = ModuleType("numba"), ModuleType("llvmlite")
    extending, core = ModuleType("numba.extending"), ModuleType("numba.core")
    lock = ModuleType("numba.core.compiler_lock")
    anything = SimpleNamespace(int64=lambda *_: None, CPointer=lambda _: None)
    contents: list[tuple[ModuleType, dict[str, Anything]]] = [
        (numba, {"njit": unchanged, "cfunc": unchanged, "types": anything, "carray": None}),
        (numba, {"from_dtype": lambda _: None}),
        (core, {"event": SimpleNamespace(Listener=object)}),
        (lock, {"global_compiler_lock": None}),
        (extending, {"intrinsic": unchanged, "is_jitted": lambda _: False}),
        (llvmlite, {"ir": anything}),
    ]
    for module, names in contents:
        vars(module).update(names)
        module.__spec__ = ModuleSpec(module.__name__, None)
        sys.modules[module.__name__] = module


def digests(rows: Anything) -> list[str]:
    """Digests of a thousand games each, from the totals of every game; luck is not counted here."""
    from cantstop.kernel.layout import TOTALS

    assert TOTALS.fields is not None
    kept = rows[:, : TOTALS.fields["luck_blocks"][1] // 8]
    return [
        sha256(np.ascontiguousarray(kept[begin : begin + DIGEST_GAMES]).tobytes()).hexdigest()[:16]
        for begin in range(0, len(rows), DIGEST_GAMES)
    ]


def expect() -> list[list[str]]:
    """The digests of the games that the CPU plays."""
    from cantstop.arena.plan import seatings_of
    from cantstop.bots.compiled import compiled_bots
    from cantstop.kernel.layout import TOTALS
    from cantstop.kernel.play import play_games
    from cantstop.kernel.records import rules_records
    from cantstop.rules import Rules

    found = []
    for rules, names, games in MATCHES:
        bots, totals = compiled_bots(names), np.zeros(1, TOTALS)
        assert bots is not None
        records, seatings, rows = rules_records(Rules.parse(rules)), seatings_of(names), []
        one: list[str] = []
        for game in range(games):
            totals[:] = 0
            play_games(
                records, bots.records, seatings, np.uint64(SEED), game, game + 1, totals
            )  # fmt: skip
            rows.append(totals.view(np.int64).copy())
            if len(rows) == DIGEST_GAMES or game == games - 1:
                one += digests(np.array(rows))
                rows.clear()
        found.append(one)
        print(rules, names, games, flush=True)
    return found


def compare(expected: list[list[str]]) -> bool:
    """Play the same games on the GPU, and many more for the speed."""
    from cantstop.arena import Plan, compete
    from cantstop.arena.batch import Batch
    from cantstop.arena.cuda import CudaPool
    from cantstop.rules import Rules

    is_equal = True
    for (rules, names, games), due in zip(MATCHES, expected, strict=True):
        plan = Plan.of(names, games=games, rules=Rules.parse(rules), seed=SEED)
        begin = time.perf_counter()
        pool, found = CudaPool(plan), []
        ready = time.perf_counter()
        for first in range(0, games, DIGEST_GAMES * 20):
            last = min(games, first + DIGEST_GAMES * 20)
            found += digests(pool.play(Batch.of(plan, 0, first, last), 1).get())
        differ = [
            place for place, pair in enumerate(zip(found, due, strict=True)) if len({*pair}) > 1
        ]
        is_equal &= not differ
        print(
            f"{rules} {' '.join(names)}: {games:,} games, {len(differ)} of {len(due)} digests "
            f"differ {differ[:5]}; kernel ready in {ready - begin:.1f} s, "
            f"played in {time.perf_counter() - ready:.1f} s",
            flush=True,
        )
    for names in (("rule-of-28", "rule-of-28"), ("glenn-linear", "careful"), ("random", "bold")):
        plan = Plan.of(names, games=SPEED_GAMES, seed=SEED)
        pool = CudaPool(plan)
        begin = time.perf_counter()
        results = compete(plan, pool=pool)
        seconds = time.perf_counter() - begin
        print(
            f"{' '.join(names)}: {SPEED_GAMES:,} games in {seconds:.2f} s, "
            f"{SPEED_GAMES / seconds:,.0f} games/s, wins {results.wins}",
            flush=True,
        )
    return is_equal


if __name__ == "__main__":
    what, file = sys.argv[1], Path(sys.argv[2])
    try:
        import numba as _numba  # noqa: F401
    except ImportError:
        stand_in_for_numba()
    if what == "expect":
        file.write_text(json.dumps(expect()), "utf-8")
    else:
        sys.exit(not compare(json.loads(file.read_text("utf-8"))))
