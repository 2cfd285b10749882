"""Exact odds: the chance of a bust, of each column, of surviving, for any runners."""

from cantstop.odds.chart import triples_chart
from cantstop.odds.exact import (
    column_rolls,
    rolls_of,
    survival,
    triple_rolls,
    usable_chance,
    usable_rolls,
)
from cantstop.odds.situation import Situation

__all__ = [
    "Situation",
    "column_rolls",
    "rolls_of",
    "survival",
    "triple_rolls",
    "triples_chart",
    "usable_chance",
    "usable_rolls",
]
