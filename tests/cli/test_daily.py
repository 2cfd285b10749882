"""``cantstop daily``: the game of the day with dice of one's own, and at a real server."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from cantstop import read_record, verify
from cantstop.cli import main
from cantstop.client import daily as played
from cantstop.daily import DailyResult, Sign, day_text, result_lines
from cantstop.dice import DailyDice
from cantstop.language import LANGUAGES, Translator
from cantstop.terminal.console import Console
from cantstop.terminal.day_files import LOCAL, DailyFolder
from live_server import LiveServer, live_server, quick_server  # noqa: F401 - a fixture
from typist import Typist

Run = Callable[..., tuple[int, str]]
NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


@dataclass
class Person:
    """A player who stops after ``moves`` moves of a turn, and may leave after some answers."""

    moves: int = 2
    answers: int | None = None
    said: list[str] = field(default_factory=list)
    asked: int = 0
    done: int = 0

    def read(self, prompt: str) -> str:
        if self.asked == self.answers:
            return "quit"
        self.asked += 1
        if prompt.startswith("roll or stop"):
            return "stop" if self.done >= self.moves else "roll"
        if prompt.startswith("Your move") or "for this move" in prompt:
            self.done += 1
            return "1"
        self.done = 0
        return ""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("cantstop.cli.daily.user_data_folder", lambda: tmp_path)

    def run(*arguments: str, person: Person | None = None) -> tuple[int, str]:
        who = person or Person()
        monkeypatch.setattr(
            "cantstop.cli.daily.standard_console",
            lambda words, _ascii: Console(words, who.read, who.said.append),
        )
        with pytest.raises(SystemExit) as exit_:
            main(["daily", "--plain", *arguments])
        return int(exit_.value.code or 0), "\n".join(who.said)

    return run


@pytest.fixture
def ungraded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Luck and skill are the review's: it is slow to load, and one test is enough."""
    monkeypatch.setattr("cantstop.cli.daily._LocalDaily._grade", lambda *_: None)


