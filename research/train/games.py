"""The compiled library from Python: evaluators, solved turns, games; on the GPU or on the CPU."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from cantstop.engine.evaluators.value.network import SEAT, Weights, with_mirror
from cantstop.engine.evaluators.value.packed import DEEP, Family
from cantstop.rules import Sharing

HERE = Path(__file__).parent
CPU_LIBRARY = "games_cpu.so"
PROCESSORS = 132
ROWS = 88
"""Rows of differences and bases that a block keeps; turn.h has the same."""


_VECTORS = ("pairs", "needs", "early")
_NETWORK = (*_VECTORS, "hidden", "hidden_bias", "out", "out_bias")
_RACE = ("vectors", "hidden", "hidden_bias", "out", "later", "duels")


class _Network(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in _NETWORK),
        ("units", ctypes.c_int),
        ("squares", ctypes.c_int),
    ]


class _Race(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in _RACE),
        ("out_bias", ctypes.c_float),
        ("rows", ctypes.c_int),
        ("turns", ctypes.c_int),
    ]


class _Evaluator(ctypes.Structure):
    _fields_ = [("network", _Network), ("race", _Race), ("kind", ctypes.c_int)]


_POINTERS = (
    "starts",
    "rivals",
    "anchors",
    "solved",
    "after",
    "explored",
    "length",
    "result",
    "scratch",
    "counter",
)
_NUMBERS = (
    "start_count",
    "rival_count",
    "repeats",
    "games",
    "turns",
    "samples",
    "sharing",
    "solve_only",
    "people",
)


class _Games(ctypes.Structure):
    _fields_ = [
        ("evaluator", _Evaluator * 2),
        *((name, ctypes.c_void_p) for name in _POINTERS),
        ("seed", ctypes.c_ulonglong),
        *((name, ctypes.c_int) for name in _NUMBERS),
        ("explore", ctypes.c_float),
    ]


class Evaluator:
    """A network or the race model, ready for the library; keeps its arrays alive."""

    def __init__(
        self, record: _Evaluator, kept: list[Tensor], memory: int, players: int | None
    ) -> None:
        self.record, self.kept, self.memory, self.players = record, kept, memory, players


@dataclass
class Played:
    """What games were like; seats of ``solved`` and ``after`` are counted from the one who moves.

    ``result`` counts them from the one who started, and is negative where a game was cut.
    """

    players: int
    anchors: Tensor
    solved: Tensor
    after: Tensor
    explored: Tensor
    length: Tensor
    result: Tensor

    @property
    def live(self) -> Tensor:
        """Which turns were played, games by turns."""
        turns = self.solved.shape[1]
        return torch.arange(turns, device=self.length.device)[None] < self.length[:, None]

    def from_starter(self, shares: Tensor) -> Tensor:
        """Shares by seats counted from the one who started, not from the one who moves."""
        turns = shares.shape[1]
        seat = torch.arange(self.players, device=shares.device)
        turn = torch.arange(turns, device=shares.device)
        place = (seat[None] - turn[:, None]) % self.players
        return shares.gather(2, place[None].expand(len(shares), -1, -1))

    def estimate(self) -> Tensor:
        """Every seat's result less the luck of the game: unbiased whatever the judge believes.

        The value before the first turn, plus for every later one what solving it added to what the
        judge had said. Games that were cut count with what was known last.
        """
        solved, after = self.from_starter(self.solved), self.from_starter(self.after)
        live = self.live
        gains = (solved[:, 1:] - after[:, :-1]) * live[:, 1:, None]
        return solved[:, 0] + gains.sum(1)


class Library:
    """The compiled code for one board."""

    def __init__(self, path: Path | None = None, sides: int = 6) -> None:
        self.path = path or Path(os.environ.get("GAMES_LIBRARY", HERE / "build" / "games.so"))
        self.code = ctypes.CDLL(str(self.path))
        self.on_cpu = self.path.name == CPU_LIBRARY
        self.device = torch.device("cpu" if self.on_cpu else "cuda")
        sizes = (ctypes.c_int * 10)()
        self.code.tell_sizes(sizes)
        assert sizes[0] == ctypes.sizeof(_Games), "games.py and play.h differ"
        assert sizes[1] == ctypes.sizeof(_Evaluator), "games.py and evaluate.h differ"
        self.turn_bytes, self.warp_bytes, self.race_bytes, self.half = sizes[2:6]
        self.scratch_floats = dict(zip((2, 3, 4), sizes[6:9], strict=True))
        self.lanes = sizes[9]
        self.scratch = torch.empty(0, device=self.device)
        self.counter = torch.zeros(1, dtype=torch.int32, device=self.device)
        if self.code.set_board(sides):
            raise RuntimeError("The board does not fit the tables.")

    def tensor(self, array: NDArray[np.generic], kind: torch.dtype = torch.float32) -> Tensor:
        """An array on the library's device."""
        return torch.as_tensor(np.ascontiguousarray(array)).to(self.device, kind).contiguous()

    def network(self, weights: Weights, *, squares: bool = True) -> Evaluator:
        """A network as an evaluator; those before these did not take ``squares`` of their sums."""
        wide = {name: torch.as_tensor(array) for name, array in with_mirror(weights).items()}
        layers = {name: torch.as_tensor(getattr(weights, name)) for name in _NETWORK[3:]}
        return self.network_of(wide | layers, squares=squares)

    def network_of(self, kept: dict[str, Tensor], *, squares: bool = True) -> Evaluator:
        """A network of vectors with their mirror images beside them, and of layers."""
        half = torch.float32 if self.half == 4 else torch.float16
        tensors = [
            kept[name]
            .detach()
            .to(self.device, half if name == "hidden" else torch.float32)
            .contiguous()
            .clone()
            for name in _NETWORK
        ]
        units, players = kept["hidden"].shape[1], max(2, len(kept["out"]))
        pointers = {n: t.data_ptr() for n, t in zip(_NETWORK, tensors, strict=True)}
        record = _Evaluator(kind=0)
        record.network = _Network(units=units, squares=int(squares), **pointers)
        memory = (ROWS * (2 * units + 32) + DEEP * (units + 32)) * self.half
        return Evaluator(record, tensors, memory, players)

    def race(self, tables: dict[str, NDArray[np.float32]]) -> Evaluator:
        """The race model from the tables that ``race_tables`` has made."""
        names = list(_RACE)
        kept = [self.tensor(tables[name]) for name in names]
        record = _Evaluator(kind=1)
        rows, turns = tables["later"].shape
        record.race = _Race(
            out_bias=float(tables["out_bias"][0]),
            rows=rows,
            turns=turns,
            **{n: t.data_ptr() for n, t in zip(names, kept, strict=True)},
        )
        return Evaluator(record, kept, self.race_bytes, None)

    def play(
        self,
        family: Family,
        judge: Evaluator,
        starts: Tensor,
        *,
        rival: Evaluator | None = None,
        rivals: tuple[int, ...] = (),
        repeats: int = 1,
        games: int | None = None,
        turns: int = 64,
        explore: float = 0.0,
        samples: int = 256,
        seed: int = 1,
        solve_only: bool = False,
        people: bool = False,
        threads: int | None = None,
    ) -> Played:
        """Play games from starts, each start ``repeats`` times, or only solve their first turns.

        ``rivals`` are the seats that the rival plays in game 0, 1 and so on, bit by bit. With
        ``people`` every seat errs in its own way, drawn for every game.
        """
        players = family.players
        assert starts.dtype == torch.int8
        assert starts.shape[1] == players * SEAT + 2
        starts = starts.to(self.device).contiguous()
        count = games or len(starts) * repeats
        turns = 1 if solve_only else turns

        def room(*shape: int, kind: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros(shape, dtype=kind, device=self.device)

        played = Played(
            players,
            room(count, turns, players * SEAT, kind=torch.int8),
            room(count, turns, players),
            room(count, turns, players),
            room(count, turns, kind=torch.uint8),
            room(count, kind=torch.int32),
            room(count, players),
        )
        masks = torch.tensor(rivals or (0,), dtype=torch.int32, device=self.device)
        block_threads, blocks, memory = self._geometry(
            players, max(judge.memory, rival.memory if rival else 0), threads
        )
        needed = blocks * self.scratch_floats[players]
        if self.scratch.numel() < needed:
            self.scratch = torch.empty(needed, device=self.device)
        record = _Games(
            starts=starts.data_ptr(),
            rivals=masks.data_ptr(),
            anchors=played.anchors.data_ptr(),
            solved=played.solved.data_ptr(),
            after=played.after.data_ptr(),
            explored=played.explored.data_ptr(),
            length=played.length.data_ptr(),
            result=played.result.data_ptr(),
            scratch=self.scratch.data_ptr(),
            counter=self.counter.data_ptr(),
            seed=seed,
            start_count=len(starts),
            rival_count=len(rivals),
            repeats=repeats,
            games=count,
            turns=turns,
            samples=samples,
            sharing=tuple(Sharing).index(family.sharing),
            solve_only=int(solve_only),
            people=int(people),
            explore=explore,
        )
        record.evaluator[0] = judge.record
        record.evaluator[1] = (rival or judge).record
        stream = None if self.on_cpu else ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        if self.code.run_games(
            ctypes.byref(record), players, blocks, block_threads, memory, stream
        ):
            raise RuntimeError("The games could not be launched.")
        if not self.on_cpu:
            torch.cuda.synchronize()
        return played

    def _geometry(self, players: int, evaluating: int, threads: int | None) -> tuple[int, int, int]:
        """Threads a block, blocks, and bytes of shared memory a block."""
        if self.on_cpu:
            return 1, 1, max(evaluating, self.warp_bytes)
        if threads is None:
            threads = 320 if evaluating < 100_000 else 640
        memory = max(evaluating, threads // 32 * self.warp_bytes)
        each = self.code.blocks_per_processor(players, threads, memory)
        if each == 0:
            raise RuntimeError(
                f"No block of {threads} threads with {memory} bytes fits a processor."
            )
        return threads, PROCESSORS * each, memory

    def solve(
        self, family: Family, judge: Evaluator, starts: Tensor, samples: int = 0
    ) -> tuple[Tensor, Tensor]:
        """Everybody's share before the turn, solved, and after a bust; seats from the mover."""
        played = self.play(family, judge, starts, solve_only=True, samples=samples)
        return played.solved[:, 0], played.after[:, 0]


def race_tables(path: Path) -> dict[str, NDArray[np.float32]]:
    """The package's race model as the library reads it: its layers, scatter and duels."""
    parts, farthest = 4, 40
    with np.load(path) as kept:
        scatter = kept["scatter"].astype(np.float64)
        tables = {
            name: kept[name] for name in ("vectors", "hidden", "hidden_bias", "out", "out_bias")
        }
    known, turns = scatter.shape
    later = np.zeros((farthest * parts + 2, farthest + turns))
    later[:known, :turns] = scatter
    for row in range(known, len(later)):
        later[row, 0] = 1.0
        later[row, 1:] = later[row - parts, :-1]
    before = np.hstack([np.ones((len(later), 1)), later[:, :-1]])
    return tables | {
        "later": later.astype(np.float32),
        "duels": ((before - later) @ before.T).astype(np.float32),
    }
