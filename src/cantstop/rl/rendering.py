"""What the environments show of a position: the board as text or as a picture."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cantstop.draw import board_pixels, board_text
from cantstop.rules import Position, WrongType

ANSI, RGB_ARRAY = "ansi", "rgb_array"

METADATA: dict[str, Any] = {"render_modes": [ANSI, RGB_ARRAY], "render_fps": 4}

PICTURE_WIDTH = 600
"""Pixels: enough to read the columns' numbers, and little enough for a film of many games."""


def check_render_mode(mode: str | None) -> None:
    """Refuse what boards cannot be shown as here."""
    if mode not in (None, ANSI, RGB_ARRAY):
        raise WrongType(
            "{mode} is not a render mode here: give “ansi”, “rgb_array” or None.", mode=repr(mode)
        )


def rendered(position: Position, mode: str | None) -> str | NDArray[np.uint8] | None:
    """The board as text, as an array of pixels (height, width, red-green-blue), or nothing."""
    if mode == RGB_ARRAY:
        rows = board_pixels(position, size=PICTURE_WIDTH)
        return np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1, 3).copy()
    return board_text(position) if mode == ANSI else None