@pytest.fixture
def noon(monkeypatch: pytest.MonkeyPatch) -> date:
    """It is noon of a day on this machine."""

    class Noon(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> "Noon":
            return cls.fromtimestamp(NOON.timestamp(), UTC) if tz else super().now()

    monkeypatch.setattr("cantstop.cli.daily.datetime", Noon)
    return NOON.date()


def test_a_game_of_ones_own_counts_once_and_its_record_can_be_checked(
    run: Run, noon: date, tmp_path: Path
) -> None:
    (tmp_path / "daily").mkdir(0o700)
    (tmp_path / "daily" / "secret").write_text(bytes(range(32)).hex())
    code, said = run("--name", "Anne")
    assert code == 0
    found = re.search(
        r"Can't Stop 15 Nov 2026: (\d+) turns, par 6\.7, luck (.+), skill (.+)\n(.+)", said
    )
    assert found is not None, said
    turns = int(found[1])
    luck, skill = (float(text.replace("−", "-").lstrip("±")) for text in found.group(2, 3))
    assert turns == pytest.approx(6.7 - luck - skill, abs=0.2)
    assert len(re.findall("[■□★]", found[4])) == turns
    assert "Your streak on this machine: 1 day." in said
    assert "begins in 12 h 1 min, at midnight UTC" in said
    record = read_record((tmp_path / "daily" / "2026-11-15.cantstop").read_text("utf-8"))
    verification = verify(record)
    assert (verification.day, verification.dice_checked, verification.turns) == (noon, True, turns)
    assert isinstance(record.dice, DailyDice)
    _, again = run("--name", "Anne", person=Person(answers=3))
    assert "Your try is over: this game does not count." in again
    kept = (tmp_path / "daily" / "2026-11-15.cantstop").read_text("utf-8")
    assert read_record(kept) == record


@pytest.mark.usefixtures("ungraded")
def test_a_game_that_is_left_goes_on_with_the_same_dice(
    run: Run, noon: date, tmp_path: Path
) -> None:
    _, said = run(person=Person(answers=4))
    assert "The game is saved" in said
    path = tmp_path / "daily" / f"{noon}.cantstop"
    before = read_record(path.read_text("utf-8")).events
    assert before
    run()
    after = read_record(path.read_text("utf-8"))
    assert after.events[: len(before)] == before
    assert verify(after).dice_checked


@pytest.mark.usefixtures("ungraded", "noon")
def test_past_days_are_played_outside_the_ranking_and_others_are_refused(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, said = run("--day", "2026-11-14")
    assert "does not count" in said
    assert "Can't Stop 14 Nov" in said
    assert DailyFolder(tmp_path / "daily").days(LOCAL) == frozenset()
    for day in ("2026-11-16", "2026-10-01", "yesterday"):
        code, _ = run("--day", day)
        assert code == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert run("--results")[0] == 2


def test_the_secret_of_this_machine_is_its_owners_and_a_spoiled_one_is_named(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = DailyFolder(tmp_path / "daily")
    dice = folder.dice(date(2026, 11, 15))
    assert folder.dice(date(2026, 11, 15)) == dice
    secret = tmp_path / "daily" / "secret"
    assert secret.stat().st_mode & 0o077 == 0
    secret.write_text("nonsense")
    code, _ = run()
    assert code == 2
    assert "holds no secret" in capsys.readouterr().err
    assert secret.read_text() == "nonsense"


def test_a_streak_counts_days_in_a_row_up_to_yesterday(tmp_path: Path) -> None:
    folder, today = DailyFolder(tmp_path), date(2026, 3, 1)
    for ago in (1, 2, 3, 5):
        folder.note_day("here", today - timedelta(days=ago))
    assert folder.streak("here", today) == 3
    folder.note_day("here", today)
    assert folder.streak("here", today) == 4
    assert folder.streak("there", today) == 0
    (tmp_path / "days.json").write_text('{"here": [1, "2026-03-01", null]}')
    assert folder.streak("here", today) == 1
    (tmp_path / "days.json").write_text("[]")
    assert folder.streak("here", today) == 0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server on which it is noon for as long as the tests take."""
    database = f"sqlite:///{tmp_path_factory.mktemp('daily') / 'tables.db'}"
    with live_server(database, clock=lambda: NOON) as running:
        yield running


@pytest.fixture
def typist(server: LiveServer, tmp_path: Path) -> Iterator[Callable[[], Typist]]:
    """A player of the daily game of the server in a pipe, always on the same machine."""
    started: list[Typist] = []

    def start() -> Typist:
        options = ("--plain", "--server", server.url, "--name", "Anne")
        started.append(Typist(tmp_path, *options, command="daily"))
        return started[-1]

    yield start
    for one in started:
        one.close()


def test_the_daily_game_of_a_server(
    typist: Callable[[], Typist], server: LiveServer, tmp_path: Path
) -> None:
    """Left, gone on with, finished, graded; a second one does not count."""
    anne = typist()
    anne.hear("Anne, press Enter to roll:")
    anne.type("hint")
    anne.hear("This table was opened without hints.")
    assert anne.leave() == 0
    way_back = next(line for line in anne.said if "cantstop join" in line)
    assert "The game is not over" in "\n".join(anne.said)
    by_link = Typist(tmp_path, way_back.split()[-1], "--plain", command="join")
    try:
        by_link.hear("Anne, press Enter to roll:")
        assert by_link.leave() == 0
    finally:
        by_link.close()
    anne = typist()
    anne.play()
    assert not any("rematch" in line for line in anne.said), "a daily game has none"
    devices = tmp_path / "cantstop" / "daily" / "devices.json"
    ((address, device),) = json.loads(devices.read_text()).items()
    assert address == server.url
    while (mine := played(server.url, device=device).mine) is None or mine.luck is None:
        pass  # the server grades the game: it answers when it has, or after ten seconds
    anne.type("")
    anne.hear("Place 1 of 1.")
    assert anne.leave() == 0
    said = "\n".join(anne.said)
    found = re.search(r"Can't Stop .+: (\d+) turns, par 6\.7, luck .+, skill .+\n(.+)", said)
    assert found is not None, said
    assert "Your streak on this machine: 1 day." in said
    again = typist()
    again.hear("outside the ranking")
    again.hear("Anne, press Enter to roll:")
    assert again.leave() == 0
    assert json.loads(devices.read_text()) == {address: device}
    assert devices.stat().st_mode & 0o077 == 0


def test_the_results_of_a_server_and_one_that_does_not_answer(
    server: LiveServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(SystemExit) as exit_:
        main(["daily", "--server", server.url, "--results"])
    assert not exit_.value.code
    assert "Commitment to the key: " in capsys.readouterr().out
    with pytest.raises(SystemExit) as exit_:
        main(["daily", "--server", "http://127.0.0.1:9/nowhere/else"])
    assert exit_.value.code == 2


def test_a_result_reads_well_in_every_language_and_in_ascii() -> None:
    result = DailyResult(3, (Sign.STOP, Sign.BUST, Sign.COLUMN))
    days = set()
    for language in LANGUAGES:
        words = Translator(language)
        head, signs = result_lines(words, date(2026, 5, 3), result, (1.26, -0.04))
        assert signs == "■□★"
        assert "3" in head
        days.add(day_text(words, date(2026, 5, 3)))
    assert len(days) > 2
    assert result_lines(Translator(), date(2026, 5, 3), result, None, ascii_only=True) == [
        "Can't Stop 3 May 2026: 3 turns, par 6.7",
        "-x*",
    ]
