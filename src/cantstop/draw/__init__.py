"""Pictures of a position: as text for a terminal, as SVG for everything else."""

from cantstop.draw.marks import RUNNER_MARK, SEAT_MARKS, Mark
from cantstop.draw.svg import board_svg
from cantstop.draw.text import board_text

__all__ = ["RUNNER_MARK", "SEAT_MARKS", "Mark", "board_svg", "board_text"]
