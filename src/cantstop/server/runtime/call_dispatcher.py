"""Sends what is in the outbox: every worker does, and each message is one worker's.

Messages of different lanes are sent beside each other, so a service that hangs delays only its own
kind; a contact that has failed is tried among those that fail.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from functools import partial
from secrets import token_hex

from cantstop.language import time_left_text
from cantstop.server.calls import sentences
from cantstop.server.calls.message import Message
from cantstop.server.calls.options import CallTimes
from cantstop.server.database import claims, outbox
from cantstop.server.database.claims import Claim, Claimed, DueContact, Lane
from cantstop.server.database.contacts import CONFIRM_TIME
from cantstop.server.database.sql import Database
from cantstop.server.database.storage import Unavailable
from cantstop.server.database.waiting import Waiting
from cantstop.server.ops import metrics
from cantstop.server.ops.logs import RepeatedLog
from cantstop.server.runtime.background import BackgroundTasks
from cantstop.server.runtime.calls import (
    MailLink,
    PlayerCalls,
    mail_link,
    result_of,
    stop_link,
    words_of,
)
from cantstop.server.runtime.presence import Presence
from cantstop.table.table import Table
from cantstop.wire.calls import CallResult, ChannelName
from cantstop.wire.turns import TurnList, time_left

SLOTS = {Lane.PUSH: 32, Lane.HOOKS: 16, Lane.MAIL: 2, Lane.FAILING: 8}
"""Messages of each lane that are sent at the same time. The mail server is one for all."""
CLEAN_SECONDS = 3600.0
CLOSE_SECONDS = 3.0
"""How long a worker that stops waits for what it is sending: it would be sent again."""
_NOTE_SECONDS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Pauses between tries to note an outcome: what is not noted is sent again."""

_log = logging.getLogger(__name__)
_repeated = RepeatedLog(_log)


