"""``cantstop daily``: the game of the day, at a server or with dice of this machine's own."""

import os
import sys
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated

from cantstop.bots import PACE
from cantstop.cli.options import Ascii, Lang, Plain, translator
from cantstop.cli.parser import Option
from cantstop.daily import (
    ARCHIVE_DAYS,
    DailyResult,
    daily_result,
    day_of,
    ends,
    result_lines,
    signs_of,
)
from cantstop.dice import read_day
from cantstop.draw import board_text
from cantstop.extras import is_installed
from cantstop.files import user_data_folder
from cantstop.record import Record, read_record
from cantstop.record.record import OFFICIAL_SOLO
from cantstop.rules import InvalidText
from cantstop.terminal.console import (
    EXIT_INTERRUPTED,
    EXIT_OK,
    Console,
    standard_console,
    supports_tui,
)
from cantstop.terminal.day_files import LOCAL, DailyFolder
from cantstop.terminal.local_game import LocalGame, LocalSeat
from cantstop.terminal.new_game import default_name
from cantstop.terminal.plain import Quit, Session, play_lines
from cantstop.terminal.save_file import SaveFile
from cantstop.terminal.tui import AppOptions, Theme, play_online

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cantstop.client import DailySeat
    from cantstop.wire.daily import DailyTry


def daily(
    server: Annotated[
        str | None,
        Option(metavar="ADDRESS", help="The server to play on; by default, a game of your own."),
    ] = None,
    name: Annotated[
        str | None, Option(metavar="NAME", help="Your name in the table of results.")
    ] = None,
    day: Annotated[
        str | None,
        Option(metavar="DAY", help="A past day such as 2026-11-15, which no longer counts."),
    ] = None,
    results: Annotated[
        bool, Option("--results", help="Print the results of the day on that server, and exit.")
    ] = False,
    plain: Plain = False,
    ascii: Ascii = False,  # noqa: A002
    lang: Lang = None,
) -> None:
    """Play the game of the day: alone, with the same dice for everybody, one try that counts.

    The day begins at midnight UTC, by the server's clock. Without a server the dice follow from a
    secret in your data folder, so that only you have them.

    Example: cantstop daily --server http://localhost:8000 --name Anne
    """
    console = standard_console(translator(lang), ascii)
    folder = DailyFolder(user_data_folder() / "daily")
    who = name or default_name(console.words, 1)
    if server is None:
        if results:
            raise InvalidText("--results needs --server: only a server has a table of results.")
        raise SystemExit(_LocalDaily(console, folder, who, day, ascii).run(draws=_draws(plain)))
    from cantstop.client.links import server_address  # only here a server is asked

    play = _OnlineDaily(console, folder, server_address(server), who, day, ascii)
    if results:
        play.print_results()
    else:
        raise SystemExit(play.run(plain=plain or ascii))


def _draws(plain: bool) -> bool:
    return sys.stdout.isatty() and not plain


def _print_result(
    console: Console,
    day: date,
    result: DailyResult,
    grade: tuple[float, float] | None,
    ascii_only: bool,
) -> None:
    console.write("")
    for line in result_lines(console.words, day, result, grade, ascii_only=ascii_only):
        console.write(line)


def _print_streak(console: Console, days: int) -> None:
    if days:
        console.print(
            console.words.say_count(
                "Your streak on this machine: {count} day.",
                "Your streak on this machine: {count} days.",
                days,
            )
        )


