"""The board as a standalone SVG picture."""

from cantstop.draw.svg.picture import board_svg

__all__ = ["board_svg"]
