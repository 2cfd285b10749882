"""The value network: how it is laid out, evaluated and kept in a file.

For every column and every other seat one vector stands for the *pair* of spaces left to the seat to
move and to that seat; with three or four seats another one for that seat's place in the order; one
for the columns that both still need, and one for V2. Their sum goes through two layers:

    sum    of the vectors, ``units`` numbers; the same for the board seen in a mirror
    first  what is positive of the sum plus what is positive of the mirror's sum
    deep   what is positive of 32 weighted sums of that
    out    for two seats the logit of the seat to move; else one for every seat, from that one on

So a board and its mirror image (column c for 14 - c) are worth the same whatever the weights are,
and in the ends of a turn the sum is that of the anchor plus one difference for every runner.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cantstop.rules import OFFICIAL

LENGTHS = np.array(OFFICIAL.lengths)
COLUMNS = len(LENGTHS)
SEAT = COLUMNS + 1
DEEP = 32
NEEDS = 5
PAIR_FIRST = np.cumsum([0, *(LENGTHS + 1) ** 2])
OTHER_FIRST = np.cumsum([0, *(LENGTHS + 1)])
PAIR_ROWS, OTHER_ROWS = int(PAIR_FIRST[-1]), int(OTHER_FIRST[-1])

GRAIN = 2.0**-8
"""Vectors are kept as whole multiples of it: sums of them are exact, whatever their order."""

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Weights:
    """One network. ``others`` is empty for two players."""

    pairs: Floats  # [PAIR_ROWS, units], row PAIR_FIRST[c] + own * (length + 1) + other
    others: Floats  # [seats - 1, OTHER_ROWS, units], row OTHER_FIRST[c] + other
    needs: Floats  # [seats - 1, NEEDS * NEEDS, units], row (own need - 1) * NEEDS + other's - 1
    early: Floats  # [units]
    hidden: Floats  # [DEEP, units]
    hidden_bias: Floats  # [DEEP]
    out: Floats  # [1 or seats, DEEP]
    out_bias: Floats  # [1 or seats]

    @property
    def units(self) -> int:
        """How many numbers each vector has."""
        return len(self.early)

    @property
    def players(self) -> int:
        """For how many seats it is."""
        return len(self.needs) + 1


VECTORS = ("pairs", "others", "needs", "early")


def _mirror(first: Rows, sizes: Rows) -> Rows:
    return np.concatenate([np.arange(sizes[c]) + first[COLUMNS - 1 - c] for c in range(COLUMNS)])


PAIR_MIRROR = _mirror(PAIR_FIRST, (LENGTHS + 1) ** 2)
OTHER_MIRROR = _mirror(OTHER_FIRST, LENGTHS + 1)


def with_mirror(weights: Weights) -> dict[str, Floats]:
    """The vectors twice as wide: the mirror's numbers after the others."""
    return {
        "pairs": np.concatenate([weights.pairs, weights.pairs[PAIR_MIRROR]], 1),
        "others": np.concatenate([weights.others, weights.others[:, OTHER_MIRROR]], 2),
        "needs": np.concatenate([weights.needs, weights.needs], 2),
        "early": np.concatenate([weights.early, weights.early]),
    }


def evaluate(weights: Weights, anchors: NDArray[np.int8], early: bool) -> NDArray[np.float64]:
    """Every seat's chance, from the seat to move on: the plain reference for all other code."""
    players, vectors = weights.players, with_mirror(weights)
    seats = anchors[:, : players * SEAT].reshape(-1, players, SEAT).astype(np.int64)
    total = np.zeros((len(anchors), 2 * weights.units), np.float32)
    if early:
        total += vectors["early"]
    for other in range(1, players):
        own, left = seats[:, 0, :COLUMNS], seats[:, other, :COLUMNS]
        for column in range(COLUMNS):
            across = LENGTHS[column] + 1
            total += vectors["pairs"][
                PAIR_FIRST[column] + own[:, column] * across + left[:, column]
            ]
            if players > 2:
                total += vectors["others"][other - 1, OTHER_FIRST[column] + left[:, column]]
        needs = (seats[:, 0, COLUMNS] - 1) * NEEDS + seats[:, other, COLUMNS] - 1
        total += vectors["needs"][other - 1, needs]
    first = np.maximum(total, 0).reshape(len(anchors), 2, weights.units).sum(1)
    deep = np.maximum(first @ weights.hidden.T + weights.hidden_bias, 0)
    logits = (deep @ weights.out.T + weights.out_bias).astype(np.float64)
    if players == 2:
        mover = 1 / (1 + np.exp(-logits))
        return np.concatenate([mover, 1 - mover], 1)
    shares = np.exp(logits - logits.max(1, keepdims=True))
    return shares / shares.sum(1, keepdims=True)


