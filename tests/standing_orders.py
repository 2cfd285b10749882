"""What a standing order may do, said once more in plain words, from a table's events alone.

The board is that of ``oracle``, which has its rules from docs/rules.md; nothing of what decides for
the server is used here.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from itertools import product

import oracle
from cantstop.rules import Busted, Moved, Position, Rolled, Stopped
from cantstop.table.events import (
    Entry,
    Finished,
    Order,
    Ordered,
    Played,
    Resigned,
    Revoked,
    Substituted,
    TakenBack,
)


@cache
def all_rolls(sides: int) -> Counter[tuple[int, ...]]:
    """Every roll of four dice, sorted, with how often it falls."""
    return Counter(tuple(sorted(dice)) for dice in product(range(1, sides + 1), repeat=4))


def bust_chance(board: oracle.Table) -> tuple[int, int]:
    """How many rolls are of no use, and how many there are: each is tried."""
    rolls = all_rolls((len(board.tops) + 1) // 2)
    busts = sum(times for dice, times in rolls.items() if not oracle.options(board, dice))
    return busts, rolls.total()


def wants_to_stop(order: Order, board: oracle.Table) -> bool:
    """A runner on a top is a column won; and the next roll may be too likely a bust."""
    if order.column and any(board.tops[column] == at for column, at in board.runners.items()):
        return True
    if order.bust is None:
        return False
    busts, rolls = bust_chance(board)
    return 100 * busts > order.bust * rolls


def allowed(order: Order, board: oracle.Table) -> str | None:
    """The one thing that an order may do on this board, or None."""
    if board.contest is not None:  # who starts is no turn yet
        return None
    if board.dice:
        moves = oracle.options(board, tuple(board.dice))
        return next(iter(moves)) if order.runners and len(moves) == 1 else None
    if board.runners and wants_to_stop(order, board):
        return "stop" if oracle.may_stop(board) else None
    if order.runners and len(board.runners) < board.supply:
        return "roll"
    return None


@dataclass
class Watcher:
    """Reads a table's events, and finds whatever an order has done beyond what was said."""

    board: oracle.Table
    orders: dict[int, Order] = field(default_factory=dict)
    before: dict[int, tuple[str, int]] = field(default_factory=dict)
    """The board before each play, as text, and whose turn it was."""
    played: Counter[str] = field(default_factory=Counter)
    """What orders have done."""
    over: bool = False

    @classmethod
    def of(cls, start: Position) -> "Watcher":
        return cls(oracle.read(str(start)))

    def see(self, entries: Iterable[Entry]) -> None:
        """Follow events, each of which has to be allowed."""
        for entry in entries:
            match entry.event:
                case Played(event, ordered=ordered):
                    if ordered:
                        self._check(entry)
                    self.before[entry.n] = oracle.write(self.board), self.board.seat
                    self._play(event)
                case Ordered(order) if entry.seat is not None:
                    self.orders[entry.seat] = order
                case Revoked() | Substituted() | Resigned() if entry.seat is not None:
                    self.orders.pop(entry.seat, None)
                case TakenBack(event=n):
                    text, seat = self.before[n]
                    self.board = oracle.read(text)
                    self.orders.pop(seat - 1, None)
                case Finished():
                    self.orders.clear()
                    self.over = True

    def _check(self, entry: Entry) -> None:
        assert isinstance(entry.event, Played)
        assert entry.seat == self.board.seat - 1
        assert entry.action is None, "no player asked for it"
        order = self.orders.get(entry.seat)
        assert order is not None, f"event {entry.n} follows an order that does not stand"
        may = allowed(order, self.board)
        match entry.event.event:
            case Rolled():
                done = "roll"
            case Stopped():
                done = "stop"
            case Moved(move):
                done = str(move)
            case other:
                raise AssertionError(f"{other} is no decision")
        assert done == may, f"event {entry.n}: {order} allows {may}, not {done}"
        self.played["move" if isinstance(entry.event.event, Moved) else done] += 1

    def is_at_rest(self) -> None:
        """Between two changes no order has anything left to do."""
        order = self.orders.get(self.board.seat - 1)
        if order is not None and not self.over:
            assert allowed(order, self.board) is None, f"{order} has not acted"

    def _play(self, event: Rolled | Moved | Stopped | Busted) -> None:
        match event:
            case Rolled(dice):
                oracle.roll(self.board, dice)
            case Moved(move):
                oracle.move(self.board, str(move))
            case Stopped():
                oracle.stop(self.board)
            case Busted():
                oracle.end_turn(self.board)
