"""The file of value networks, written and read by those who train them; see ``packed.py``."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from cantstop.engine.evaluators.value.network import (
    MOST_CHANGE,
    Floats,
    Weights,
    largest_change,
    round_hidden,
)
from cantstop.engine.evaluators.value.packed import (
    FORMAT,
    GRAIN,
    NAMES,
    VECTORS,
    PackedNetwork,
    read_packed,
    shapes_of,
)
from cantstop.files import write_atomically


def write_networks(path: Path, networks: Mapping[str, Weights], notes: Mapping[str, Any]) -> int:
    """Write networks by name into one file; returns its size in bytes."""
    return write_packed(path, {name: pack(one) for name, one in networks.items()}, notes)


def write_packed(
    path: Path, networks: Mapping[str, PackedNetwork], notes: Mapping[str, Any]
) -> int:
    """Write networks as a file has them: what was read is written again bit for bit."""
    streams = {name: FORMAT.stream(one.data) for name, one in networks.items()}
    header = {
        "grain": GRAIN,
        "notes": notes,
        "networks": {
            name: {
                "bytes": len(streams[name]),
                "shapes": {
                    field: list(shape) for field, shape in shapes_of(one.players, one.units).items()
                },
            }
            for name, one in networks.items()
        },
    }
    data = FORMAT.seal(b"".join([FORMAT.stream(json.dumps(header).encode()), *streams.values()]))
    write_atomically(path, data)
    return len(data)


def pack(weights: Weights) -> PackedNetwork:
    """A network as a file has it.

    Raises:
        ValueError: If its vectors are too large for the file, or for the engine's whole numbers.
    """
    data = b"".join(_pack(field, getattr(weights, field)) for field in NAMES)
    change = largest_change(weights)
    if change > MOST_CHANGE:
        raise ValueError(
            f"A turn may change a sum of a value network by {change:.1f}, more than {MOST_CHANGE}."
        )
    return PackedNetwork(weights.players, weights.units, data)


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
    packed, notes = read_packed(path)
    return {name: weights_of(network) for name, network in packed.items()}, notes


def weights_of(network: PackedNetwork) -> Weights:
    """The numbers of a network, as the engine's module reads them."""
    shapes = shapes_of(network.players, network.units)
    found = Weights(
        **{
            field: _unpack(field, raw).reshape(shapes[field])
            for field, raw in network.arrays().items()
        }
    )
    round_hidden(found.hidden, np.empty(len(found.hidden)))
    return found


def _unpack(field: str, raw: bytes) -> Floats:
    """The numbers of an array."""
    if field not in VECTORS:
        return np.frombuffer(raw, "<f4").astype(np.float32)
    low_and_high = np.frombuffer(raw, np.uint8).reshape(2, -1)
    whole = np.ascontiguousarray(low_and_high.T).view("<i2")
    return (whole * np.float32(GRAIN)).astype(np.float32)
