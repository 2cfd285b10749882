"""Matches and round robins of bots: games by the million, on this machine or on many.

>>> from cantstop.arena import Plan, compete
>>> results = compete(Plan.of(["careful", "bold"], games=200, seed=7))
>>> results.games, results.wins[0] + results.wins[1]
(200, 200.0)
"""

from cantstop.extras import require

require("arena")

from cantstop.arena.compete import compete
from cantstop.arena.plan import Plan
from cantstop.arena.results import MatchResult, Results, Standing

__all__ = ["MatchResult", "Plan", "Results", "Standing", "compete"]
