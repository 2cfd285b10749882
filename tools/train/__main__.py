"""Trains and measures all value networks: one command, resumable.

``python -m tools.train train WORK --seconds 550`` goes on with the plan where WORK says it stands,
and ends in time; ``... measure WORK`` does the same for the measurements; ``... export WORK FILE``
writes the file that the package ships. WORK/inputs holds the anchors of ``classic.py`` and, as
``race.npz``, the race model's weights; ``build.sh`` makes the library. Seeds are the plan's: what
was used is written beside every network.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from .network import write_file
from .plan import BOARDS, PLANS, STAGES, shipped_name
from .rule_sets import FAMILIES
from .tables import measuring
from .work import OutOfTime, Work


def training(work: Work, only: list[str]) -> None:
    """All stages that are not done yet."""
    for name, stage in STAGES.items():
        if work.has(name) or (only and name not in only):
            continue
        work.check_time(12.0 if name in BOARDS else 25.0)
        stage(work, name)


def export(work: Work, path: Path) -> None:
    """One file with all networks that are shipped."""
    names = {family.name: shipped_name(work, family) for family in FAMILIES}
    networks = {name: work.weights(stage) for name, stage in names.items()}
    like = {name: plan.like for name, plan in PLANS.items() if plan.like}
    size = write_file(path, networks, {}, like)
    print(f"{path}: {len(networks)} networks, {size} bytes")


def main() -> None:
    """Train, measure or export."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("what", choices=("train", "measure", "export"))
    reader.add_argument("work", type=Path)
    reader.add_argument("file", type=Path, nargs="?")
    reader.add_argument("--seconds", type=float, default=550.0)
    reader.add_argument("--only", nargs="*", default=[], help="stages by name")
    given = reader.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = True
    work = Work(given.work, given.seconds)
    try:
        if given.what == "train":
            training(work, given.only)
        elif given.what == "measure":
            measuring(work)
        else:
            export(work, given.file)
    except OutOfTime:
        print("out of time: the same command goes on from here")


if __name__ == "__main__":
    main()
