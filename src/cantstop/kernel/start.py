"""Who starts, in compiled form: the roll-off with two dice a seat (M4)."""

from cantstop.jit import compiled
from cantstop.kernel.layout import RulesRecord, StreamRecord
from cantstop.kernel.stream import below


@compiled
def throw_two(stream: StreamRecord, sides: int) -> int:
    """The sum of two dice."""
    thrown = below(stream, sides * sides)
    return thrown // sides + thrown % sides + 2


@compiled
def who_starts(rules: RulesRecord, stream: StreamRecord) -> int:
    """The seat that starts; those who tie for the highest sum throw again, in the same order.

    Seats are bits of a number, so that the seats of a round need no list.
    """
    if not rules.roll_off:
        return 0
    contenders = (1 << rules.players) - 1
    while contenders & (contenders - 1):
        best, tied = 0, 0
        for seat in range(rules.players):
            if contenders >> seat & 1:
                thrown = throw_two(stream, rules.sides)
                if thrown > best:
                    best, tied = thrown, 1 << seat
                elif thrown == best:
                    tied |= 1 << seat
        contenders = tied
    starts = 0
    while contenders > 1:
        contenders >>= 1
        starts += 1
    return starts
