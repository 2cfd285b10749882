"""Trains and measures all value networks: one command, resumable.

``python -m research.train train WORK --seconds 550`` goes on with the plan where WORK says it is,
and ends in time; ``... measure WORK`` does the same for the measurements; ``... export WORK FILE``
writes the file that the package ships. WORK/inputs is what ``people.py`` and ``before.py`` have
written; ``build.sh`` makes the library. Seeds are the plan's: what was used is written beside every
network.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch

from cantstop.engine.evaluators.value.packed import FAMILIES

from .plan import training
from .stated import NETWORKS, stated_errors
from .tables import FIRST, measuring
from .work import OutOfTime, Work


def export(work: Work, path: Path) -> None:
    """One file with all networks, and with their measured errors."""
    from cantstop.engine.evaluators.value.file import write_networks

    networks = {family.name: work.weights(family.name) for family in FAMILIES}
    files = sorted((work.folder / "measured").glob(f"{FIRST}-*.json"))
    found = [json.loads(file.read_text("utf-8")) for file in files]
    errors = stated_errors({one["rules"]: one for one in found}, NETWORKS)
    size = write_networks(path, networks, {"errors": errors})
    print(f"{path}: {len(networks)} networks, {size} bytes")


def main() -> None:
    """Train, measure or export."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("what", choices=("train", "measure", "export"))
    reader.add_argument("work", type=Path)
    reader.add_argument("file", type=Path, nargs="?")
    reader.add_argument("--seconds", type=float, default=550.0)
    reader.add_argument("--only", nargs="*", default=[], help="networks by name")
    given = reader.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = True
    work = Work(given.work, given.seconds)
    try:
        if given.what == "train":
            training(work, given.only)
        elif given.what == "measure":
            measuring(work, given.only)
        else:
            export(work, given.file)
    except OutOfTime:
        print("out of time: the same command goes on from here")


if __name__ == "__main__":
    main()
