"""Games that Python plays by ``rules``: for bots without a compiled form, with the same dice."""

from collections.abc import Callable, Sequence

import numpy as np

from cantstop.arena.advance import LUCK_FIGURES, note_luck
from cantstop.arena.checkpoint import Totals
from cantstop.bots import Bot, decide
from cantstop.engine import best_evaluator, solve_turn
from cantstop.kernel.layout import BLOCK_FIGURES, GOES_ON, OVER, POINTS, TALLY
from cantstop.kernel.play import MOST_TURNS, Seatings, note_game
from cantstop.kernel.records import Records
from cantstop.kernel.stream import RandomStream, decision_stream, roll, start_stream, turn_stream
from cantstop.rules import Choice, Move, Phase, Position, Rules


class Cancelled(Exception):
    """Nobody waits for these games any more."""


IsCancelled = Callable[[], bool]


def never() -> bool:
    """Nobody cancels these games."""
    return False


class TurnStreams:
    """What random bots draw in a turn: one stream for each number that a bot can have."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._turn = 0, 0, 0
        self._streams: dict[int, RandomStream] = {}

    def start_turn(self, game: int, seat: int, lap: int) -> None:
        """Begin again, with the numbers of a turn."""
        self._turn = game, seat, lap
        self._streams.clear()

    def of(self, number: int) -> Callable[[int], int]:
        """What a bot of that number draws from."""

        def below(bound: int) -> int:
            if number not in self._streams:
                self._streams[number] = decision_stream(self._seed, *self._turn, number)
            return self._streams[number].below(bound)

        return below


class ReferenceGames:
    """Games of some bots, which are asked one by one."""

    def __init__(
        self,
        rules: Rules,
        bots: Sequence[Bot],
        seed: int,
        *,
        control: bool = False,
        is_cancelled: IsCancelled = never,
    ) -> None:
        self.rules = rules
        self.luck = np.zeros(rules.players)
        """What each seat's rolls have changed for it in the last game, if anybody counts."""
        self._judge = best_evaluator(rules) if control else None
        self.seed = seed
        self._random = TurnStreams(seed)
        self._bots = [bot.drawing_from(self._random.of) for bot in bots]
        self._is_cancelled = is_cancelled

    def play(self, seatings: Seatings, first_game: int, last_game: int) -> Totals:
        """Games from one number up to another, as the kernel's ``play_games`` numbers them.

        The first ``BotFailure`` is raised; so is ``Cancelled``, before the next decision.
        """
        totals, figures = Totals(), np.zeros(BLOCK_FIGURES + 1, np.int64)
        luck_figures = np.zeros(LUCK_FIGURES + 1, np.int64)
        tally, size = np.zeros(1, TALLY), len(seatings.bots)
        for game in range(first_game, last_game):
            block, place = divmod(game, size)
            number = block * seatings.dice_a_block + int(seatings.dice[place])
            seats = seatings.bots[place]
            position = self._play_game(seats.tolist(), number, tally)
            note_game(totals.array, figures, seats, tally, position.seat, place, size)
            if self._judge is not None:
                note_luck(totals.array, luck_figures, seats, tally, self.luck, place, size)
        return totals

    def _play_game(self, seats: list[int], number: int, tally: Records) -> Position:
        position = _started(self.rules, start_stream(self.seed, number))
        tally[:] = 0
        self.luck[:] = 0.0
        tally["end"], tally["first"] = GOES_ON, position.seat
        for turn in range(MOST_TURNS):
            lap = turn // self.rules.players
            position = self._play_turn(position, seats, number, lap, tally)
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
        bot, dice = self._bots[seats[seat]], turn_stream(self.seed, number, seat, lap)
        self._random.start_turn(number, seat, lap)
        tally["turns"][0, seat] += 1
        moves = 0
        judge = None if self._judge is None else solve_turn(position, self._judge)
        while True:
            tally["rolls"][0, seat] += 1
            before, position = position, position.roll(roll(dice, sides))
            if judge is not None:
                self.luck[seat] += judge.value(position) - judge.roll_value(before)
            if position.phase is Phase.BUST:
                tally["busts"][0, seat] += 1
                return position.bust()
            if self._is_cancelled():
                raise Cancelled
            move = decide(bot, position, moves)
            assert isinstance(move, Move)
            position = position.move(move)
            moves += 1
            if decide(bot, position, moves) is Choice.STOP:
                return position.stop()


def _started(rules: Rules, throws: RandomStream) -> Position:
    position = Position.initial(rules)
    while position.phase is Phase.START:
        position = position.roll(throws.dice(2, rules.board.sides))
    return position


def _share_points(position: Position, tally: Records) -> None:
    winners = position.outcome.winners if position.outcome else ()
    for seat in winners:
        tally["points"][0, seat] = POINTS // len(winners)
