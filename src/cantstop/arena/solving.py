"""Whole games with bots that solve their turns: between ``advance`` and the turn solver.

What ``kernel.play`` is for the simple bots: the same blocks, dice and totals. A game is played in
compiled code up to where a turn has to be solved, the turn is solved in compiled code, and the game
goes on: once or twice a turn, which costs a hundredth of what the turn does.
"""

import numpy as np
from numpy.typing import NDArray

from cantstop.arena.advance import (
    BEGIN_GAME,
    FINISHED,
    GAME,
    JUDGE,
    LUCK_FIGURES,
    SOLVE,
    Table,
    Trace,
    advance,
    note_luck,
)
from cantstop.arena.checkpoint import Totals
from cantstop.bots.compiled import CompiledBots
from cantstop.engine import best_evaluator
from cantstop.engine.compiled import NO_TURN, TurnSolver
from cantstop.kernel.layout import BLOCK_FIGURES, MOST_MOVES, POSITION, STREAM, TALLY
from cantstop.kernel.play import Seatings, note_game
from cantstop.kernel.records import rules_records
from cantstop.rules import Rules


class SolvingGames:
    """Games of compiled bots, some of which solve their turns."""

    def __init__(
        self,
        rules: Rules,
        bots: CompiledBots,
        seed: int,
        *,
        control: bool = False,
        events: int = 0,
    ) -> None:
        self._records = rules_records(rules)
        self._bots = bots
        self._seed = seed
        self._control = control
        evaluators = bots.evaluators(rules)
        judge = best_evaluator(rules) if control else None
        solvers = {
            evaluator: TurnSolver(rules, evaluator)
            for evaluator in (*evaluators, judge)
            if evaluator
        }
        self._solvers = [None if each is None else solvers[each] for each in evaluators]
        self._judge = None if judge is None else solvers[judge]
        self._sets = next(iter(solvers.values())).sets
        self.table = Table(
            np.zeros(2, POSITION),
            np.zeros(2, STREAM),
            np.zeros(1, TALLY),
            np.zeros(1, GAME),
            np.zeros(MOST_MOVES),
            np.zeros(rules.players if control else 0),
            Trace(np.zeros((events, 4), np.int64), np.zeros(1, np.int64)),
        )

    def play(self, seatings: Seatings, first_game: int, last_game: int) -> Totals:
        """Games from one number up to another, as the kernel's ``play_games`` numbers them."""
        totals, figures = Totals(), np.zeros(BLOCK_FIGURES + 1, np.int64)
        luck_figures = np.zeros(LUCK_FIGURES + 1, np.int64)
        table, size = self.table, len(seatings.bots)
        for game in range(first_game, last_game):
            block, place = divmod(game, size)
            seats = seatings.bots[place]
            self.play_game(seats, block * seatings.dice_a_block + int(seatings.dice[place]))
            last = int(table.positions["seat"][0])
            note_game(totals.array, figures, seats, table.tallies, last, place, size)
            if self._control:
                note_luck(totals.array, luck_figures, seats, table.tallies, table.luck, place, size)
        return totals

    def play_game(self, seats: NDArray[np.int64], number: int) -> None:
        """One game with the dice of that number."""
        table, game = self.table, self.table.games
        game["seed"], game["number"], game["next"] = self._seed, number, BEGIN_GAME
        turn = judge = NO_TURN
        while True:
            asked = advance(
                self._records,
                self._sets,
                self._bots.records,
                self._bots.judgements,
                seats,
                turn,
                judge,
                table,
            )
            if asked == FINISHED:
                return
            own = self._solvers[seats[table.positions["seat"][0]]]
            solver = self._judge if asked == JUDGE else own
            assert solver is not None
            found = solver.solve(table.positions, game["roots"][0, : game["root_count"][0]])
            if asked == JUDGE:
                judge, game["judged"] = found, True
            if asked == SOLVE or own is solver:
                turn, game["solved"] = found, True
