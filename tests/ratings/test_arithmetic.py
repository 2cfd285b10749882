"""The exponential function, compared with decimal arithmetic of forty digits."""

from decimal import Decimal, localcontext
from math import ulp

from cantstop.ratings.arithmetic import exponential


def test_it_is_right_within_two_units_in_the_last_place() -> None:
    for n in range(-600, 601):
        x = n / 19
        with localcontext(prec=40):
            exact = Decimal(x).exp()
            assert abs(Decimal(exponential(x)) - exact) <= 2 * Decimal(ulp(float(exact))), x


def test_it_has_these_bits_on_every_machine() -> None:
    found = [exponential(x).hex() for x in (0.1, -0.7, 12.3)]
    assert found == BITS


def test_beyond_what_ratings_can_be_it_stays_a_number() -> None:
    assert exponential(1e9) == exponential(700.0)
    assert exponential(-1e9) > 0.0


BITS: list[str] = ["0x1.1aec7b35a00d4p+0", "0x1.fc80db9dd5542p-2", "0x1.ad17fe8ccf016p+17"]
