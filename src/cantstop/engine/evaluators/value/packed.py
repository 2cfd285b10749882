"""The value networks as their file has them: which there are, their shapes, the file read.

    cantstop value networks          a line that says what it is
    1                                the version of this format, a line
    5c1e…                            SHA-256 of all that follows, in hexadecimal, a line
    …                                an XZ stream

In the stream everything is little-endian: the length of the header in 4 bytes; the header, an
object in JSON; then the arrays of all networks one after the other. The header has ``grain``,
``networks`` (for each of them the shapes of its arrays, by name) and ``notes`` (what its maker says
of them: ``errors`` above all, see ``ErrorTable.parse``). The arrays come in the order of ``NAMES``:
vectors as 16-bit multiples of the grain, the low bytes of an array before its high bytes; the
layers as 32-bit floats. The engine's module reads the arrays of a network as they are here.

A file is not trusted: it is at most so large, so is what it unpacks to, and every shape, number and
byte of it is checked before it is used.
"""

import json
from array import array
from dataclasses import dataclass
from math import isfinite, prod
from pathlib import Path
from typing import Any

from cantstop.language import message
from cantstop.rules import OFFICIAL, CantStopError, Rules, Sharing
from cantstop.untrusted import BadFile, PackedFormat

MAGIC = b"cantstop value networks\n"
VERSION = 1

MAX_FILE = 16 << 20
MAX_CONTENT = 64 << 20
FORMAT = PackedFormat(MAGIC, VERSION, MAX_FILE, MAX_CONTENT)

MAX_UNITS = 1024
UNITS_STEP = 8
"""The length of vectors is a multiple of this: the processor works on neighbours at once."""

PLAYERS = (2, 3, 4)
DEEP = 32
NEEDS = 5
"""The most columns that a seat can need; the fewest is one."""

PAIR_ROWS = sum((length + 1) ** 2 for length in OFFICIAL.lengths)
OTHER_ROWS = sum(length + 1 for length in OFFICIAL.lengths)

GRAIN = 2.0**-10
"""Vectors are whole multiples of it: sums of them are exact, whatever their order."""

VECTORS = ("pairs", "others", "needs", "early")
NAMES = (*VECTORS, "hidden", "hidden_bias", "out", "out_bias")


class BadNetworks(CantStopError):
    """A file of value networks that cannot be used; the sentence says why."""


def shapes_of(players: int, units: int) -> dict[str, tuple[int, ...]]:
    """The shape of every array of a network, by the number of players and the width of vectors."""
    outputs = 1 if players == 2 else players
    return {
        "pairs": (PAIR_ROWS, units),
        "others": (0 if players == 2 else players - 1, OTHER_ROWS, units),
        "needs": (players - 1, NEEDS * NEEDS, units),
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


def read_packed(path: Path) -> tuple[dict[str, PackedNetwork], dict[str, Any]]:
    """The networks of a file by name, and the notes that came with them.

    Raises:
        BadNetworks: If it is not such a file, or a damaged one.
    """
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
        end = at + sum(array_bytes(field, shape) for field, shape in expected.items())
        if end > len(content):
            raise BadNetworks("{name} is shorter than its networks.", name=path.name)
        others, _, units = expected["needs"]
        network = PackedNetwork(others + 1, units, content[at:end])
        networks[name], at = network, end
        for field, data in network.arrays().items():
            if field not in VECTORS and not all(map(isfinite, array("f", data))):
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
