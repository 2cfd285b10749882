"""The records of rules and positions, field by field: what compiled code reads, and what fills it.

Names and meanings are those of ``cantstop.rules``: arrays over columns are indexed by the column's
number, ``runners[column]`` is the space of the runner there, 0 if there is none. Numbers lie in the
order of the fields, each at a multiple of its size, the lowest byte first.
"""

import struct
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import prod
from typing import Any

from cantstop.rules import OFFICIAL, Position, Rules, Sharing, Start
from cantstop.rules.board import LARGEST_DIE
from cantstop.rules.settings import MOST_PLAYERS

COLUMNS = 2 * LARGEST_DIE + 1
"""Arrays over columns have room for the largest board."""

MOST_MOVES = 6
"""Three splits, each of two moves at most (T5)."""

FREE, NO_REST, LEAPFROG = range(3)
SHARING = {Sharing.FREE: FREE, Sharing.NO_REST: NO_REST, Sharing.LEAPFROG: LEAPFROG}

ROUNDING = 1e-12
"""Options whose worths are no further apart are equal: columns 6 and 8 of a board that is its own
mirror image differ by how sums were rounded. Of equals the first is taken, whatever computes."""

Field = tuple[str, str] | tuple[str, str, int | tuple[int, ...]]
"""A name, a type as NumPy writes it, and the sizes of an array."""

RULES_FIELDS: Sequence[Field] = (
    ("players", "i8"),
    ("columns_to_win", "i8"),
    ("early", "i8"),
    ("sharing", "i8"),
    ("roll_off", "i8"),
    ("sides", "i8"),
    ("runners", "i8"),
    ("whole_turns", "i8"),  # whether these are the rules that ``heuristic_turn`` knows
    ("tops", "i1", COLUMNS),
)

POSITION_FIELDS: Sequence[Field] = (
    ("seat", "i8"),
    ("free", "i8"),  # runners in hand
    ("topped", "i8"),  # runners on a top
    ("moves_made", "i8"),  # in this turn
    # sets of columns, bit by bit: column 7 is 1 << 7
    ("open", "i8"),  # not won by anybody
    ("out", "i8"),  # with a runner
    ("usable", "i8"),  # of use if a roll shows them (T2)
    ("move_count", "i8"),  # legal moves of the roll on the table
    ("moves", "i1", (MOST_MOVES, 2)),  # their columns, lowest first; a single one has a 0
    ("won", "i1", MOST_PLAYERS),  # columns won by each seat
    ("tokens", "i1", (MOST_PLAYERS, COLUMNS)),
    ("runners", "i1", COLUMNS),
    ("entered", "i1", COLUMNS),  # the columns with a runner, in the order they were entered
)

JUDGEMENT_FIELDS: Sequence[Field] = (
    ("person", "u8"),  # tells apart people who misjudge differently
    ("misjudgement", "f8"),  # standard deviation of what an option seems to be worth
    ("boldness", "f8"),  # added to rolling again: greedy above 0, timid below
    ("habit", "f8"),  # how much the climb so far counts for stopping ...
    ("enough", "f8"),  # ... and the climb, in columns, at which it says stop
    ("banking", "f8"),  # taken from rolling again while a runner is on a top
    ("middle", "f8"),  # for a step in the longest column; the shortest has minus that
    ("fresh", "f8"),  # for each new runner that a move brings out
    ("summit", "f8"),  # for a step, by how far up the column it leads
)

_CODES = {"i1": "b", "i8": "q", "u8": "Q", "f8": "d"}


class Packer:
    """Writes records of some fields as bytes, and reads them.

    Arrays of bytes that are given too short end with zeros.
    """

    def __init__(self, fields: Sequence[Field]) -> None:
        kinds = [kind for _, kind, *_ in fields]
        assert kinds == sorted(kinds, key="i1".__eq__), "what is small comes last"
        self._numbers = [name for name, kind, *_ in fields if kind != "i1"]
        self._bytes = {name: prod(_sizes(rest)) for name, kind, *rest in fields if kind == "i1"}
        self._struct = struct.Struct("<" + "".join(_CODES[kind] for kind in kinds if kind != "i1"))
        self._whole = struct.Struct("<" + "".join(_format(kind, rest) for _, kind, *rest in fields))
        self._places: dict[str, int | slice] = {}
        at = 0
        for name, _, *rest in fields:
            count = prod(_sizes(rest))
            self._places[name] = slice(at, at + count) if rest else at
            at += count
        self.size = -(-self._whole.size // 8) * 8

    def pack(self, values: Mapping[str, Any]) -> bytes:
        """A record of these values, those of an array in a row."""
        parts = [self._struct.pack(*(values[name] for name in self._numbers))]
        parts += (bytes(values[name]).ljust(count, b"\0") for name, count in self._bytes.items())
        return b"".join(parts).ljust(self.size, b"\0")

    def unpack(self, data: bytes) -> dict[str, Any]:
        """The values of a record, those of an array in a row."""
        found = self._whole.unpack_from(data)
        return {name: found[place] for name, place in self._places.items()}


def _sizes(given: Sequence[Any]) -> tuple[int, ...]:
    if not given:
        return ()
    return given[0] if isinstance(given[0], tuple) else (given[0],)


def _format(kind: str, given: Sequence[Any]) -> str:
    return f"{prod(_sizes(given))}{_CODES[kind]}"


def rules_values(rules: Rules) -> dict[str, Any]:
    """What compiled code has to know of some rules."""
    return {
        "players": rules.players,
        "columns_to_win": rules.columns_to_win,
        "early": int(rules.early),
        "sharing": SHARING[rules.sharing],
        "roll_off": int(rules.start is Start.ROLL_OFF and rules.players > 1),
        "sides": rules.board.sides,
        "runners": rules.board.runners,
        "whole_turns": int(
            rules.board == OFFICIAL and rules.sharing is Sharing.FREE and not rules.early
        ),
        "tops": rules.board.tops,
    }


def position_values(position: Position, moves_made: int) -> dict[str, Any]:
    """What compiled code has to know of a position, with the legal moves of the dice on the table.

    ``moves_made`` counts the moves that the turn has had, which a position does not know.
    """
    board, tokens, runners = position.rules.board, position.tokens, position.runners
    out = [column for column, space in enumerate(runners) if space]
    topped = [column for column in out if runners[column] == board.tops[column]]
    within_reach = tokens.open_columns if position.free_runners else out
    legal = position.legal_moves
    return {
        "seat": position.seat,
        "free": position.free_runners,
        "topped": len(topped),
        "moves_made": moves_made,
        "open": column_bits(tokens.open_columns),
        "out": column_bits(out),
        "usable": column_bits(set(within_reach).difference(topped)),
        "move_count": len(legal),
        "moves": list(chain.from_iterable((*move, 0)[:2] for move in legal)),
        "won": tokens.counts,
        "tokens": b"".join(bytes(seat).ljust(COLUMNS, b"\0") for seat in tokens.spaces),
        "runners": runners,
        "entered": out,
    }


def column_bits(columns: Iterable[int]) -> int:
    """Columns as bits of a number: column 7 is 1 << 7."""
    return sum(1 << column for column in columns)
