"""A solved game as a table: in memory, or as a file that is read where it lies.

The file is a header of 4096 bytes (a mark, then JSON, then spaces) and the value of every anchor
in the order of its number, little-endian. The header has the rules, what the values are, and the
SHA-256 of everything behind it.
"""

import json
import os
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cantstop.engine import EXACT, Anchors, EstimateError
from cantstop.files import open_atomically
from cantstop.rules import CantStopError, InvalidRules, Position, Rules, Start
from cantstop.solver.numbering import Numbering
from cantstop.untrusted import open_regular

MARK = b"cantstop table 1\n"
HEADER = 4096
CHECKPOINT = "levels"
"""What the header of a checkpoint has besides: how many levels are solved."""

Values = NDArray[np.float32] | NDArray[np.float64]

_DTYPES = ("<f4", "<f8")
"""A header that could name any type of NumPy's could name one that holds addresses of objects."""


class BadTable(CantStopError):
    """A file that is not a table, or no longer a whole one."""


@dataclass(frozen=True, eq=False)
class Table:
    """The value of every anchor of a game to the player whose turn it is.

    For one player that is the expected number of turns, for two the probability to win.
    """

    numbering: Numbering
    values: Values

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.numbering.rules

    @property
    def start(self) -> float:
        """The value of the first anchor."""
        return float(self.values[self.numbering.start])

    def value(self, anchor: Position) -> float:
        """The value of an anchor to the player whose turn it is."""
        mine = anchor.tokens.spaces[anchor.seat][2:]
        others = [s[2:] for seat, s in enumerate(anchor.tokens.spaces) if seat != anchor.seat]
        return float(self.values[self._number(mine, others[0] if others else None)])

    def _number(self, mine: tuple[int, ...], other: tuple[int, ...] | None) -> int:
        return self.numbering.number(mine, other or (0,) * len(mine))


class TableEvaluator:
    """Looks anchors up in a table."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @cached_property
    def _number_parts(self) -> NDArray[np.int64]:
        """What a column adds to an anchor's number, by own and other token."""
        numbering = self.table.numbering
        longest = max(numbering.rules.board.lengths)
        parts = np.full((len(numbering.conditions), longest + 1, longest + 1), -1, np.int64)
        for column, digits in enumerate(numbering.conditions):
            for digit, condition in enumerate(digits):
                weight = numbering.digits.weight[column]
                parts[column, condition.own, condition.other] = digit * weight
        return parts

    def evaluate(self, anchors: Anchors) -> NDArray[np.float64]:
        """The exact worth of every anchor to every seat.

        Raises:
            InvalidRules: If the table is of other rules.
        """
        if replace(anchors.rules, start=Start.FIRST_SEAT) != self.table.rules:
            raise InvalidRules(
                "The table is for other rules: {table}, not {rules}.",
                table=str(self.table.rules),
                rules=str(anchors.rules),
            )
        own = anchors.spaces[:, anchors.seat].astype(np.int64)
        alone = anchors.rules.players == 1
        other = np.zeros_like(own) if alone else anchors.spaces[:, 1 - anchors.seat]
        columns = np.arange(own.shape[1])
        numbers = self._number_parts[columns, own, other].sum(axis=1)
        values = self.table.values[numbers].astype(np.float64)
        worth = np.empty((len(anchors), anchors.rules.players))
        worth[:, anchors.seat] = -values if alone else values
        if not alone:
            worth[:, 1 - anchors.seat] = 1 - values
        return worth

    def error(self, position: Position) -> EstimateError:  # noqa: ARG002
        """None at all."""
        return EXACT


def write_file(path: Path, values: Values, header: dict[str, Any]) -> None:
    """Write values behind a header, to a file beside the old one that then takes its place."""
    ordered = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
    checksum = sha256(ordered.data).hexdigest()
    whole = {"dtype": ordered.dtype.str, "count": len(values), "sha256": checksum}
    text = MARK + json.dumps({**header, **whole}).encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open_atomically(path) as file:
            file.write(text.ljust(HEADER))
            file.write(ordered.data)
    except OSError as error:
        raise BadTable(
            "{name} cannot be written: {reason}.", name=path.name, reason=error.strerror
        ) from None


def read_file(path: Path) -> tuple[dict[str, Any], Values]:
    """The header and the values of a file, the latter read only when they are asked for.

    A file is not trusted: its values are of one of two types, and as many as its length allows,
    before anything is mapped.
    """
    try:
        with open_regular(path) as file:
            text = file.read(HEADER)
            if not text.startswith(MARK) or len(text) < HEADER:
                raise BadTable("{name} is not a table of this program.", name=path.name)
            header, dtype = _read_header(path, text.removeprefix(MARK))
            if os.fstat(file.fileno()).st_size != HEADER + header["count"] * dtype.itemsize:
                raise BadTable("{name} is truncated: the table is not whole.", name=path.name)
            if file_digest(file, "sha256").hexdigest() != header["sha256"]:
                raise BadTable("{name} is damaged: its checksum does not match.", name=path.name)
            return header, np.memmap(file, dtype, "r", HEADER, header["count"])
    except OSError as error:
        raise BadTable(
            "{name} cannot be read: {reason}.", name=path.name, reason=error.strerror
        ) from None


def _read_header(path: Path, text: bytes) -> tuple[dict[str, Any], np.dtype[Any]]:
    try:
        match header := json.loads(text):
            case {"rules": str(), "sha256": str(), "dtype": str(dtype), "count": int(count)} if (
                dtype in _DTYPES and count > 0 and not isinstance(count, bool)
            ):
                return header, np.dtype(dtype)
    except (ValueError, RecursionError):
        pass
    raise BadTable("{name} has a damaged header.", name=path.name)