def _print_next(console: Console, today: date, now: datetime) -> None:
    left = int((ends(today) - now).total_seconds()) // 60 + 1
    time = console.words.say("{hours} h {minutes} min", hours=left // 60, minutes=left % 60)
    console.print(console.words.say("The next one begins in {time}, at midnight UTC.", time=time))


class _LocalDaily:
    """A daily game with the dice of this machine's own secret."""

    def __init__(
        self, console: Console, folder: DailyFolder, name: str, day: str | None, ascii_only: bool
    ) -> None:
        self._console = console
        self._folder = folder
        self._name = name
        self._ascii = ascii_only
        self._now = datetime.now(UTC)
        self._today = day_of(self._now)
        self._day = self._today if day is None else read_day(day)
        if not 0 <= (self._today - self._day).days <= ARCHIVE_DAYS:
            raise InvalidText(
                "There is no daily game of {day} here: only those of the last {days} days.",
                day=self._day.isoformat(),
                days=ARCHIVE_DAYS,
            )

    def run(self, *, draws: bool) -> int:
        """Play to the end, or until the player leaves; every step is saved."""
        words, path = self._console.words, self._folder.record_path(self._day)
        kept = _kept(path.read_text("utf-8") if path.exists() else None)
        counts = self._day == self._today and (kept is None or daily_result(kept.events) is None)
        if kept is None or daily_result(kept.events) is not None:
            dice = self._folder.dice(self._day)
            local = LocalGame.new(OFFICIAL_SOLO, (LocalSeat(self._name),), dice, "classic")
        else:
            local = LocalGame.from_record(kept)
        if not counts:
            self._console.print(words.say("Your try is over: this game does not count."))
        file = SaveFile(local, self._folder.folder, path if counts else None)
        draw = partial(board_text, names=local.names, ascii=self._ascii) if draws else None
        code = _run_session(Session(file, self._console, draw=draw))
        result = daily_result(local.game.events)
        if result is None:
            if counts:
                self._console.print(words.say("The game is saved: the same command resumes it."))
            return code
        _print_result(self._console, self._day, result, self._grade(local.record()), self._ascii)
        if counts:
            self._folder.note_day(LOCAL, self._day)
            _print_streak(self._console, self._folder.streak(LOCAL, self._today))
            self._console.print(words.say("The record of the game is in {path}.", path=path))
        _print_next(self._console, self._today, self._now)
        return code

    def _grade(self, record: Record) -> tuple[float, float] | None:
        """Luck and skill, where the engine is installed."""
        if not is_installed("engine"):
            return None
        from cantstop.review import review  # the engine takes a moment to load

        (seat,) = review(record).seats
        return seat.luck, seat.skill


def _kept(text: str | None) -> Record | None:
    """The game of the day so far; an empty file is none."""
    return None if text is None or not text.strip() else read_record(text)


def _run_session(session: Session) -> int:
    """Play until the game is over or the player leaves."""
    try:
        session.play()
    except Quit:
        return EXIT_OK
    except (EOFError, KeyboardInterrupt) as end:
        session.console.write("")  # ends the line of the question
        return EXIT_OK if isinstance(end, EOFError) else EXIT_INTERRUPTED
    return EXIT_OK


@dataclass(frozen=True)
class _OnlineDaily:
    """The daily game of a server."""

    console: Console
    folder: DailyFolder
    server: str
    name: str
    asked: str | None
    """A past day; None for today."""
    ascii: bool

    def run(self, *, plain: bool) -> int:
        """Sit down, play, and print the result once the game is over."""
        from cantstop.client import new_device, play_daily

        words = self.console.words
        device = self.folder.device(self.server) or new_device()
        self.folder.save_device(self.server, device)
        seat = play_daily(
            self.server, self.name, device=device, day=self.asked, language=words.language
        )
        if not seat.counts:
            self.console.print(words.say("This game is outside the ranking: it does not count."))
        tui = not plain and supports_tui(os.environ) and is_installed("terminal")
        code = self._play(seat, tui=tui, draws=_draws(plain))
        self._print_own(seat)
        return code

    def _play(self, seat: "DailySeat", *, tui: bool, draws: bool) -> int:
        """Play at the table of the seat, whose secret is kept like that of any other."""
        from cantstop.client import SeatSecrets
        from cantstop.terminal.online import join_table

        words, folder = self.console.words, user_data_folder()
        secrets = SeatSecrets(folder / "seats")
        controller = join_table(seat.link, self.name, words.language, secrets)
        if tui:
            return play_online(words, AppOptions(folder / "games", PACE, Theme.DARK), controller)
        draw = partial(board_text, ascii=self.ascii) if draws else None
        return play_lines(controller, self.console, draw)

    def _print_own(self, seat: "DailySeat") -> None:
        """The own result, if the game is over and has counted."""
        from cantstop.client import daily as read_daily

        words = self.console.words
        found = read_daily(self.server, seat.day, device=seat.device, language=words.language)
        mine, day = found.mine, read_day(seat.day)
        if not seat.counts:
            return
        if not found.unfinished and (mine is None or mine.finished_at is None):
            self.console.print(
                words.say("This try does not count: it was given up or not over in time.")
            )
            return
        if mine is None or mine.finished_at is None:
            self.console.print(
                words.say(
                    "The game is not over: the same command resumes it, until {time} UTC.",
                    time=found.counts_until[:16].replace("T", " "),
                )
            )
            return
        _print_result(self.console, day, _result(mine), _grade(mine), self.ascii)
        self.console.print(
            words.say("Place {place} of {count}.", place=found.place, count=found.count)
        )
        if (best := found.best) is not None:
            turns = words.say_count("{count} turn", "{count} turns", len(best))
            self.console.print(words.say("Best play with these dice: {turns}.", turns=turns))
        self.folder.note_day(self.server, day)
        now = datetime.fromisoformat(found.now)
        _print_streak(self.console, self.folder.streak(self.server, day_of(now)))
        if day_of(now) == day:
            _print_next(self.console, day, now)

    def print_results(self) -> None:
        """The table of a day's results."""
        from cantstop.client import daily as read_daily

        words = self.console.words
        device = self.folder.device(self.server)
        found = read_daily(self.server, self.asked, device=device, language=words.language)
        day = read_day(found.day)
        for place, row in _places(found.results):
            head, signs = result_lines(words, day, _result(row), _grade(row), ascii_only=self.ascii)
            self.console.print(f"{place}. {row.name}: {head.partition(': ')[2]} {signs}")
        if not found.results:
            self.console.print(words.say("Nobody has finished this game here."))
        if found.key is not None:
            self.console.print(words.say("The key of the dice was {key}.", key=found.key))
        self.console.print(
            words.say("Commitment to the key: {commitment}", commitment=found.commitment)
        )


def _result(row: "DailyTry") -> DailyResult:
    return DailyResult(row.turns or 0, signs_of(row.signs or ""))


def _grade(row: "DailyTry") -> tuple[float, float] | None:
    """Turns saved by luck and by skill, once they are known."""
    return None if row.luck is None or row.skill is None else (row.luck, row.skill)


def _places(rows: "Sequence[DailyTry]") -> list[tuple[int, "DailyTry"]]:
    """Results with their places: who needed as many turns shares one."""
    turns = [row.turns or 0 for row in rows]
    return [
        (1 + sum(other < own for other in turns), row) for own, row in zip(turns, rows, strict=True)
    ]
