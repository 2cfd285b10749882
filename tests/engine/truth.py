"""A turn played out by brute force: plain recursion over the rules, exact fractions."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from cantstop.rules import Phase, Position

Worth = Callable[[Position], Fraction]
"""What a position in which the turn has ended is worth to the player whose turn it was."""


class Truth:
    """The best that can be done from any position of a turn."""

    def __init__(self, worth: Worth) -> None:
        self.worth = worth
        self.value = cache(self._value)
        self.bust_chance = cache(self._bust_chance)

    def _value(self, position: Position) -> Fraction:
        match position.phase:
            case Phase.MOVE:
                return max(self.value(position.move(move)) for move in position.legal_moves)
            case Phase.BUST:
                return self.worth(position.bust())
            case Phase.CHOICE if position.may_stop:
                return max(self.stop_value(position), self.roll_value(position))
            case _:
                return self.roll_value(position)

    def stop_value(self, position: Position) -> Fraction:
        return self.worth(position.stop())

    def roll_value(self, position: Position) -> Fraction:
        return sum(
            chance.probability * self.value(position.roll(chance.dice))
            for chance in position.chances
        )  # type: ignore[return-value]

    def stops(self, position: Position) -> bool:
        return position.may_stop and self.stop_value(position) >= self.roll_value(position)

    def _bust_chance(self, position: Position) -> Fraction:
        match position.phase:
            case Phase.MOVE:
                best = max(position.legal_moves, key=lambda move: self.value(position.move(move)))
                return self.bust_chance(position.move(best))
            case Phase.BUST:
                return Fraction(1)
            case Phase.CHOICE if self.stops(position):
                return Fraction(0)
            case _:
                return sum(
                    chance.probability * self.bust_chance(position.roll(chance.dice))
                    for chance in position.chances
                )  # type: ignore[return-value]


def turn_positions(anchor: Position) -> set[Position]:
    """Every position that the turn of an anchor can come to, with and without dice."""
    seen = {anchor}
    waiting = [anchor]
    while waiting:
        position = waiting.pop()
        if position.phase is Phase.MOVE:
            after = [position.move(move) for move in position.legal_moves]
        elif position.may_roll:
            after = [position.roll(chance.dice) for chance in position.chances]
        else:
            after = []
        fresh = set(after) - seen
        seen |= fresh
        waiting.extend(fresh)
    return seen
