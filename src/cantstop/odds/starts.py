"""Who will start, while the roll-off for it goes on (M4)."""

from fractions import Fraction
from itertools import product

from cantstop.rules import RollOff, ways


def starting_chances(roll_off: RollOff, players: int, sides: int) -> tuple[float, ...]:
    """The chance of each seat to start.

    Those who tie for the highest sum throw again, and each of them has the same chance then.

    >>> [round(chance, 4) for chance in starting_chances(RollOff((0, 1), (12,)), 2, 6)]
    [0.9861, 0.0139]
    """
    sums: dict[int, Fraction] = {}
    for dice, times in ways(sides, 2).items():
        sums[sum(dice)] = sums.get(sum(dice), Fraction(0)) + Fraction(times, sides**2)
    chances = [Fraction(0)] * players
    missing = len(roll_off.contenders) - len(roll_off.sums)
    for thrown in product(sums.items(), repeat=missing):
        totals = (*roll_off.sums, *(total for total, _ in thrown))
        chance = Fraction(1)
        for _, part in thrown:
            chance *= part
        best = [
            seat
            for seat, total in zip(roll_off.contenders, totals, strict=True)
            if total == max(totals)
        ]
        for seat in best:
            chances[seat] += chance / len(best)
    return tuple(map(float, chances))
