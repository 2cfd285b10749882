"""The exponential function, and sums, to the same bits on every machine.

A rating can be worked out again by anybody who has the records, and has to come out the same in
every digit. The standard library's ``exp`` is the C library's, which differs between systems, and
``sum`` rounds otherwise since Python 3.12. Here are only additions, subtractions, multiplications
and divisions of IEEE 754, which are rounded in one way everywhere; ``fsum`` and ``sqrt`` are exact
but for the last rounding, and may be used too.
"""

from collections.abc import Sequence
from math import floor, fsum, ldexp
from operator import mul

_INVERSE_LN2 = 1.4426950408889634
_LN2_HIGH = 0.693147180369123816490
"""The first 33 bits of ln 2: its product with a small whole number is exact."""
_LN2_LOW = 1.90821492927058770002e-10
_COEFFICIENTS = tuple(
    1.0 / factorial
    for factorial in (
        6227020800.0,
        479001600.0,
        39916800.0,
        3628800.0,
        362880.0,
        40320.0,
        5040.0,
        720.0,
        120.0,
        24.0,
        6.0,
        2.0,
        1.0,
        1.0,
    )
)
_LARGEST = 700.0


def exponential(x: float) -> float:
    """The number e to the power of x, within two units in the last place.

    Beyond ±700 it is that of ±700.

    >>> exponential(0.0), exponential(1.0)
    (1.0, 2.7182818284590455)
    """
    x = max(-_LARGEST, min(_LARGEST, x))
    twos = floor(x * _INVERSE_LN2 + 0.5)
    rest = (x - twos * _LN2_HIGH) - twos * _LN2_LOW
    total = 0.0
    for coefficient in _COEFFICIENTS:
        total = total * rest + coefficient
    return ldexp(total, twos)


def dot(left: Sequence[float], right: Sequence[float]) -> float:
    """The sum of products of two sequences that are equally long."""
    return fsum(map(mul, left, right))
