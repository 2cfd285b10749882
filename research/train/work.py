"""The folder of a training run: inputs, networks, logs, measurements, and the time that is left."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from cantstop.engine.evaluators.value.network import Weights

from .learn import Log


class OutOfTime(Exception):
    """The deadline came before the stage was done; what there is has been kept."""


class Work:
    """The folder that holds inputs, networks, logs and measurements, and the time that is left."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self.folder = folder
        self.begun = time.monotonic()
        self.deadline = self.begun + seconds
        for name in ("networks", "logs", "measured"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def network_path(self, name: str) -> Path:
        """Where a network lies."""
        return self.folder / "networks" / f"{name}.npz"

    def checkpoint_path(self, name: str) -> Path:
        """Where a network lies that is not done yet, with all it takes to go on."""
        return self.folder / "networks" / f"{name}.checkpoint"

    def has(self, name: str) -> bool:
        """Whether a network is done."""
        return self.network_path(name).exists()

    def weights(self, name: str) -> Weights:
        """A network that is done."""
        with np.load(self.network_path(name)) as kept:
            return Weights(**{field.name: kept[field.name] for field in fields(Weights)})

    def notes(self, name: str) -> dict[str, Any]:
        """What was written beside a network."""
        with np.load(self.network_path(name)) as kept:
            found: dict[str, Any] = json.loads(str(kept["notes"]))
            return found

    def keep(self, name: str, weights: Weights, notes: dict[str, Any]) -> None:
        """Write a network that is done."""
        notes["seconds"] = round(time.monotonic() - self.begun, 1)
        arrays = {field.name: getattr(weights, field.name) for field in fields(Weights)}
        unfinished = self.network_path(name).with_suffix(".unfinished.npz")
        np.savez_compressed(unfinished, notes=json.dumps(notes), **arrays)
        unfinished.replace(self.network_path(name))

    @contextmanager
    def log(self, name: str) -> Iterator[Log]:
        """A log of JSON lines that is printed too."""
        with (self.folder / "logs" / f"{name}.jsonl").open("a") as file:

            def write(row: dict[str, Any]) -> None:
                row = {"t": round(time.monotonic() - self.begun, 1), "stage": name} | row
                file.write(json.dumps(row) + "\n")
                file.flush()
                print(json.dumps(row), flush=True)

            yield write

    def check_time(self, needed: float = 0.0) -> None:
        """Stop here if the time does not suffice."""
        if time.monotonic() + needed > self.deadline:
            raise OutOfTime
