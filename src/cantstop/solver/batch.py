"""Many anchors of one level solved one after the other, in compiled code."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cantstop.engine.compiled import cached
from cantstop.engine.frame import Frame
from cantstop.solver.anchor import fixed_point, new_side, prepare
from cantstop.solver.compiled import SOURCES
from cantstop.solver.guess import guess_value
from cantstop.solver.numbering import Digits
from cantstop.solver.survey import image, read_digits


def _entry(sources: str) -> Callable[..., int]:
    @cached
    def solve_batch(
        frame: Frame,
        digits: Digits,
        players: int,
        mirrored: bool,
        states: int,
        weights: NDArray[np.float64],
        numbers: NDArray[np.int64],
        values: NDArray[np.float64],
    ) -> int:
        """Fill in the values of these anchors and of their images; returns the passes it took."""
        sources  # noqa: B018  what the cache looks at
        sides = new_side(frame, states), new_side(frame, states)
        total = players - 1.0
        unknown, slope = (2.0, -0.7) if players == 1 else (0.5, -0.9)
        passes = 0
        for number in numbers:
            mine, theirs = sides[0].digit, sides[1].digit
            read_digits(digits, number, mine)
            flipped = image(digits, mine, number, mirror=False, flip=players > 1)
            counts = prepare(frame, digits, flipped, total, values, sides[0]), 0
            symmetric = flipped == number
            if not symmetric:
                read_digits(digits, flipped, theirs)
                counts = counts[0], prepare(frame, digits, number, total, values, sides[1])
            guess = guess_value(digits, mine, number, weights, values, unknown)
            value, slope, took = fixed_point(frame, sides, counts, players, symmetric, guess, slope)
            passes += took
            values[number] = value
            if mirrored:
                values[image(digits, mine, number, mirror=True, flip=False)] = value
            if not symmetric:
                # after the last pass this is the other seat's turn at the final value
                other = sides[1].value[0]
                values[flipped] = other
                if mirrored:
                    values[image(digits, mine, number, mirror=True, flip=True)] = other
        return passes

    return solve_batch


solve_batch = _entry(SOURCES)
