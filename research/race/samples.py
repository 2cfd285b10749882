"""Views to learn from: seats in the middle of games that the classic bots play."""

import numpy as np
from numpy.typing import NDArray

from cantstop.bots import any_bot
from cantstop.bots.compiled import record_of
from cantstop.engine.evaluators.race.network import COLUMNS, PLACES
from cantstop.jit import compiled
from cantstop.kernel.layout import GOES_ON, POSITION, STREAM, TALLY, Array, RollsRecord, RulesRecord
from cantstop.kernel.play import Workspace, play_turn
from cantstop.kernel.records import rules_records
from cantstop.kernel.steps import begin_game
from cantstop.kernel.stream import open_stream
from cantstop.rules import OFFICIAL, Rules

BOTS = ("glenn-linear", "glenn-linear", "glenn-aloi-linear", "rule-of-28", "bold")
GAMES = {
    Rules(players=1): 0.15,
    Rules(players=2): 0.4,
    Rules(players=3): 0.1,
    Rules(players=4): 0.1,
    Rules(players=2, columns_to_win=5): 0.15,
    Rules(players=3, columns_to_win=4): 0.1,
}
"""The share of the views that comes from each kind of game."""

ADVANCED, CLOSED, KEPT = 0.6, 0.1, 0.25
"""How often a view is moved on by a turn, loses a column, and is kept at all."""

GOES_UP = 0.65


def sample(count: int, seed: int) -> NDArray[np.int8]:
    """About ``count`` different views, in any order; the empty board is among them."""
    players = [record_of(any_bot(name)) for name in BOTS]
    bots = np.concatenate([record for record in players if record is not None])
    parts = [np.array([[*OFFICIAL.lengths, need] for need in range(1, 6)], np.int8)]
    for number, (rules, share) in enumerate(GAMES.items()):
        views = np.zeros((int(count * share), PLACES), np.int8)
        records = rules_records(rules)
        _collect(records.rules[0], records.rolls[0], bots, seed + number, views)
        parts.append(views)
    return np.random.default_rng(seed).permutation(np.unique(np.concatenate(parts), axis=0))


@compiled
def _look(rules: RulesRecord, position: Array, seat: int, view: Array) -> None:
    """What a seat sees."""
    for column in range(COLUMNS):
        is_open = position.open >> (column + 2) & 1
        gone = position.tokens[seat, column + 2]
        view[column] = rules.tops[column + 2] - gone if is_open else 0
    view[COLUMNS] = rules.columns_to_win - position.won[seat]


@compiled
def _advance(view: Array) -> None:
    """Move up to three columns on by some steps, as a turn may do."""
    for _ in range(np.random.randint(1, 4)):
        column, steps = np.random.randint(COLUMNS), 1
        while np.random.random() < GOES_UP:
            steps += 1
        if steps < view[column]:
            view[column] -= steps
        elif view[column] > 0:
            view[column] = 0
            view[COLUMNS] -= 1


@compiled
def _collect(rules: RulesRecord, rolls: RollsRecord, bots: Array, seed: int, views: Array) -> None:
    """Play games until all rows are filled in."""
    np.random.seed(seed)
    positions, streams, tallies = np.zeros(2, POSITION), np.zeros(2, STREAM), np.zeros(1, TALLY)
    position = positions[0]
    workspace = Workspace(rules, rolls, position, positions[1], streams[0], streams[1], tallies[0])
    count, game = 0, 0
    while count < len(views):
        game += 1
        begin_game(rules, position, 0)
        goes_on, turn = GOES_ON, 0
        while goes_on == GOES_ON and count < len(views):
            turn += 1
            bot = bots[np.random.randint(len(bots))]
            open_stream(streams[0], np.uint64(seed), np.uint64(game), turn, 0)
            goes_on = play_turn(workspace, bot)
            if goes_on != GOES_ON or np.random.random() > KEPT:
                continue
            view = views[count]
            _look(rules, position, np.random.randint(rules.players), view)
            if np.random.random() < ADVANCED:
                _advance(view)
            if np.random.random() < CLOSED:
                view[np.random.randint(COLUMNS)] = 0
            if 0 < view[COLUMNS] <= (view[:COLUMNS] > 0).sum():
                count += 1
