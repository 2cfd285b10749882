"""The networks that play first: those of an older file, in the form that the training code reads.

``python -m research.train.before FILE WORK/inputs`` reads a file of version 1 (the package's until
networks related all seats to each other) and writes a network for each family. Its vectors for the
seat to move and another, and for that other's place, become one table for those two seats; the
tables for two of the others are empty. These networks did not take squares of their sums.
"""

from __future__ import annotations

import argparse
import json
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.evaluators.value.network import LENGTHS
from cantstop.engine.evaluators.value.packed import (
    GRAIN,
    MAGIC,
    MAX_CONTENT,
    MAX_FILE,
    PAIR_ROWS,
    couples,
)
from cantstop.language import message
from cantstop.untrusted import PackedFormat

FORMAT = PackedFormat(MAGIC, 1, MAX_FILE, MAX_CONTENT)
VECTORS = ("pairs", "others", "needs", "early")
_OTHER_FIRST = np.cumsum([0, *(LENGTHS + 1)])

Arrays = dict[str, NDArray[np.float32]]


def read_before(path: Path) -> dict[str, Arrays]:
    """The arrays of all networks of a file of version 1."""
    content = FORMAT.read(path, message("{name} is not a file of value networks."))
    size = int.from_bytes(content[:4], "little")
    header: dict[str, Any] = json.loads(content[4 : 4 + size])
    found: dict[str, Arrays] = {}
    at = 4 + size
    for name, shapes in header["networks"].items():
        found[name] = {}
        for field, shape in shapes.items():
            end = at + prod(shape) * (2 if field in VECTORS else 4)
            found[name][field] = _unpack(field, content[at:end]).reshape(shape)
            at = end
    return found


def _unpack(field: str, raw: bytes) -> NDArray[np.float32]:
    if field not in VECTORS:
        return np.frombuffer(raw, "<f4").astype(np.float32)
    low_and_high = np.frombuffer(raw, np.uint8).reshape(2, -1)
    whole = np.ascontiguousarray(low_and_high.T).view("<i2")
    return (whole * np.float32(GRAIN)).astype(np.float32)


def in_couples(arrays: Arrays) -> Arrays:
    """A network with a table for every two seats."""
    seats, units = len(arrays["needs"]) + 1, len(arrays["early"])
    every = couples(seats)
    pairs = np.zeros((len(every), PAIR_ROWS, units), np.float32)
    needs = np.zeros((len(every), arrays["needs"].shape[1], units), np.float32)
    left = np.concatenate(
        [
            _OTHER_FIRST[column] + np.tile(np.arange(length + 1), length + 1)
            for column, length in enumerate(LENGTHS)
        ]
    )
    for number, (one, other) in enumerate(every):
        if one == 0:
            pairs[number] = arrays["pairs"]
            if len(arrays["others"]):
                pairs[number] += arrays["others"][other - 1, left]
            needs[number] = arrays["needs"][other - 1]
    kept = ("early", "hidden", "hidden_bias", "out", "out_bias")
    return {"pairs": pairs, "needs": needs, **{name: arrays[name] for name in kept}}


def main() -> None:
    """Write the networks."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("file", type=Path)
    reader.add_argument("folder", type=Path)
    given = reader.parse_args()
    for name, arrays in read_before(given.file).items():
        kept: dict[str, Any] = dict(in_couples(arrays))
        np.savez_compressed(given.folder / f"before-{name}.npz", **kept)


if __name__ == "__main__":
    main()
