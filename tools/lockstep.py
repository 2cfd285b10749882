"""Plays the same random games in the rules and in the kernel, and compares after every step."""

import sys
import time
from itertools import cycle, product
from random import Random
from typing import NamedTuple

import numpy as np

from cantstop.bots import BOTS, Bot, bot_named
from cantstop.bots.compiled import record_of
from cantstop.kernel import decide, steps
from cantstop.kernel.layout import POSITION, STREAM
from cantstop.kernel.records import Records, rules_records, to_position
from cantstop.rules import (
    OFFICIAL,
    Board,
    InvalidRules,
    Phase,
    Position,
    Rules,
    Sharing,
    Start,
    ways,
)
from known_figures import READINGS

TURNS = 200_000
TURNS_A_GAME = 60
"""Then the next rules have their turn; small boards come to their end before."""

BOARDS = (
    OFFICIAL,
    Board.stepped(sides=2, shortest=1, runners=1),
    Board.stepped(sides=3, shortest=2, runners=2),
    Board.stepped(sides=4, shortest=1),
    Board((4, 1, 9, 2, 6, 2, 2), runners=5),
    Board.stepped(sides=8, shortest=2, runners=4),
    Board.stepped(sides=20, shortest=1),
)


class Asked(NamedTuple):
    """A bot in both worlds."""

    bot: Bot
    record: Records
    slow: bool


def all_rules() -> list[Rules]:
    """Every combination of variants, player counts, starts, goals and boards."""
    settings = product((1, 2, 3, 4), (1, 3, 5), (False, True), Sharing, Start, BOARDS)
    return [
        Rules(players, min(win, len(board.columns)), early, sharing, start, board)
        for players, win, early, sharing, start, board in settings
    ]


def bots_to_ask(rules: Rules) -> list[Asked]:
    """The bots that decide without chance and that can play on a board."""
    asked = []
    # the expert and the ladder ask the turn solver in both worlds
    names = [name for name, bot in BOTS.items() if bot.level is None]
    for bot in (
        *(bot_named(name) for name in names if name not in ("random", "expert")),
        *READINGS,
    ):
        record = record_of(bot)
        assert record is not None
        try:
            bot.check(rules)
        except InvalidRules:
            continue
        asked.append(Asked(bot, record, slow=bot.name == "max-expected-progress"))
    return asked


class Lockstep:
    """One game in both worlds."""

    def __init__(self, rules: Rules, random: Random) -> None:
        self.rules, self.random = rules, random
        self.records = rules_records(rules)
        self.dice = list(ways(rules.board.sides, 4))
        self.record, self.scratch = np.zeros(1, POSITION), np.zeros(1, POSITION)
        self.draws = np.zeros(1, STREAM)
        self.asked = bots_to_ask(rules)
        self.moves = 0
        self.position = self._first_position()
        steps.begin_game(self.records.rules[0], self.record[0], self.position.seat)
        self._compare()

    def _first_position(self) -> Position:
        position = Position.initial(self.rules)
        while position.phase is Phase.START:
            sides = self.rules.board.sides
            position = position.roll((self.random.randint(1, sides), self.random.randint(1, sides)))
        return position

    def play_turn(self) -> None:
        """One turn with random dice and random decisions."""
        rules, rolls, record = self.records.rules[0], self.records.rolls[0], self.record[0]
        while True:
            number = self.random.randrange(len(self.dice))
            self.position = self.position.roll(self.dice[number])
            steps.find_moves(rules, rolls, record, number)
            self._compare_moves()
            if self.position.phase is Phase.BUST:
                self.position, self.moves = self.position.bust(), 0
                steps.bust_turn(rules, record)
                self._compare()
                return
            self._compare_choices()
            index = self.random.randrange(len(self.position.legal_moves))
            self.position = self.position.move(self.position.legal_moves[index])
            self.moves += 1
            steps.make_move(rules, record, index)
            self._compare()
            assert steps.may_stop(rules, record) == self.position.may_stop, self.position
            self._compare_stops()
            if self.position.may_stop and self.random.randrange(3) == 0:
                self.position, self.moves = self.position.stop(), 0
                over = steps.stop_turn(rules, record)
                assert over == (self.position.outcome is not None), self.position
                self._compare()
                return

    def _compare(self) -> None:
        assert to_position(self.rules, self.record) == self.position
        assert [self.record[0][name] for name in DERIVED] == derived(self.position, self.moves)
        won = self.record[0]["won"][: self.rules.players].tolist()
        assert won == list(self.position.tokens.counts)

    def _compare_moves(self) -> None:
        record = self.record[0]
        found = [
            tuple(column for column in move if column)
            for move in record["moves"][: record["move_count"]].tolist()
        ]
        assert found == [tuple(move) for move in self.position.legal_moves], self.position

    def _compare_choices(self) -> None:
        asked = self._whom_to_ask()
        if asked is not None:
            index = decide.choose(
                self.records.rules[0],
                self.records.rolls[0],
                self.record[0],
                asked.record[0],
                self.draws[0],
                self.scratch[0],
            )
            due = asked.bot.choose(self.position, self.moves)
            assert self.position.legal_moves[index] == due, (asked.bot.name, self.position)

    def _compare_stops(self) -> None:
        asked = self._whom_to_ask()
        if asked is not None:
            stops = decide.stop(
                self.records.rules[0],
                self.records.rolls[0],
                self.record[0],
                asked.record[0],
                self.draws[0],
            )
            due = asked.bot.stop(self.position, self.moves)
            assert stops == due, (asked.bot.name, self.position)

    def _whom_to_ask(self) -> Asked | None:
        asked = self.random.choice(self.asked)
        # the slow bot goes through all rolls: the more there are the rarer it is asked
        return None if asked.slow and self.random.randrange(len(self.dice)) else asked


DERIVED = ("free", "topped", "moves_made", "open", "out", "usable")
"""Fields of a record that a position has not, or only after some thought."""


def derived(position: Position, moves: int) -> list[int]:
    """What those fields have to be."""
    top, open_columns = position.rules.board.top, set(position.tokens.open_columns)
    out = {column for column, space in enumerate(position.runners) if space}
    topped = {column for column in out if position.runners[column] == top(column)}
    usable = (open_columns if position.free_runners else out) - topped
    return [
        position.free_runners,
        len(topped),
        moves,
        *(sum(1 << column for column in columns) for columns in (open_columns, out, usable)),
    ]


def compare(turns: int, seed: int) -> int:
    """Compare for a number of turns, going round all rules; returns how many games that were."""
    random = Random(seed)
    everything = all_rules()
    random.shuffle(everything)
    played = 0
    for games, rules in enumerate(cycle(everything), 1):
        game = Lockstep(rules, random)
        for _ in range(TURNS_A_GAME):
            if game.position.outcome is not None:
                break
            game.play_turn()
            played += 1
            if played == turns:
                return games
    raise AssertionError  # there are always more rules to go round


def main() -> None:
    """Compare many turns; a difference ends with the position where it showed."""
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else TURNS
    begin = time.perf_counter()
    games = compare(turns, seed=1)
    seconds = time.perf_counter() - begin
    print(f"{turns} turns of {games} games: rules and kernel agree at every step ({seconds:.0f} s)")


if __name__ == "__main__":
    main()
