"""Plays a plan to its end, or to where it is interrupted."""

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from time import monotonic
from types import FrameType

from cantstop.arena.batch import Batch, PlayedBatch
from cantstop.arena.checkpoint import Checkpoint, resumed
from cantstop.arena.plan import Plan, seatings_of
from cantstop.arena.pools import LocalPool, Pool
from cantstop.arena.results import Results
from cantstop.bots import AnyBot
from cantstop.rules import InvalidText, Rules, read_rules

BATCH_SECONDS = 0.25
"""How long a batch should take: short enough to be interrupted, long enough to be worth it."""

FIRST_GAMES = 24
"""How many games the first batch of a match has, as nobody knows yet how long they take."""

INTERRUPT_SECONDS = 0.1
"""Seconds between checks for Ctrl-C while nothing else happens."""

MOST_GROWTH = 8
SAVE_SECONDS = 5.0

Tell = Callable[[int], None]


GAMES = 1000
"""How many games a match has if nobody says it."""


def compete(
    plan: Plan | Sequence[AnyBot],
    rules: Rules | str | None = None,
    *,
    games: int | None = None,
    seed: int | None = None,
    pool: Pool | None = None,
    file: Path | None = None,
    tell: Tell | None = None,
) -> Results:
    """Let bots compete: names, objects and classes, or a whole ``Plan``.

    More bots than players make a round robin. Bots that are objects play in this process, one game
    after the other; those that have names use all cores.

    >>> results = compete(["careful", "bold"], games=200, seed=7)
    >>> results.games, [row["bot"] for row in results.rows()]
    (200, ['careful', 'bold'])

    ``rules`` are ``Rules`` or their text, ``pool`` is what plays the games: without one, all cores.
    ``tell`` is called with the number of games played, again and again. With a ``file`` the games
    that it keeps are not played again. Ctrl-C ends early, with the results so far, or with
    ``KeyboardInterrupt`` where there are none. The first bot that fails ends all matches with a
    ``BotFailure``.

    Raises:
        InvalidText: If a plan comes with games, rules or a seed, or its games cannot be resumed.
    """
    if not isinstance(plan, Plan):
        given = None if rules is None else read_rules(rules)
        plan = Plan.of(plan, games=GAMES if games is None else games, rules=given, seed=seed)
    elif (games, rules, seed) != (None, None, None):
        raise InvalidText("A plan has its own games, rules and seed: leave them out.")
    plan.check()
    if plan.own and file is not None:
        raise InvalidText("Games of a bot object cannot be resumed from a file: give module:Class.")
    if plan.own and pool is None:
        pool = LocalPool(1)  # nobody has promised that these bots can be asked by two at a time
    checkpoint = Checkpoint.blank(plan) if file is None else resumed(plan, file)
    try:
        with pool or LocalPool() as players, catch_interrupt() as interrupt:
            finished = _play(checkpoint, players, interrupt, file, tell or (lambda _: None))
    finally:
        if file is not None:
            checkpoint.save(file)
    return Results.of(checkpoint, finished=finished)


def _play(
    checkpoint: Checkpoint, pool: Pool, interrupt: Event, file: Path | None, tell: Tell
) -> bool:
    """Play what is to be played; whether that is done."""
    batches = _Batches(checkpoint)
    waiting: set[Future[PlayedBatch]] = set()
    saved = monotonic()
    while not interrupt.is_set():
        while len(waiting) < 2 * pool.size and (batch := batches.next()):
            waiting.add(pool.submit(batch))
        if not waiting:
            return True
        done, waiting = wait(waiting, INTERRUPT_SECONDS, FIRST_COMPLETED)
        _note(checkpoint, batches, done)
        tell(checkpoint.played)
        if file is not None and monotonic() - saved > SAVE_SECONDS:
            checkpoint.save(file)
            saved = monotonic()
    if not checkpoint.played:  # perhaps the first batch is still being compiled
        raise KeyboardInterrupt
    # what is being played right now may be finished, what waits is not begun
    running = {future for future in waiting if not future.cancel()}
    _note(checkpoint, batches, wait(running, BATCH_SECONDS).done)
    return False


def _note(checkpoint: Checkpoint, batches: "_Batches", futures: set[Future[PlayedBatch]]) -> None:
    for future in futures:
        played = future.result()
        batch = played.batch
        checkpoint.matches[batch.match].note(batch.first_game, batch.last_game, played.totals)
        batches.learn(played)


class _Batches:
    """Cuts what is to be played into batches, which grow to the size that takes its time."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self._plan = checkpoint.plan
        self._pieces = self._cut(checkpoint)
        self._games = FIRST_GAMES

    def next(self) -> Batch | None:
        """The next batch, or None when all is handed out."""
        return next(self._pieces, None)

    def learn(self, played: PlayedBatch) -> None:
        """Fit the size to how long a batch took."""
        games = played.batch.games * BATCH_SECONDS / max(played.seconds, 1e-6)
        self._games = max(1, min(int(games), MOST_GROWTH * self._games))

    def _cut(self, checkpoint: Checkpoint) -> Iterator[Batch]:
        plan = self._plan
        for match, progress in enumerate(checkpoint.matches):
            self._games = FIRST_GAMES
            size = len(seatings_of(plan.names(match)).bots)
            for begin, end in progress.gaps(plan.games):
                first = begin
                while first < end:
                    # batches end where blocks do, so that every block stays whole
                    last = min(end, (first // size + max(1, self._games // size)) * size)
                    yield Batch.of(plan, match, first, last)
                    first = last


@contextmanager
def catch_interrupt() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets; the second one interrupts as usual.

    Only the main thread hears of Ctrl-C: elsewhere the event stays as it is.
    """
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event
        return

    def handle(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        event.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield event
    finally:
        signal.signal(signal.SIGINT, before)
