"""The chance to bust, by going through every roll: a chance node has exact probabilities."""

from fractions import Fraction

from cantstop import Phase, Position


def bust_chance(position: Position) -> Fraction:
    """How likely the next roll is of no use."""
    return sum(
        (
            chance.probability
            for chance in position.chances
            if position.roll(chance.dice).phase is Phase.BUST
        ),
        start=Fraction(),
    )


for runners in ("6:1,7:1,8:1", "2:1,3:1,12:1"):
    bust = bust_chance(Position.parse(f"v1,players=2 -/- 1 {runners} -"))
    print(f"{runners}: {bust} = {float(bust):.1%}")
