"""The value networks as their file has them: which there are, their shapes, the file read.

    cantstop value networks          a line that says what it is
    2                                the version of this format, a line
    5c1e…                            SHA-256 of all that follows, in hexadecimal, a line
    …                                XZ streams: the header, then one for each network

The header is an object in JSON. It has ``grain``, ``notes`` (what the networks' maker says of them:
``errors`` above all, see ``ErrorTable.parse``) and ``networks``: for each of them the length of its
stream (``bytes``) and the ``shapes`` of its arrays, by name. A stream has the arrays of its network
one after the other in the order of ``NAMES``, little-endian: vectors as 16-bit multiples of the
grain, the low bytes of an array before its high bytes; the layers as 32-bit floats. The engine's
module reads them as they are here. A network is unpacked when it is first asked for: a game needs
one of the nine.

A file is not trusted: it is at most so large, so is what it unpacks to, and every shape, number and
byte of it is checked before it is used.
"""

import json
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import isfinite, prod
from pathlib import Path
from typing import Any

from cantstop.language import message
from cantstop.rules import OFFICIAL, CantStopError, Rules, Sharing
from cantstop.untrusted import BadFile, PackedFormat

MAGIC = b"cantstop value networks\n"
VERSION = 2

MAX_FILE = 16 << 20
MAX_CONTENT = 64 << 20
FORMAT = PackedFormat(MAGIC, VERSION, MAX_FILE, MAX_CONTENT)

MAX_UNITS = 1024
UNITS_STEP = 8
"""The length of vectors is a multiple of this: the processor works on neighbours at once."""

ALL_UNITS = range(UNITS_STEP, MAX_UNITS + 1, UNITS_STEP)

PLAYERS = (2, 3, 4)
DEEP = 32
NEEDS = 5
"""The most columns that a seat can need; the fewest is one."""

PAIR_ROWS = sum((length + 1) ** 2 for length in OFFICIAL.lengths)

GRAIN = 2.0**-10
"""Vectors are whole multiples of it: sums of them are exact, whatever their order."""

VECTORS = ("pairs", "needs", "early")
NAMES = (*VECTORS, "hidden", "hidden_bias", "out", "out_bias")


class BadNetworks(CantStopError):
    """A file of value networks that cannot be used; the sentence says why."""


def couples(players: int) -> list[tuple[int, int]]:
    """Every two seats, in the order of their vectors; seats are counted from the one to move."""
    return list(combinations(range(players), 2))


def shapes_of(players: int, units: int) -> dict[str, tuple[int, ...]]:
    """The shape of every array of a network, by the number of players and the width of vectors."""
    outputs, pairs = 1 if players == 2 else players, len(couples(players))
    return {
        "pairs": (pairs, PAIR_ROWS, units),
        "needs": (pairs, NEEDS * NEEDS, units),
        "early": (units,),
        "hidden": (DEEP, units),
        "hidden_bias": (DEEP,),
        "out": (outputs, DEEP),
        "out_bias": (outputs,),
    }


@dataclass(frozen=True, order=True)
class Family:
    """The games that one network serves: V1 and V2 are among what it sees."""

    players: int
    sharing: Sharing

    @property
    def name(self) -> str:
        """As files and logs write it."""
        return f"{self.players}-{self.sharing.value}"

    @property
    def rule_sets(self) -> tuple[Rules, ...]:
        """V1 and V2 in all combinations; the editions print most of them."""
        return tuple(
            Rules(self.players, win, early, self.sharing)
            for win in (3, 4, 5)
            for early in (False, True)
        )


FAMILIES = tuple(Family(players, sharing) for players in (2, 3, 4) for sharing in Sharing)


@dataclass(frozen=True, eq=False)
class PackedNetwork:
    """The arrays of one network, one after the other."""

    players: int
    units: int
    data: bytes

    def arrays(self) -> dict[str, bytes]:
        """The bytes of each array."""
        found, at = {}, 0
        for name, shape in shapes_of(self.players, self.units).items():
            end = at + array_bytes(name, shape)
            found[name], at = self.data[at:end], end
        return found


