"""Any bot at a seat of a table on a server."""

from cantstop.bots import Bot, any_bot, check_bot, close_bot
from cantstop.client.links import TableLink
from cantstop.client.player import Player
from cantstop.client.requests import Refused, look
from cantstop.rules import Outcome, Phase

LONGEST_NAME = 24
_OVERTAKEN = ("stale", "not-now", "not-your-turn")
"""What a server says to somebody who was away for so long that a bot plays the seat."""


def play(link: TableLink | str, bot: Bot | str, *, name: str | None = None) -> Outcome:
    """Let a bot play a game to its end: ``play("http://localhost:8000/t/k7Qm", "careful")``.

    It takes a free seat, or comes back to the one whose secret is in the link. ``bot`` is one of
    ``cantstop.bots``, any object with its two methods, or a name as for ``cantstop arena``.
    """
    link = TableLink.of(link)
    player = any_bot(bot) if isinstance(bot, str) else bot
    try:
        check_bot(player, look(link).start.rules)
        called = name or str(getattr(player, "name", type(player).__name__))
        with Player.join(link, called[:LONGEST_NAME]) as me:
            for _ in me.decisions():
                try:
                    decide(me, player)
                except Refused as refused:
                    if refused.code not in _OVERTAKEN:
                        raise
            assert me.outcome is not None
            return me.outcome
    finally:
        if player is not bot:
            close_bot(player)


def decide(me: Player, bot: Bot) -> None:
    """Do what a bot would do here."""
    position, moves = me.position, me.moves
    if position.phase is Phase.MOVE:
        me.move(bot.choose(position, moves))
    elif position.may_stop and bot.stop(position, moves):
        me.stop()
    else:
        me.roll()
