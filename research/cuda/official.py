"""On a machine with a GPU: compares boards with the CPU's values, or solves the official game.

The latter checks the table, plays with it, fits the compact form and plays with that; a rehearsal
does the same with a small board in a minute. ``compact`` does the last part alone, with the samples
that an earlier solution has left; ``replay`` plays with networks that are there.

Usage: python -m research.cuda.official agree EXPECTED_FOLDER OUT [BOARD ...]
       python -m research.cuda.official rehearse OUT
       python -m research.cuda.official solve OUT
       python -m research.cuda.official compact SAMPLES OUT
       python -m research.cuda.official replay NETWORKS OUT
"""

import json
import sys
import time
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "src"))
try:
    import numba  # noqa: F401
except ImportError:  # what little of the compiled code is called here runs as plain Python
    from .arena import stand_in_for_numba

    stand_in_for_numba()

import numpy as np  # noqa: E402

from cantstop.engine.turn import state_layout, turn_tables  # noqa: E402
from cantstop.rules import Rules  # noqa: E402
from cantstop.solver.cuda.run.blocks import Blocks  # noqa: E402
from cantstop.solver.cuda.run.device import find_device, load_kernels  # noqa: E402
from cantstop.solver.cuda.run.table import DeviceTable  # noqa: E402

from .compact import Weights, fit, predict_all  # noqa: E402
from .expect import BOARDS, file_of, rules_of  # noqa: E402
from .games import Played, play_games  # noqa: E402
from .reference import check_table, load_tool_kernels  # noqa: E402

TOLERANCE = 1e-5
WIDTHS = (128, 256)
SPARE = 6 << 30
"""Room beside the records, for games and networks."""


@dataclass(frozen=True)
class Effort:
    """How much of everything is done with a solved game."""

    rules: Rules
    checked: int
    samples: int
    games: int
    seconds: float
    """For the fit of one network."""


OFFICIAL = Effort(Rules(1), 200_000, 3_500_000, 4_000_000, 100.0)
REHEARSAL = Effort(rules_of("1.3.5.7.5.3.1"), 5_000, 200_000, 1_000_000, 5.0)


def note(text: str) -> None:
    """Say how far it is."""
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def fill(table: DeviceTable, out: Path) -> float:
    """Solve a board, with a line for every level in a file; returns how long it took."""
    rules, began = table.blocks.rules, time.monotonic()
    with (out / "levels.csv").open("w") as file:
        for level in table.solve():
            print(*vars(level).values(), sep=",", file=file, flush=True)
            if level.seconds > 1:
                note(f"level {level.number}: {level.anchors:,} in {level.seconds:.1f} s")
    seconds = round(time.monotonic() - began, 1)
    value = table.value(rules.board.lengths)
    note(f"{rules}: {value:.7f}, {table.blocks.anchors:,} anchors in {seconds} s")
    return seconds


def agree(expected: Path, out: Path, boards: list[str]) -> bool:
    """Solve boards and compare those that the CPU has solved; the others' values are kept."""
    cupy, worst = find_device(), 0.0
    for text in boards:
        rules = rules_of(text)
        table = DeviceTable(cupy, load_kernels(cupy, rules.board.sides), Blocks(rules))
        fill(table, out)
        values = table.host_values()
        path = file_of(expected, text)
        if path.exists():
            off = np.abs(values - np.load(path))
            worst = max(worst, float(off.max()))
            note(f"AGREE {text}: largest difference {off.max():.1e}, mean {off.mean():.1e}")
        else:
            np.save(file_of(out, text), values)
            note(f"KEPT {text}")
        del table
        cupy.get_default_memory_pool().free_all_blocks()
    return worst <= TOLERANCE


def random_anchors(rules: Rules, count: int) -> np.ndarray:
    """Anchors by their steps left: half anywhere, half near the start."""
    dice = np.random.default_rng(7)
    top = np.array(rules.board.lengths)
    steps = dice.integers(0, top + 1, (3 * count, len(top)))
    near = dice.random(steps.shape) < np.where(np.arange(3 * count) % 2, 0.7, 0.0)[:, None]
    steps = np.where(near, top, steps)
    return np.asarray(steps[(steps == 0).sum(axis=1) < rules.columns_to_win][:count], np.uint8)


def opening_ends(rules: Rules) -> np.ndarray:
    """The steps left after a stop in every state of the first turn, as the turn solver counts."""
    tables = turn_tables(rules.board, early=False)
    top = np.array(rules.board.lengths)
    layout, states = state_layout(tables.sets, tables.wanted, top)
    ends = np.tile(top, (states, 1))
    for index, size in enumerate(tables.sets.sizes.tolist()):
        columns = tables.sets.members[index, :size]
        count = int(np.prod(top[columns]))
        inside, first = np.arange(count), int(layout.first[index])
        for place, column in enumerate(columns):
            made = inside // layout.stride[index, place] % top[column] + 1
            ends[first : first + count, column] = top[column] - made
    return ends


