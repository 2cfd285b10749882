"""Pictures of a position: as text for a terminal, as SVG or PNG for everything else."""

from cantstop.draw.marks import RUNNER_MARK, SEAT_MARKS, Mark
from cantstop.draw.options import Arrow
from cantstop.draw.png import board_pixels, board_png
from cantstop.draw.svg import board_svg
from cantstop.draw.text import board_text

__all__ = [
    "RUNNER_MARK",
    "SEAT_MARKS",
    "Arrow",
    "Mark",
    "board_pixels",
    "board_png",
    "board_svg",
    "board_text",
]
