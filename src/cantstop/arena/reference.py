"""Games that Python plays by ``rules``: for bots without a compiled form, with the same dice."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from cantstop.arena.totals import Totals
from cantstop.bots import Bot
from cantstop.bots.simple import RandomBot
from cantstop.kernel.draws import Draws, decision_draws, roll, start_draws, turn_draws
from cantstop.kernel.layout import BLOCK_FIGURES, POINTS, TALLY
from cantstop.kernel.play import FORFEIT, GOES_ON, MOST_TURNS, OVER, Seatings, note_game
from cantstop.kernel.tables import Records
from cantstop.rules import CantStopError, Move, Phase, Position, Rules


class Forfeit(Exception):
    """A bot failed: whatever it raised is the cause."""


@dataclass
class Luck:
    """Lets random bots draw from the stream of the turn."""

    draws: Draws | None = None

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound`` - 1."""
        assert self.draws is not None
        return self.draws.below(bound)


@dataclass
class ReferenceTable:
    """Bots at a table, asked one by one."""

    rules: Rules
    bots: Sequence[Bot]
    seed: int
    luck: Luck = field(default_factory=Luck)

    def __post_init__(self) -> None:
        self.bots = [
            RandomBot(bot.seed, self.luck.below) if isinstance(bot, RandomBot) else bot
            for bot in self.bots
        ]

    def play(self, seatings: Seatings, first_game: int, last_game: int) -> Totals:
        """Games from one number up to another, as the kernel's ``play_games`` numbers them."""
        totals, figures = Totals(), np.zeros(BLOCK_FIGURES + 1, np.int64)
        tally, size = np.zeros(1, TALLY), len(seatings.bots)
        for game in range(first_game, last_game):
            block, place = divmod(game, size)
            number = block * seatings.dice_a_block + int(seatings.dice[place])
            seats = seatings.bots[place]
            position = self._play_game(seats.tolist(), number, tally, totals)
            note_game(totals.array, figures, seats, tally, position.seat, place, size)
        return totals

    def _play_game(self, seats: list[int], number: int, tally: Records, totals: Totals) -> Position:
        position = _started(self.rules, start_draws(self.seed, number))
        tally[:] = 0
        tally["end"], tally["first"] = GOES_ON, position.seat
        for turn in range(MOST_TURNS):
            lap = turn // self.rules.players
            try:
                position = self._play_turn(position, seats, number, lap, tally)
            except Forfeit as forfeit:
                tally["end"] = FORFEIT
                totals.forfeit(seats[position.seat], _reason(forfeit.__cause__))
                break
            if position.outcome is not None:
                tally["end"] = OVER
                break
        _share_points(position, tally)
        return position

    def _play_turn(
        self,
        position: Position,
        seats: list[int],
        number: int,
        lap: int,
        tally: Records,
    ) -> Position:
        seat, sides = position.seat, self.rules.board.sides
        bot, dice = self.bots[seats[seat]], turn_draws(self.seed, number, seat, lap)
        if isinstance(bot, RandomBot):
            self.luck.draws = decision_draws(self.seed, number, seat, lap, bot.seed or 0)
        tally["turns"][0, seat] += 1
        moves = 0
        while True:
            tally["rolls"][0, seat] += 1
            position = position.roll(roll(dice, sides))
            if position.phase is Phase.BUST:
                tally["busts"][0, seat] += 1
                return position.bust()
            position = _moved(bot, position, moves)
            moves += 1
            if position.may_stop and _stops(bot, position, moves):
                return position.stop()


def _started(rules: Rules, throws: Draws) -> Position:
    position = Position.initial(rules)
    while position.phase is Phase.START:
        position = position.roll(throws.dice(2, rules.board.sides))
    return position


def _moved(bot: Bot, position: Position, moves: int) -> Position:
    try:
        return position.move(Move(*bot.choose(position, moves)))
    except Exception as error:
        raise Forfeit from error


def _stops(bot: Bot, position: Position, moves: int) -> bool:
    try:
        return bool(bot.stop(position, moves))
    except Exception as error:
        raise Forfeit from error


def _reason(error: BaseException | None) -> str:
    """What a bot did wrong, in one line."""
    if isinstance(error, CantStopError):
        return str(error)
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def _share_points(position: Position, tally: Records) -> None:
    if tally["end"] == FORFEIT:
        winners = [seat for seat in range(position.rules.players) if seat != position.seat]
    else:
        winners = list(position.outcome.winners) if position.outcome else []
    for seat in winners:
        tally["points"][0, seat] = POINTS // len(winners)