class Study:
    """What is found about a game; every step of it is kept at once."""

    def __init__(self, effort: Effort, out: Path) -> None:
        self.effort, self.out, self.cupy = effort, out, find_device()
        sides = effort.rules.board.sides
        kernels = load_kernels(self.cupy, sides)
        self.tool_kernels = load_tool_kernels(self.cupy, sides)
        self.table = DeviceTable(self.cupy, kernels, Blocks(effort.rules), SPARE)
        self.found: dict[str, Any] = {"rules": str(effort.rules)}

    def record(self, **found: object) -> None:
        """Note something that was found."""
        self.found |= found
        (self.out / "result.json").write_text(json.dumps(self.found))
        note(", ".join(f"{key} {value}" for key, value in found.items()))

    def solve(self) -> None:
        """Solve the game, keep samples of it, and check it by the letter of the rules."""
        rules, blocks = self.effort.rules, self.table.blocks
        seconds = fill(self.table, self.out)
        self.record(
            value=self.table.value(rules.board.lengths), anchors=blocks.anchors, seconds=seconds
        )
        steps = random_anchors(rules, self.effort.samples)
        for name, anchors in (("samples", steps), ("opening", opening_ends(rules))):
            places = self.cupy.asarray(blocks.place(anchors.astype(np.int64)))
            np.save(self.out / f"{name}.npy", self.table.values[places].get())
        start = np.array([rules.board.lengths], np.uint8)
        checked = np.vstack([start, steps[: self.effort.checked]])
        errors = check_table(self.cupy, self.table, self.tool_kernels["check"], checked)
        self.record(
            checked=len(errors),
            start_error=float(errors[0]),
            worst_error=float(np.abs(errors).max()),
            mean_error=float(errors.mean()),
            mean_absolute_error=float(np.abs(errors).mean()),
        )

    def play(self, name: str) -> Played:
        """Play games with the values that the table has."""
        began = time.monotonic()
        played = play_games(
            self.cupy, self.table, self.tool_kernels["play"], self.effort.games, seed=1
        )
        self.record(
            **{
                name: {
                    "games": played.games,
                    "mean": played.mean,
                    "standard_error": played.standard_error,
                    "estimate": played.estimate,
                    "estimate_error": played.estimate_error,
                    "turns": played.turns,
                    "rolls": played.rolls,
                    "busts": played.busts,
                    "seconds": round(time.monotonic() - began, 1),
                    "by_turns": played.by_turns.tolist(),
                }
            }
        )
        return played

    def compact(self, samples: Path) -> None:
        """Fit networks to samples, and play with what they predict, not with the table's values."""
        torch = import_module("torch")
        torch.backends.cuda.matmul.allow_tf32 = False
        rules = self.effort.rules
        opening = opening_ends(rules).astype(np.uint8)
        steps = np.vstack([opening, random_anchors(rules, self.effort.samples)])
        values = np.concatenate([np.load(samples / f"{n}.npy") for n in ("opening", "samples")])
        going_on = (steps == 0).sum(axis=1) < rules.columns_to_win
        for width in WIDTHS:
            weights, how = fit(
                torch, rules, steps[going_on], values[going_on], width, self.effort.seconds
            )
            np.savez(self.out / f"network{width}.npz", **vars(weights))
            self.record(**{f"fit{width}": how})
            self.play_with(weights, width)

    def play_with(self, weights: Weights, width: int) -> None:
        """Play games with what a network predicts."""
        predict_all(self.cupy, self.table, weights)
        self.record(**{f"start{width}": self.table.value(self.effort.rules.board.lengths)})
        self.play(f"network{width}")

    def replay(self, networks: Path) -> None:
        """Play games with networks that were fitted before."""
        for width in WIDTHS:
            with np.load(networks / f"network{width}.npz") as kept:
                self.play_with(Weights(**kept), width)


def study(what: str, given: list[str]) -> None:
    """Solve a game and find out about it, or do only the last part of that."""
    found = Study(REHEARSAL if what == "rehearse" else OFFICIAL, Path(given[-1]))
    if what in ("solve", "rehearse"):
        found.solve()
        played = found.play("table")
        off = abs(played.mean - found.found["value"])
        assert off < 5 * played.standard_error, "the games disagree with the table"
    if what == "replay":
        found.replay(Path(given[0]))
    else:
        found.compact(Path(given[0]))
    note("DONE")


if __name__ == "__main__":
    what, *given = sys.argv[1:]
    folder = Path(given[1 if what == "agree" else -1])
    folder.mkdir(parents=True, exist_ok=True)
    if what == "agree":
        sys.exit(not agree(Path(given[0]), folder, given[2:] or BOARDS))
    study(what, given)
