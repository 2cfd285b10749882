"""A whole game of bots, in one call."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace

from cantstop.bots.bot import check_rules, decide
from cantstop.bots.loading import AnyBot, check_bots, read_bot
from cantstop.dice import DiceSource, SealedDice, SecureDice, SeededDice
from cantstop.game import Game
from cantstop.record import Record
from cantstop.rules import Choice, Phase, Rules, read_rules

MOST_TURNS = 10_000
"""The most turns of a game; then it ends without a winner, as its bots never stop."""


def play_game(
    bots: Sequence[AnyBot],
    rules: Rules | str | None = None,
    *,
    dice: DiceSource | int | None = None,
) -> Record:
    """Play one game and return its record; bots are names, objects or classes, one for each seat.

    ``rules`` are ``Rules`` or their text, ``dice`` a source of dice or a seed. A bot that raises an
    error or names no legal move ends the game with a ``BotFailure``.

    >>> record = play_game(["careful", "bold"], dice=7)
    >>> record.names, record.game().outcome.winner
    (('careful', 'bold'), 1)

    Raises:
        WrongType: If the bots are not a list of them.
        InvalidText: If there is no bot.
    """
    check_bots(bots)
    game = Game(read_rules(rules, len(bots)), dice=dice)
    with ExitStack() as ends:
        players = []
        for bot in bots:
            player = read_bot(bot)
            if isinstance(bot, str):
                ends.callback(player.close)
            check_rules(player, game.rules)
            players.append(player)
        while game.outcome is None and game.turn <= MOST_TURNS:
            if game.phase is Phase.START:
                game.roll()
                continue
            match decide(players[game.seat], game.position, game.moves_in_turn):
                case Choice.ROLL:
                    game.roll()
                case Choice.STOP:
                    game.stop()
                case move:
                    game.move(move)
    source = game.dice_source
    record = Record.of(game, [player.name for player in players])
    return replace(
        record,
        dice=source if isinstance(source, SecureDice | SeededDice | SealedDice) else None,
        ended=None if game.outcome is not None else "turns",
    )
