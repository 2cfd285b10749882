"""Anchors of games that the classic bots play: to train from, and to measure at."""

import numpy as np
from numpy.typing import NDArray

from cantstop.bots import any_bot
from cantstop.bots.compiled import record_of
from cantstop.engine.evaluators.value.network import COLUMNS, SEAT
from cantstop.jit import compiled
from cantstop.kernel.layout import GOES_ON, POSITION, STREAM, TALLY, Array, RollsRecord, RulesRecord
from cantstop.kernel.play import Workspace, play_turn
from cantstop.kernel.records import rules_records
from cantstop.kernel.steps import begin_game
from cantstop.kernel.stream import open_stream
from cantstop.rules import Rules

BOTS = ("glenn-linear", "glenn-aloi-linear", "glenn-aloi-constant", "rule-of-28", "bold")
KEPT = 0.2
"""How many of a game's anchors are kept: neighbours are alike."""


def classic_starts(rules: Rules, count: int, seed: int) -> NDArray[np.int8]:
    """A number of starts from games of bots that are drawn for every game."""
    players = [record_of(any_bot(name)) for name in BOTS]
    bots = np.concatenate([record for record in players if record is not None])
    starts = np.zeros((count, rules.players * SEAT + 2), np.int8)
    records = rules_records(rules)
    _collect(records.rules[0], records.rolls[0], bots, seed, starts)
    starts[:, -2], starts[:, -1] = rules.columns_to_win, rules.early
    return starts


@compiled
def _collect(rules: RulesRecord, rolls: RollsRecord, bots: Array, seed: int, starts: Array) -> None:
    np.random.seed(seed)
    positions, streams, tallies = np.zeros(2, POSITION), np.zeros(2, STREAM), np.zeros(1, TALLY)
    position = positions[0]
    workspace = Workspace(rules, rolls, position, positions[1], streams[0], streams[1], tallies[0])
    players = rules.players
    count, game = 0, 0
    seated = np.zeros(players, np.int64)
    while count < len(starts):
        game += 1
        begin_game(rules, position, 0)
        for seat in range(players):
            seated[seat] = np.random.randint(len(bots))
        goes_on, turn = GOES_ON, 0
        while goes_on == GOES_ON and count < len(starts):
            turn += 1
            bot = bots[seated[position.seat]]
            open_stream(streams[0], np.uint64(seed), np.uint64(game), turn, 0)
            goes_on = play_turn(workspace, bot)
            if goes_on != GOES_ON or np.random.random() > KEPT:
                continue
            for place in range(players):
                seat = (position.seat + place) % players
                for column in range(COLUMNS):
                    is_open = position.open >> (column + 2) & 1
                    left = rules.tops[column + 2] - position.tokens[seat, column + 2]
                    starts[count, place * SEAT + column] = left if is_open else 0
                needed = rules.columns_to_win - position.won[seat]
                starts[count, place * SEAT + COLUMNS] = needed
            count += 1
