"""Any bot at a seat of a table on a server."""

from cantstop.bots import Bot, Choice, Decisions, any_bot, as_bot, decide
from cantstop.client.links import TableLink
from cantstop.client.player import Player
from cantstop.client.requests import Refused, look
from cantstop.rules import Outcome

LONGEST_NAME = 24
_OVERTAKEN = ("stale", "not-now", "not-your-turn")
"""What a server says to somebody who was away for so long that a bot plays the seat."""


def play(link: TableLink | str, bot: Decisions | str, *, name: str | None = None) -> Outcome:
    """Let a bot play a game to its end: ``play("http://localhost:8000/t/k7Qm", "careful")``.

    It takes a free seat, or comes back to the one whose secret is in the link. ``bot`` is one of
    ``cantstop.bots``, any object with its two methods, or a name as for ``cantstop arena``.
    """
    link = TableLink.of(link)
    player = any_bot(bot) if isinstance(bot, str) else as_bot(bot)
    try:
        player.check(look(link).start.rules)
        with Player.join(link, (name or player.name)[:LONGEST_NAME]) as me:
            for _ in me.decisions():
                try:
                    act(me, player)
                except Refused as refused:
                    if refused.code not in _OVERTAKEN:
                        raise
            assert me.outcome is not None
            return me.outcome
    finally:
        if isinstance(bot, str):
            player.close()


def act(me: Player, bot: Bot) -> None:
    """Do what a bot would do here."""
    decision = decide(bot, me.position, me.moves)
    match decision:
        case Choice.STOP:
            me.stop()
        case Choice.ROLL:
            me.roll()
        case _:
            me.move(decision)
