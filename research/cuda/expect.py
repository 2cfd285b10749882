"""Solves boards on the CPU and keeps their values, for the comparison with CUDA.

Usage: python -m research.cuda.expect FOLDER [N.N.N[:COLUMNS_TO_WIN] ...]
"""

import sys
from pathlib import Path

import numpy as np

from cantstop.rules import Board, Rules
from cantstop.solver import solve_on_cpu

BOARDS = [
    "1.3.5.7.5.3.1",
    "1.1.2.2.3.3.3.2.2.1.1",
    "2.1.3.2.1.4.2.3.1.2.2:4",
    "1.3.5.7.9.7.5.3.1",
    "3.3.4.4.4.4.4.4.4.3.3",
]


def rules_of(text: str) -> Rules:
    """The solitaire game on a board given as text."""
    lengths, _, to_win = text.partition(":")
    return Rules(1, int(to_win or 3), board=Board(tuple(map(int, lengths.split(".")))))


def file_of(folder: Path, text: str) -> Path:
    """Where a board's values are kept."""
    return folder / (text.replace(":", "_") + ".npy")


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for text in sys.argv[2:] or BOARDS:
        solution = solve_on_cpu(rules_of(text))
        np.save(file_of(folder, text), solution.table.values)
        print(
            f"{text}: {solution.value:.12f}, {solution.anchors:,} anchors, {solution.seconds:.0f} s"
        )