def rounded(weights: Weights) -> Weights:
    """The same with the vectors rounded as the file keeps them."""
    kept: dict[str, Any] = {field.name: getattr(weights, field.name) for field in fields(Weights)}
    for name in VECTORS:
        kept[name] = (np.round(kept[name] / GRAIN) * GRAIN).astype(np.float32)
    return Weights(**kept)


MAGIC = b"cantstop value networks\n"
VERSION = 1
HALF = ("hidden",)
"""Layers that are kept in half precision, as they were when they were measured."""


def write_file(
    path: Path,
    networks: dict[str, Weights],
    notes: dict[str, Any],
    like: dict[str, str] | None = None,
) -> int:
    """Write networks by name into one file; returns its size.

    Vectors of a network that is ``like`` an earlier one are kept as differences from it: they began
    as that one's and have not gone far. ``docs/value-networks.md`` describes the format.
    """
    header: dict[str, Any] = {"grain": GRAIN, "notes": notes, "networks": {}}
    body = io.BytesIO()
    for name, weights in networks.items():
        basis = (like or {}).get(name)
        shapes = {}
        for field in fields(Weights):
            array = getattr(weights, field.name)
            shapes[field.name] = list(array.shape)
            if field.name in VECTORS:
                whole = np.round(array / GRAIN).astype(np.int32)
                if basis:
                    whole -= np.round(getattr(networks[basis], field.name) / GRAIN).astype(np.int32)
                body.write(_packed(whole))
            else:
                body.write(array.astype("<f2" if field.name in HALF else "<f4").tobytes())
        header["networks"][name] = {"like": basis, "shapes": shapes}
    head = json.dumps(header).encode()
    packed = lzma.compress(len(head).to_bytes(4, "little") + head + body.getvalue(), preset=9)
    digest = hashlib.sha256(packed).hexdigest().encode()
    data = MAGIC + b"%d\n" % VERSION + digest + b"\n" + packed
    path.write_bytes(data)
    return len(data)


def _packed(whole: NDArray[np.int32]) -> bytes:
    """Whole numbers with the sign as the lowest bit, all low bytes before all high ones."""
    unsigned = np.where(whole < 0, -2 * whole - 1, 2 * whole).astype(np.int32)
    assert unsigned.max(initial=0) < 2**16
    raw = unsigned.astype("<u2").tobytes()
    return raw[0::2] + raw[1::2]


def _unpacked(raw: bytes) -> NDArray[np.int32]:
    """The other way round."""
    low, high = np.frombuffer(raw, np.uint8).reshape(2, -1).astype(np.int32)
    unsigned = low + 256 * high
    return np.where(unsigned % 2, -(unsigned // 2) - 1, unsigned // 2).astype(np.int32)


def read_file(path: Path) -> tuple[dict[str, Weights], dict[str, Any]]:
    """The networks of a file and the notes that came with them."""
    data = path.read_bytes()
    magic, version, digest, packed = data.split(b"\n", 3)
    if magic + b"\n" != MAGIC:
        raise ValueError(f"{path} is not a file of value networks.")
    if version != b"%d" % VERSION:
        raise ValueError(f"{path} has version {version.decode()}; this program knows {VERSION}.")
    if hashlib.sha256(packed).hexdigest().encode() != digest:
        raise ValueError(f"{path} is damaged: its checksum differs.")
    raw = lzma.decompress(packed)
    size = int.from_bytes(raw[:4], "little")
    header, at = json.loads(raw[4 : 4 + size]), 4 + size
    whole: dict[str, dict[str, NDArray[np.int32]]] = {}
    networks = {}
    for name, kept in header["networks"].items():
        arrays: dict[str, Any] = {}
        whole[name] = {}
        for field, shape in kept["shapes"].items():
            count = int(np.prod(shape))
            if field in VECTORS:
                numbers = _unpacked(raw[at : at + 2 * count]).reshape(shape)
                if kept["like"]:
                    numbers = numbers + whole[kept["like"]][field]
                whole[name][field] = numbers
                arrays[field] = numbers.astype(np.float32) * np.float32(header["grain"])
                at += 2 * count
            else:
                kind = np.dtype("<f2" if field in HALF else "<f4")
                arrays[field] = (
                    np.frombuffer(raw, kind, count, at).astype(np.float32).reshape(shape)
                )
                at += kind.itemsize * count
        networks[name] = Weights(**arrays)
    return networks, header["notes"]
