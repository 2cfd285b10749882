"""A player's side of the server's protocol: open a table, take a seat, play.

``play(link, "careful")`` puts a bot at a seat; ``Player`` is for what one decides oneself.
"""

from cantstop.extras import require

require("client")

from cantstop.client.async_player import AsyncPlayer, TimedOut, play_async
from cantstop.client.connection import Connection
from cantstop.client.links import SeatSecrets, TableLink
from cantstop.client.player import Player, play
from cantstop.client.requests import (
    MALFORMED,
    OPEN,
    DailySeat,
    Refused,
    Unreachable,
    analysis,
    bot,
    daily,
    hint,
    human,
    look,
    new_device,
    open_lesson,
    open_table,
    play_daily,
    record,
    review,
    review_record,
    take_seat,
    unexpected_answer,
)
from cantstop.client.table import RemoteTable
from cantstop.wire.messages import ClockView, Pace

__all__ = [
    "MALFORMED",
    "OPEN",
    "AsyncPlayer",
    "ClockView",
    "Connection",
    "DailySeat",
    "Pace",
    "Player",
    "Refused",
    "RemoteTable",
    "SeatSecrets",
    "TableLink",
    "TimedOut",
    "Unreachable",
    "analysis",
    "bot",
    "daily",
    "hint",
    "human",
    "look",
    "new_device",
    "open_lesson",
    "open_table",
    "play",
    "play_async",
    "play_daily",
    "record",
    "review",
    "review_record",
    "take_seat",
    "unexpected_answer",
]
