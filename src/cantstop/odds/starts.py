"""Who will start, while the roll-off for it goes on (M4)."""

from fractions import Fraction
from math import comb

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
    thrown = dict(zip(roll_off.contenders, roll_off.sums, strict=False))
    missing = roll_off.contenders[len(thrown) :]
    # by the highest sum, and by how many of those who are yet to throw have it
    for highest, part in sums.items():
        if any(total > highest for total in thrown.values()):
            continue
        ahead = [seat for seat, total in thrown.items() if total == highest]
        below = sum((other for total, other in sums.items() if total < highest), Fraction(0))
        for tied in range(0 if ahead else 1, len(missing) + 1):
            chance = comb(len(missing), tied) * part**tied * below ** (len(missing) - tied)
            each = chance / (len(ahead) + tied)
            for seat in ahead:
                chances[seat] += each
            for seat in missing:
                chances[seat] += each * tied / len(missing)
    return tuple(map(float, chances))
