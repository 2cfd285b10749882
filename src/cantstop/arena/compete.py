"""Plays a plan to its end, or to where it is interrupted."""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from threading import Event
from time import monotonic

from cantstop.arena.interrupt import interruptible
from cantstop.arena.ledger import Ledger, resumed
from cantstop.arena.plan import Plan, seatings_of
from cantstop.arena.pools import LocalPool, Pool
from cantstop.arena.results import Results
from cantstop.arena.share import Played, Share

SHARE_SECONDS = 0.25
"""How long a share should take: short enough to be interrupted, long enough to be worth it."""

FIRST_GAMES = 24
"""How many games the first share of a table has, as nobody knows yet how long they take."""

MOST_GROWTH = 8
SAVE_SECONDS = 5.0

Tell = Callable[[int], None]


def compete(
    plan: Plan, pool: Pool | None = None, *, file: Path | None = None, tell: Tell | None = None
) -> Results:
    """Play a plan.

    ``tell`` is called with the number of games played, again and again. With a ``file`` the games
    that it keeps are not played again. Ctrl-C ends early, with the results so far.
    """
    plan.check()
    ledger = Ledger.blank(plan) if file is None else resumed(plan, file)
    with pool or LocalPool() as players, interruptible() as interrupt:
        finished = _play(ledger, players, interrupt, file, tell or (lambda _: None))
    if file is not None:
        ledger.save(file)
    return Results.of(ledger, finished=finished)


def _play(ledger: Ledger, pool: Pool, interrupt: Event, file: Path | None, tell: Tell) -> bool:
    """Play what is to be played; whether that is done."""
    shares = _Shares(ledger)
    waiting: set[Future[Played]] = set()
    saved = monotonic()
    while not interrupt.is_set():
        while len(waiting) < 2 * pool.size and (share := shares.next()):
            waiting.add(pool.submit(share))
        if not waiting:
            return True
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        _note(ledger, shares, done)
        tell(ledger.played)
        if file is not None and monotonic() - saved > SAVE_SECONDS:
            ledger.save(file)
            saved = monotonic()
    # what is being played right now is finished, what waits is not begun
    _note(ledger, shares, {future for future in waiting if not future.cancel()})
    return False


def _note(ledger: Ledger, shares: "_Shares", futures: set[Future[Played]]) -> None:
    for future in futures:
        played = future.result()
        share = played.share
        ledger.accounts[share.table].note(share.first_game, share.last_game, played.totals)
        shares.learn(played)


class _Shares:
    """Cuts what is to be played into shares, which grow to the size that takes its time."""

    def __init__(self, ledger: Ledger) -> None:
        self._plan = ledger.plan
        self._pieces = self._cut(ledger)
        self._games = FIRST_GAMES

    def next(self) -> Share | None:
        """The next share, or None when all is handed out."""
        return next(self._pieces, None)

    def learn(self, played: Played) -> None:
        """Fit the size to how long a share took."""
        games = played.share.games * SHARE_SECONDS / max(played.seconds, 1e-6)
        self._games = max(1, min(int(games), MOST_GROWTH * self._games))

    def _cut(self, ledger: Ledger) -> Iterator[Share]:
        plan = self._plan
        for table, account in enumerate(ledger.accounts):
            self._games = FIRST_GAMES
            size = len(seatings_of(plan.names(table)).bots)
            for begin, end in account.gaps(plan.games):
                first = begin
                while first < end:
                    # shares end where blocks do, so that every block stays whole
                    last = min(end, (first // size + max(1, self._games // size)) * size)
                    yield Share.of(plan, table, first, last)
                    first = last