def array_bytes(name: str, shape: tuple[int, ...]) -> int:
    """How many bytes an array takes in a file."""
    return prod(shape) * (2 if name in VECTORS else 4)


class PackedNetworks(Mapping[str, PackedNetwork]):
    """The networks of a file by name; each is unpacked when it is first asked for."""

    def __init__(self, path: Path, streams: Mapping[str, "_Stream"]) -> None:
        self._path = path
        self._streams = streams
        self._unpacked: dict[str, PackedNetwork] = {}

    def __getitem__(self, name: str) -> PackedNetwork:
        """The arrays of a network.

        Raises:
            KeyError: If there is none of that name.
            BadNetworks: If it is damaged.
        """
        found = self._unpacked.get(name)
        if found is None:
            found = self._unpacked[name] = self._unpack(self._streams[name])
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._streams

    def __iter__(self) -> Iterator[str]:
        return iter(self._streams)

    def __len__(self) -> int:
        return len(self._streams)

    def players(self, name: str) -> int:
        """For how many seats a network is: known without unpacking it."""
        return self._streams[name].players

    def _unpack(self, stream: "_Stream") -> PackedNetwork:
        expected = stream.size
        try:
            data, rest = FORMAT.unpack(stream.packed, expected)
        except BadFile as bad:
            raise BadNetworks(bad.template, name=self._path.name) from None
        if rest or len(data) != expected:
            raise BadNetworks("{name} cannot be unpacked.", name=self._path.name)
        network = PackedNetwork(stream.players, stream.units, data)
        for field, raw in network.arrays().items():
            if field not in VECTORS and not all(map(isfinite, array("f", raw))):
                raise BadNetworks("{name} has weights that are not finite.", name=self._path.name)
        return network


@dataclass(frozen=True)
class _Stream:
    """A network as it lies in a file."""

    players: int
    units: int
    packed: bytes

    @property
    def size(self) -> int:
        """How many bytes its arrays take."""
        shapes = shapes_of(self.players, self.units)
        return sum(array_bytes(field, shape) for field, shape in shapes.items())


def read_packed(path: Path) -> tuple[PackedNetworks, dict[str, Any]]:
    """The networks of a file by name, and the notes that came with them.

    Raises:
        BadNetworks: If it is not such a file, or a damaged one.
    """
    try:
        header, rest = FORMAT.read_first(path, message("{name} is not a file of value networks."))
    except BadFile as bad:
        raise BadNetworks(bad.template, name=path.name, **bad.fields) from None
    described, notes = _header(path, header)
    streams, at = {}, 0
    for name, given in described.items():
        found = _described(given)
        if found is None:
            raise BadNetworks(
                "{name} holds a network of an impossible shape: {network}.",
                name=path.name,
                network=name[:20],
            )
        players, units, length = found
        streams[name] = _Stream(players, units, rest[at : at + length])
        at += length
    if at > len(rest):
        raise BadNetworks("{name} is shorter than its networks.", name=path.name)
    if at < len(rest):
        raise BadNetworks("{name} is longer than its networks.", name=path.name)
    return PackedNetworks(path, streams), notes


def _header(path: Path, text: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a header says of all networks, and the notes."""
    try:
        match json.loads(text):
            case {"grain": grain, "networks": dict(networks), "notes": dict(notes)} if (
                grain == GRAIN
            ):
                return networks, notes
    except (ValueError, RecursionError):
        pass
    raise BadNetworks("{name} has a damaged header.", name=path.name)


def _described(given: object) -> tuple[int, int, int] | None:
    """The players, the units and the bytes of a network, if they are possible."""
    match given:
        case {"bytes": int(length), "shapes": dict(shapes)} if length > 0:
            for players in PLAYERS:
                match shapes:
                    case {"early": [int(units)]} if units in ALL_UNITS and shapes == {
                        field: list(shape) for field, shape in shapes_of(players, units).items()
                    }:
                        return players, units, length
    return None
