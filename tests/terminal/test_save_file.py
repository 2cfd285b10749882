"""Saves: the same game goes on from anywhere, no file is overwritten, none is left in half."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cantstop.dice import Seal, SecureDice, SeededDice, commitment
from cantstop.record import Record, read_record, record_text
from cantstop.rules import Choice, IllegalAction, InvalidText, Phase, Rolled
from cantstop.terminal.local_game import LocalGame
from cantstop.terminal.save_file import FileExists, SaveError, create, create_in, write_save
from people import golden, local_game, sit, typed

START = "v1,players=2 -/- 1 - -"
NOON = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


def test_a_game_saved_after_any_event_goes_on_as_the_same_game() -> None:
    phases = set()
    for name in ("asmodee-leapfrog", "none-open-leapfrog", "wide-board", "two-runners"):
        whole = golden(name)
        for count in range(len(whole.events) + 1):
            part = Record(whole.start, whole.names, whole.events[:count], dice=whole.dice)
            local = LocalGame.from_record(read_record(record_text(part)))
            phases.add(local.game.phase)
            due = whole.events[count : count + 5]
            evening = sit(local, typed(local.game.position, due))
            assert evening.game.events[: count + len(due)] == whole.events[: count + len(due)]
    assert phases == set(Phase)


def test_M4_a_game_saved_in_the_roll_off_goes_on_there() -> None:
    whole = golden("trademark-three")
    part = Record(whole.start, whole.names, whole.events[:2], dice=whole.dice)
    local = LocalGame.from_record(read_record(record_text(part)))
    assert local.game.phase is Phase.START
    evening = sit(local, [])
    assert evening.questions == [f"{whole.names[2]}, press Enter to throw two dice: "]


def test_dice_on_the_table_are_told_when_the_game_goes_on() -> None:
    local = local_game(START, "Anne", "Bob")
    local.game.push(Rolled((2, 3, 4, 5)))
    evening = sit(LocalGame.from_record(local.record()), [])
    assert "On the table: 2, 3, 4 and 5." in evening.lines
    assert evening.questions == ["Your move, 1 to 3: "]


def test_names_bots_edition_date_and_dice_come_back() -> None:
    local = LocalGame(
        local_game("v1,players=3 -/-/- 1 - -", "Anne", "bot:bold:7", "Zoë").game,
        local_game("v1,players=3 -/-/- 1 - -", "Anne", "bot:bold:7", "Zoë").seats,
        SeededDice(5),
        "classic",
        "2026-11-15",
    )
    text = record_text(local.record())
    assert '[Seat2 "bot:bold:7"]' in text
    again = LocalGame.from_record(read_record(text))
    assert again.record() == local.record()
    assert again.names == ("Anne", "bold:7", "Zoë")
    assert again.seats[1].bot is not None
    assert again.seats[0].bot is again.seats[2].bot is None


def test_a_record_without_dice_goes_on_with_secure_ones() -> None:
    record = Record(local_game(START, "Anne", "Bob").game.start, ("Anne", "Bob"))
    assert LocalGame.from_record(record).dice == SecureDice(6)


def test_sealed_dice_without_their_secret_cannot_go_on() -> None:
    seal = Seal("t", commitment(bytes(32)), ("a", "b"))
    record = Record(local_game(START, "Anne", "Bob").game.start, ("Anne", "Bob"), dice=seal)
    with pytest.raises(IllegalAction, match="the secret is not in the record"):
        LocalGame.from_record(record)


def test_a_bot_that_is_not_known_here_cannot_go_on() -> None:
    record = Record(local_game(START, "Anne", "Bob").game.start, ("Anne", "bot:skynet"))
    with pytest.raises(InvalidText, match="no bot “skynet”"):
        LocalGame.from_record(record)


def test_the_file_is_up_to_date_after_every_event(tmp_path: Path) -> None:
    file = tmp_path / "game.cantstop"
    local = local_game(START, "Anne", "bot:careful")
    seen = []

    def answers() -> Iterator[Any]:
        for answer in ("roll", "1", "stop", ""):
            yield answer
            seen.append(read_record(file.read_text("utf-8")).events == local.game.events)

    sit(local, answers(), file=file)
    assert seen == [True] * 4
    assert [path.name for path in tmp_path.iterdir()] == ["game.cantstop"]


def test_the_save_command_keeps_the_game_in_a_file_from_then_on(tmp_path: Path) -> None:
    local = local_game(START, "Anne", "Bob")
    file = tmp_path / "our game.cantstop"
    evening = sit(local, ["roll", f"save {file}", "1"])
    assert f"The game is kept in {file} from now on." in evening.lines
    assert read_record(file.read_text("utf-8")).events == local.game.events


def test_the_save_command_alone_makes_a_new_file_once(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "games"
    sit(local_game(START, "Anne", "Bob"), ["save", "roll", "save"], folder=folder)
    assert len(list(folder.iterdir())) == 1


def test_the_save_command_overwrites_nothing(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Bob", "utf-8")
    evening = sit(local_game(START, "Anne", "Bob"), [f"save {file}"])
    assert f"{file} already exists; continue it with --resume." in evening.lines
    assert file.read_text("utf-8") == "Dear Bob"
    assert evening.session.file.path is None


def test_a_save_that_fails_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    nowhere = tmp_path / "missing" / "game.cantstop"
    evening = sit(local_game(START, "Anne", "Bob"), [f"save {nowhere}", "roll", "1"], file=nowhere)
    assert evening.text.count(f"{nowhere} cannot be written: No such file or directory.") == 3
    assert len(evening.game.events) == 2


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "~nobody-at-all/no/game", "/dev/null/game"])
def test_a_name_that_no_file_can_have_is_refused_and_the_game_goes_on(name: str) -> None:
    evening = sit(local_game(START, "Anne", "Bob"), [f"save {name}", "roll"])
    assert "cannot be written: " in evening.text
    assert evening.game.rolls == 1


def test_a_file_in_ones_home_is_found_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    sit(local_game(START, "Anne", "Bob"), ["save ~/game.cantstop"])
    assert (tmp_path / "game.cantstop").exists()


def test_a_new_file_is_never_one_that_is_there(tmp_path: Path) -> None:
    file = tmp_path / "a.cantstop"
    create(file)
    with pytest.raises(FileExists):
        create(file)


def test_new_files_are_named_after_date_and_time_and_do_not_collide(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there" / "yet"
    names = [create_in(folder, NOON).name for _ in range(3)]
    assert names == [
        "2026-11-15-120000.cantstop",
        "2026-11-15-120000-2.cantstop",
        "2026-11-15-120000-3.cantstop",
    ]


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SaveError):
        create_in(tmp_path / "file", NOON)


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_save_and_no_rubbish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    file = tmp_path / "game.cantstop"
    local = local_game(START, "Anne", "Bob")
    write_save(file, local.record())
    old = file.read_text("utf-8")
    local.apply(Choice.ROLL)

    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os if failing == "fsync" else Path, failing, fail)
    with pytest.raises(SaveError, match="No space left on device"):
        write_save(file, local.record())
    assert file.read_text("utf-8") == old
    assert list(tmp_path.iterdir()) == [file]


KILLED = """
import os, signal, sys
from pathlib import Path
from cantstop import Game, Record, Rules
from cantstop.terminal.save_file import write_save

game = Game(Rules())
write_save(Path(sys.argv[1]), Record(game.start, ("Anne", "Bob")))
game.roll("2345")
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
write_save(Path(sys.argv[1]), Record(game.start, ("Anne", "Bob"), game.events))
"""


def test_a_program_killed_while_it_writes_leaves_the_old_save(tmp_path: Path) -> None:
    file = tmp_path / "game.cantstop"
    done = subprocess.run([sys.executable, "-c", KILLED, str(file)], check=False)
    assert done.returncode == -9  # SIGKILL, which Windows does not have
    assert read_record(file.read_text("utf-8")).events == ()


def test_a_save_keeps_its_permissions_and_stays_behind_its_link(tmp_path: Path) -> None:
    file, link = tmp_path / "game.cantstop", tmp_path / "link"
    file.touch(mode=0o640)
    link.symlink_to(file)
    write_save(link, local_game(START, "Anne", "Bob").record())
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert read_record(file.read_text("utf-8")).names == ("Anne", "Bob")