class CallDispatcher:
    """Sends calls from the outbox, and has reminders written into it."""

    def __init__(
        self,
        storage: Database,
        calls: PlayerCalls,
        presence: Presence,
        clock: Callable[[], datetime],
        believed: Callable[[], datetime],
        times: CallTimes,
    ) -> None:
        """``believed`` is a clock that does not jump: nobody is reminded of days that are not."""
        self._storage = storage
        self._calls = calls
        self._presence = presence
        self._clock = clock
        self._believed = believed
        self._times = times
        self._token = token_hex(8)
        self._wake = asyncio.Event()
        self._loops = BackgroundTasks()
        self._sending: set[asyncio.Task[None]] = set()
        self._used: Counter[Lane] = Counter()
        """Messages that are being sent."""

    async def start(self, *, alone: bool) -> None:
        """Begin to send; ``alone`` where no other worker can have claimed anything."""
        if alone:
            await self._storage.write(claims.release_all)
        for work in (self._dispatch(), self._remind(), self._clean()):
            self._loops.start(work)

    async def close(self) -> None:
        """Claim nothing more, and wait a moment for what is being sent."""
        await self._loops.cancel()
        if self._sending:
            await asyncio.wait(self._sending, timeout=CLOSE_SECONDS)
        for task in self._sending:
            task.cancel()
        await asyncio.gather(*self._sending, return_exceptions=True)

    async def finish(self) -> None:
        """Wait for all that is being sent."""
        while self._sending:
            await asyncio.gather(*self._sending, return_exceptions=True)

    def on_change(self, versions: tuple[Table, ...]) -> None:
        """A table has changed: where turns take days, one may have begun."""
        if versions[-1].opened.days is not None:
            self._wake.set()

    # The loops

    async def _dispatch(self) -> None:
        while True:
            self._wake.clear()
            await self._trying(self.send_due())
            try:
                async with asyncio.timeout(self._times.poll):
                    await self._wake.wait()
            except TimeoutError:
                pass

    async def _remind(self) -> None:
        while True:
            await self._trying(self.remind())
            await asyncio.sleep(self._times.remind)

    async def _clean(self) -> None:
        while True:
            at = self._believed()
            clean = partial(outbox.clean_outbox, at=at)
            await self._trying(self._storage.write(clean))
            await asyncio.sleep(CLEAN_SECONDS)

    async def _trying(self, work: Coroutine[None, None, None]) -> None:
        """Do something that is done again soon: a failure ends no loop."""
        try:
            await work
        except Unavailable:
            _repeated.log(logging.WARNING, "Calls wait: the database is unavailable.")
        except Exception:
            _repeated.log(logging.ERROR, "Sending calls failed.", exc_info=True)

    async def remind(self) -> None:
        """Write the reminders that are due."""
        at = self._believed()
        if await self._storage.read(partial(outbox.is_reminder_due, at=at)):
            await self._storage.write(partial(outbox.write_reminders, at=at))
            self._wake.set()

    # Sending

    async def send_due(self) -> None:
        """Claim what is due, as much as there is room for, and begin to send it."""
        free = {lane: most - self._used[lane] for lane, most in SLOTS.items()}
        room = {lane: count for lane, count in free.items() if count > 0}
        found = await self._storage.read(partial(claims.due_by_lane, at=self._clock(), most=room))
        due = [one for lane in found.values() for one in lane]
        if not due:
            return
        seats = {seat for one in due for seat in one.seats}
        present = await self._presence.present_anywhere(seats, self._times.ask)
        at = self._clock()
        claim = Claim(
            self._token,
            at,
            lambda channel: at + self._lease(channel),
            at + self._times.look_again,
            present,
        )
        await asyncio.gather(
            *(self._take(lane, one, claim) for lane, some in found.items() for one in some)
        )

    async def _take(self, lane: Lane, due: DueContact, claim: Claim) -> None:
        """Begin to send to a contact what is due, unless another worker does."""
        self._used[lane] += 1
        try:
            taken = await self._storage.write(partial(claims.claim_contact, due=due, claim=claim))
            if taken is not None:
                listed = await self._calls.turns_of(taken.contact.player_id)
                self._begin(lane, taken, listed)
        except Unavailable:
            _repeated.log(logging.WARNING, "Calls wait: the database is unavailable.")
        finally:
            self._used[lane] -= 1

    def _lease(self, channel: ChannelName) -> timedelta:
        is_mail = channel is ChannelName.MAIL
        return self._times.mail_lease if is_mail else self._times.lease

    def _begin(self, lane: Lane, claimed: Claimed, listed: TurnList) -> None:
        self._used[lane] += 1
        task = asyncio.create_task(self._deliver(claimed, listed))
        self._sending.add(task)

        def done(ended: asyncio.Task[None]) -> None:
            self._sending.discard(ended)
            self._used[lane] -= 1
            self._wake.set()  # there is room for another one

        task.add_done_callback(done)

    async def _deliver(self, claimed: Claimed, listed: TurnList) -> None:
        contact = claimed.contact
        outcome = await self._calls.send(contact, message_of(claimed, listed, self._clock()))
        result, retry = result_of(outcome)
        at = self._clock()
        if result is CallResult.SENT:
            seconds = (at - claimed.due_at).total_seconds()
            metrics.CALL_SECONDS.labels(contact.channel.value).observe(max(0.0, seconds))
        note = partial(
            claims.settle,
            claimed=claimed,
            token=self._token,
            result=result,
            retry=retry,
            at=at,
            gap=self._times.gap,
        )
        for pause in (*_NOTE_SECONDS, None):
            try:
                await self._storage.write(note)
            except Unavailable:
                if pause is None:
                    raise
                await asyncio.sleep(pause)
            else:
                return


def message_of(claimed: Claimed, listed: TurnList, now: datetime) -> Message:
    """What a contact is sent, in its language, with what the list of its player's games says."""
    contact, turns = claimed.contact, claimed.turns
    words = words_of(contact)
    link = words.say("To the game")
    seconds = {table.id: time_left(table) for table in listed.tables}

    def left(turn: Waiting) -> str:
        """The time for a turn without the bank, as lists have it; a reminder is of all of it."""
        own = None if claimed.hours else seconds.get(turn.table_id)
        total = (turn.ends_at - now).total_seconds()
        return time_left_text(words, total if own is None else own)

    if not turns:
        title, text = sentences.question(words)
        topic, url = "question", mail_link(contact, MailLink.CONFIRM)
        until = contact.created_at + CONFIRM_TIME
        link = words.say("Yes, write to me")
    elif len(turns) > 1:
        title, text = sentences.several_turns(words, turns, left)
        topic, url = "turns", f"{contact.site}/turns"
        until = max(turn.ends_at for turn in turns)
        link = words.say("To my games")
    else:
        (turn,) = turns
        told = sentences.reminder if claimed.hours else sentences.one_turn
        title, text = told(words, turn, left)
        topic, url = turn.table_id, f"{contact.site}/t/{turn.table_id}"
        until = turn.ends_at
    return Message(
        id=claimed.message_id,
        topic=topic,
        title=title,
        text=text,
        url=url,
        waiting=listed.waiting,
        at=now,
        until=until,
        link=link,
        unsubscribe=stop_link(contact),
        unsubscribe_text=sentences.stop_text(words),
    )
