"""Exact odds: the chance of a bust, of each column, of surviving, for any runners; and par."""

from cantstop.odds.chart import triples_chart
from cantstop.odds.exact import (
    PAR,
    column_rolls,
    is_official_solo,
    is_survival_quick,
    par,
    rolls_of,
    survival,
    triple_rolls,
    usable_chance,
    usable_rolls,
)
from cantstop.odds.situation import Situation
from cantstop.odds.starts import starting_chances

__all__ = [
    "PAR",
    "Situation",
    "column_rolls",
    "is_official_solo",
    "is_survival_quick",
    "par",
    "rolls_of",
    "starting_chances",
    "survival",
    "triple_rolls",
    "triples_chart",
    "usable_chance",
    "usable_rolls",
]
