"""Checks the CUDA solver's code without a GPU: compiled for the CPU, against the CPU solver.

Usage: python -m research.cuda.emulate [N.N.N[:COLUMNS_TO_WIN] ...]
"""

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from cantstop.rules import Board, Rules
from cantstop.solver import solve_on_cpu
from cantstop.solver.cuda.kernels.source import Stage, code, head, kernels_of, means_of, turn
from cantstop.solver.cuda.run.lookup import neighbour_weights, useless_chances

from .reference import source_file, turn_lists

BOARDS = (
    "1.3.1",
    "3.5.3:2",
    "2.4.6.4.2",
    "1.2.3.4.3:4",
    "1.3.5.7.5.3.1",
    "4.1.2.3.5.2.1",
    "1.2.3.4.3.4.3.2.1",
    "1.1.1.1.1.1.1.1.1.1.1",
    "1.1.1.1.3.3.3.1.1.1.1",
    "2.1.1.2.1.4.1.3.1.1.2:4",
    "1.1.2.2.2.3.2.2.2.1.1",
)


@cache
def program(sides: int) -> Path:
    """The compiled emulation for dice with ``sides`` sides."""
    folder = Path(tempfile.mkdtemp())
    kernels = kernels_of(sides)
    source = head(sides) + "".join(means_of(sides, kernel) for kernel in kernels)
    for stage in Stage:
        sets = [columns for k in kernels if k.stage is stage for columns in k.columns]
        calls = "".join(f"{stage.value}<{', '.join(map(str, c))}>(me);\n" for c in sets)
        source += f"static void all_{stage.value}s(const Anchor& me) {{\n{calls}}}\n"
    source += (
        turn(sides)
        + code("search.cuh")
        + "".join(map(source_file, ("reference.cuh", "games.cuh", "emulate.cpp")))
    )
    (folder / "emulate.cpp").write_text(source)
    built = folder / "emulate"
    subprocess.run(
        ["g++", "-std=c++17", "-O1", "-o", built, folder / "emulate.cpp"], check=True, cwd=folder
    )
    return built


def check(text: str) -> float:
    """Solve a board both ways; returns the largest difference."""
    lengths, _, to_win = text.partition(":")
    rules = Rules(1, int(to_win or 3), board=Board(tuple(map(int, lengths.split(".")))))
    built = program(rules.board.sides)
    folder = built.parent
    useless_chances(rules.board.sides, rules.columns_to_win).tofile(folder / "useless")
    neighbour_weights(len(rules.board.columns)).tofile(folder / "weights")
    for name, numbers in turn_lists(rules.board)._asdict().items():
        numbers.tofile(folder / name)
    arguments = [rules.columns_to_win, *rules.board.lengths]
    output = subprocess.run(
        [built, *map(str, arguments)], check=True, cwd=folder, capture_output=True, text=True
    ).stdout
    exact = solve_on_cpu(rules)
    worst = float(np.abs(np.fromfile(folder / "values", np.float32) - exact.table.values).max())
    print(f"{text}: {output.strip()}; start {exact.value:.9f}, largest difference {worst:.1e}")
    return worst


if __name__ == "__main__":
    differences = [check(board) for board in sys.argv[1:] or BOARDS]
    sys.exit(max(differences) > 1e-5)
