"""Tries a bot out: whole games by different rules, with every answer checked."""

from collections.abc import Iterator
from typing import NamedTuple

from cantstop.arena.plan import seatings_of
from cantstop.arena.reference import ReferenceGames
from cantstop.bots import Bot, BotFailure, bot_named, check_rules
from cantstop.rules import OFFICIAL, Board, InvalidRules, Move, Position, Rules, Sharing, Start

GAMES = 6
SEED = 28

TRIALS = (
    Rules(),
    Rules(players=1),
    Rules(players=3, columns_to_win=4, early=True, sharing=Sharing.NO_REST),
    Rules(players=4, columns_to_win=5, sharing=Sharing.LEAPFROG, start=Start.ROLL_OFF),
    Rules(board=Board.stepped(sides=4, shortest=1)),
    Rules(board=Board(OFFICIAL.lengths, runners=2)),
)


class Trial(NamedTuple):
    """How a bot did by some rules: how many questions it answered, or why it refuses them."""

    rules: Rules
    answers: int
    refusal: InvalidRules | None = None


class _Counted(Bot):
    """A bot whose answers are counted."""

    def __init__(self, bot: Bot) -> None:
        self.name = bot.name
        self.answers = 0
        self._bot = bot

    def choose(self, position: Position, moves: int) -> Move:
        self.answers += 1
        return self._bot.choose(position, moves)

    def stop(self, position: Position, moves: int) -> bool:
        self.answers += 1
        return self._bot.stop(position, moves)


def try_out(bot: Bot) -> Iterator[Trial]:
    """Let a bot play by one set of rules after the other.

    The first ``BotFailure`` is raised; to refuse all of the rules is one.
    """
    plays = False
    for rules in TRIALS:
        try:
            check_rules(bot, rules)
        except InvalidRules as refusal:
            yield Trial(rules, 0, refusal)
            continue
        counted = _Counted(bot)
        others = [bot_named("random:1") for _ in range(rules.players - 1)]
        games = ReferenceGames(rules, [counted, *others], SEED)
        names = [counted.name, *(other.name for other in others)]
        games.play(seatings_of(names), 0, GAMES)
        plays = True
        yield Trial(rules, counted.answers)
    if not plays:
        raise BotFailure("The bot “{name}” refuses all of these rules.", name=bot.name)
