"""The turn solver's view of a table: exact values for every anchor of a solved game."""

from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cantstop.engine import Anchors
from cantstop.rules import InvalidRules, Start
from cantstop.solver.table import Table


class TableEvaluator:
    """Looks anchors up in a table."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @cached_property
    def _places(self) -> NDArray[np.int64]:
        """What a column adds to an anchor's number, by own and other token."""
        numbering = self.table.numbering
        longest = max(numbering.rules.board.lengths)
        places = np.full((len(numbering.conditions), longest + 1, longest + 1), -1, np.int64)
        for column, digits in enumerate(numbering.conditions):
            for digit, condition in enumerate(digits):
                weight = numbering.digits.weight[column]
                places[column, condition.own, condition.other] = digit * weight
        return places

    def evaluate(self, anchors: Anchors) -> NDArray[np.float64]:
        """The exact worth of every anchor to every seat."""
        if replace(anchors.rules, start=Start.FIRST_SEAT) != self.table.rules:
            raise InvalidRules(
                "The table is for other rules: {table}, not {rules}.",
                table=str(self.table.rules),
                rules=str(anchors.rules),
            )
        own = anchors.spaces[:, anchors.seat].astype(np.int64)
        alone = anchors.rules.players == 1
        other = np.zeros_like(own) if alone else anchors.spaces[:, 1 - anchors.seat]
        columns = np.arange(own.shape[1])
        numbers = self._places[columns, own, other].sum(axis=1)
        values = self.table.values[numbers].astype(np.float64)
        worth = np.empty((len(anchors), anchors.rules.players))
        worth[:, anchors.seat] = -values if alone else values
        if not alone:
            worth[:, 1 - anchors.seat] = 1 - values
        return worth
