"""The file that value networks are kept in, written and read.

    cantstop value networks          a line that says what it is
    1                                the version of this format, a line
    5c1e…                            SHA-256 of all that follows, in hexadecimal, a line
    …                                an XZ stream

In the stream everything is little-endian: the length of the header in 4 bytes; the header, an
object in JSON; then the arrays of all networks one after the other. The header has ``grain``,
``networks`` (for each of them the shapes of its arrays, by name) and ``notes`` (what its maker says
of them: ``errors`` above all, see ``ErrorTable.parse``). The arrays come in the order of ``NAMES``:
vectors as 16-bit multiples of the grain, the low bytes of an array before its high bytes; the
layers as 32-bit floats.

A file is not trusted: it is at most so large, so is what it unpacks to, and every shape, number and
byte of it is checked before it is used.
"""

import json
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from cantstop.engine.evaluators.value.network import (
    GRAIN,
    NAMES,
    VECTORS,
    Floats,
    Weights,
    shapes_of,
)
from cantstop.files import write_atomically
from cantstop.language import message
from cantstop.rules import CantStopError
from cantstop.untrusted import BadFile, PackedFormat

MAGIC = b"cantstop value networks\n"
VERSION = 1

MAX_FILE = 16 << 20
MAX_CONTENT = 64 << 20
FORMAT = PackedFormat(MAGIC, VERSION, MAX_FILE, MAX_CONTENT)

MAX_UNITS = 1024
UNITS_STEP = 8
"""Vectors have a multiple of so many numbers: the processor works on neighbours at once."""

PLAYERS = (2, 3, 4)


class BadNetworks(CantStopError):
    """A file of value networks that cannot be used; the sentence says why."""


def write_networks(path: Path, networks: Mapping[str, Weights], notes: Mapping[str, Any]) -> int:
    """Write networks by name into one file; returns its size in bytes."""
    header = {
        "grain": GRAIN,
        "notes": notes,
        "networks": {
            name: {field: list(getattr(weights, field).shape) for field in NAMES}
            for name, weights in networks.items()
        },
    }
    head = json.dumps(header).encode()
    parts = [len(head).to_bytes(4, "little"), head]
    for weights in networks.values():
        parts += (_pack(field, getattr(weights, field)) for field in NAMES)
    data = FORMAT.pack(b"".join(parts))
    write_atomically(path, data)
    return len(data)


def _pack(field: str, array: Floats) -> bytes:
    if field not in VECTORS:
        return array.astype("<f4").tobytes()
    whole = np.round(array / GRAIN)
    if np.abs(whole).max(initial=0) >= 2**15:
        raise ValueError(f"The vectors of a value network go beyond ±{2**15 * GRAIN}.")
    raw = whole.astype("<i2").tobytes()
    return raw[0::2] + raw[1::2]


def read_networks(path: Path) -> tuple[dict[str, Weights], dict[str, Any]]:
    """The networks of a file by name, and the notes that came with them."""
    try:
        content = FORMAT.read(path, message("{name} is not a file of value networks."))
    except BadFile as bad:
        raise BadNetworks(bad.template, name=path.name, **bad.fields) from None
    size = int.from_bytes(content[:4], "little")
    shapes, notes = _header(path, content[4 : 4 + size])
    networks, at = {}, 4 + size
    for name, given in shapes.items():
        expected = _expected_shapes(given)
        if expected is None:
            raise BadNetworks(
                "{name} holds a network of an impossible shape: {network}.",
                name=path.name,
                network=name[:20],
            )
        arrays = {}
        for field, shape in expected.items():
            end = at + prod(shape) * (2 if field in VECTORS else 4)
            if end > len(content):
                raise BadNetworks("{name} is shorter than its networks.", name=path.name)
            arrays[field], at = _unpack(field, content[at:end]).reshape(shape), end
        networks[name] = Weights(**arrays)
        if not all(np.isfinite(array).all() for array in arrays.values()):
            raise BadNetworks("{name} has weights that are not finite.", name=path.name)
    if at != len(content):
        raise BadNetworks("{name} is longer than its networks.", name=path.name)
    return networks, notes


def _header(path: Path, text: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """The shapes of all networks, and the notes."""
    try:
        match json.loads(text):
            case {"grain": grain, "networks": dict(shapes), "notes": dict(notes)} if grain == GRAIN:
                return shapes, notes
    except (ValueError, RecursionError):
        pass
    raise BadNetworks("{name} has a damaged header.", name=path.name)


def _expected_shapes(given: object) -> dict[str, tuple[int, ...]] | None:
    """The shapes of a network, if those given are possible."""
    match given:
        case {"needs": [int(others), _, int(units)]} if others + 1 in PLAYERS and units in range(
            UNITS_STEP, MAX_UNITS + 1, UNITS_STEP
        ):
            expected = shapes_of(others + 1, units)
            if given == {field: list(shape) for field, shape in expected.items()}:
                return expected
    return None


def _unpack(field: str, raw: bytes) -> Floats:
    """The numbers of an array."""
    if field not in VECTORS:
        return np.frombuffer(raw, "<f4").astype(np.float32)
    low_and_high = np.frombuffer(raw, np.uint8).reshape(2, -1)
    whole = np.ascontiguousarray(low_and_high.T).view("<i2")
    return (whole * np.float32(GRAIN)).astype(np.float32)
