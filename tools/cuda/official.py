"""On a machine with a GPU: compares boards with the CPU's values, or solves the official game.

Usage: python tools/cuda/official.py agree EXPECTED_FOLDER OUT
       python tools/cuda/official.py solve OUT [GAMES]
"""

import json
import sys
import time
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "src"), str(Path(__file__).parent)]
try:
    import numba  # noqa: F401
except ImportError:  # what little of the compiled code is called here runs as plain Python
    plain = ModuleType("numba")
    plain.njit = lambda *given, **_: given[0] if given else lambda function: function  # type: ignore[attr-defined]
    sys.modules["numba"] = plain

import numpy as np  # noqa: E402
from expect import chosen, rules_of  # noqa: E402

from cantstop.engine.frame import boxes_of, frame_of  # noqa: E402
from cantstop.rules import Rules  # noqa: E402
from cantstop.solver.cuda import CudaTable, find_device, load_kernels  # noqa: E402
from cantstop.solver.cuda.blocks import Blocks  # noqa: E402
from cantstop.solver.cuda.literal import Literal  # noqa: E402
from cantstop.solver.cuda.plain import read_values  # noqa: E402
from cantstop.solver.cuda.records import CuPy  # noqa: E402

CHECKED = 200_000
SAMPLES = 3_500_000


def note(text: str) -> None:
    """Say how far it is."""
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def solved(cupy: CuPy, rules: Rules, out: Path) -> CudaTable:
    """A board's table, with a line for every level in a file."""
    began = time.monotonic()
    kernels = load_kernels(cupy, rules.board.sides)
    note(f"kernels after {time.monotonic() - began:.1f} s")
    table = CudaTable(cupy, kernels, Blocks(rules))
    began = time.monotonic()
    with (out / "levels.csv").open("w") as file:
        for level in table.solve():
            print(*vars(level).values(), sep=",", file=file, flush=True)
            if level.seconds > 1:
                note(f"level {level.number}: {level.anchors:,} in {level.seconds:.1f} s")
    seconds = time.monotonic() - began
    note(f"{rules}: {table.value(rules.board.lengths):.7f} after {seconds:.1f} s")
    return table


def agree(expected: Path, out: Path) -> None:
    """Compare every board that the CPU has solved."""
    cupy = find_device()
    for path in sorted(expected.glob("*.npy"), key=lambda path: path.stat().st_size):
        rules = rules_of(path.stem.replace("_", ":"))
        table = solved(cupy, rules, out)
        values = read_values(cupy, table.blocks, table.values)[chosen(table.blocks.boards)]
        off = np.abs(values - np.load(path))
        note(
            f"AGREE {path.stem}: {table.blocks.anchors:,} anchors, largest difference "
            f"{off.max():.1e}, mean {off.mean():.1e}"
        )
        del table
        cupy.get_default_memory_pool().free_all_blocks()


def random_anchors(lengths: tuple[int, ...], count: int) -> np.ndarray:
    """Anchors by their steps left: half anywhere, half near the start."""
    dice = np.random.default_rng(7)
    top = np.array(lengths)
    steps = dice.integers(0, top + 1, (2 * count, len(top)))
    near = dice.random(steps.shape) < np.where(np.arange(2 * count) % 2, 0.7, 0.0)[:, None]
    steps = np.where(near, top, steps)
    return np.asarray(steps[(steps == 0).sum(axis=1) < 3][:count], np.uint8)


def opening_ends(rules: Rules) -> np.ndarray:
    """The steps left after a stop in every state of the first turn, as the turn solver counts."""
    frame = frame_of(rules.board, early=False)
    top = np.array(rules.board.lengths)
    boxes, states = boxes_of(frame, top)
    ends = np.tile(top, (states, 1))
    for index, size in enumerate(frame.sizes.tolist()):
        columns = frame.members[index, :size]
        count = int(np.prod(top[columns]))
        inside, first = np.arange(count), int(boxes.first[index])
        for place, column in enumerate(columns):
            made = inside // boxes.stride[index, place] % top[column] + 1
            ends[first : first + count, column] = top[column] - made
    return ends


def solve(out: Path, games: int) -> None:
    """Solve the official game, check it, play with it, and keep samples."""
    cupy, rules = find_device(), Rules(1)
    table = solved(cupy, rules, out)
    lengths, blocks = rules.board.lengths, table.blocks
    result = {"value": table.value(lengths), "anchors": blocks.anchors}
    (out / "result.json").write_text(json.dumps(result))
    steps = random_anchors(lengths, SAMPLES)
    for name, chosen_steps in (("samples", steps), ("opening", opening_ends(rules))):
        places = cupy.asarray(blocks.place(chosen_steps.astype(np.int64)))
        np.save(out / f"{name}.npy", table.values[places].get())
    table.release()
    literal = Literal(cupy, table)
    errors = literal.check(np.vstack([np.array([lengths], np.uint8), steps[:CHECKED]]))
    result |= {
        "checked": len(errors),
        "start_error": float(errors[0]),
        "worst_error": float(np.abs(errors).max()),
        "mean_error": float(errors.mean()),
        "mean_absolute_error": float(np.abs(errors).mean()),
    }
    note(f"check: {result}")
    (out / "result.json").write_text(json.dumps(result))
    played = literal.play(games, seed=1)
    result |= {
        "games": games,
        "mean_turns": played.mean,
        "standard_error": played.standard_error,
        "turns": played.turns,
        "rolls": played.rolls,
        "busts": played.busts,
        "by_turns": played.by_turns.tolist(),
    }
    (out / "result.json").write_text(json.dumps(result))
    note(
        f"games: mean {played.mean:.5f} +- {played.standard_error:.5f}, value {result['value']:.7f}"
    )


if __name__ == "__main__":
    what, *given = sys.argv[1:]
    folder = Path(given[-1] if what == "agree" else given[0])
    folder.mkdir(parents=True, exist_ok=True)
    if what == "agree":
        agree(Path(given[0]), folder)
    else:
        solve(folder, int(given[1]) if len(given) > 1 else 2_000_000)
