"""``cantstop play`` from the outside: options, pipes, exit codes."""

import io
import re
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cantstop.bots import BOTS
from cantstop.cli import main
from cantstop.dice import SealedDice
from cantstop.record import read_record, record_text, verify
from cantstop.rules import Sharing
from people import golden

TWO = ("--seat", "Anne", "--seat", "bot:careful")


@pytest.fixture
def play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[Any, Any, Any]]:
    """Run the command with typed lines; returns its exit code, output and errors."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def run(*arguments: str, typed: str = "", command: str = "play") -> tuple[Any, Any, Any]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as left:
            main([command, *arguments])
        shown = capsys.readouterr()
        return left.value.code, shown.out, shown.err

    return run


def saved(tmp_path: Path) -> Any:
    (file,) = (tmp_path / "data" / "cantstop" / "games").iterdir()
    return file


def test_without_a_terminal_one_person_plays_against_a_bot(
    play: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    code, out, _ = play()
    assert code == 0
    assert "Player 1, press Enter to roll:" in out
    assert f"cantstop play --resume {saved(tmp_path)}" in out
    assert read_record(saved(tmp_path).read_text("utf-8")).names == ("Player 1", "bot:careful")


def test_a_game_saved_on_leaving_goes_on_with_the_printed_command(
    play: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    play(*TWO, "--seed", "3", "--lang", "fr", typed="\n1\n")
    file = saved(tmp_path)
    before = read_record(file.read_text("utf-8"))
    code, out, _ = play("--resume", str(file), typed="stop\n\n")
    after = read_record(file.read_text("utf-8"))
    assert code == 0
    assert f"The game in {file} goes on." in out
    assert after.events[: len(before.events)] == before.events
    assert len(after.events) > len(before.events)
    assert after.dice == before.dice


def test_the_command_to_go_on_keeps_how_one_likes_to_read(
    play: Callable[..., tuple[Any, Any, Any]],
) -> None:
    _, out, _ = play(*TWO, "--plain", "--ascii", "--lang", "fr")
    assert "cantstop play --plain --ascii --lang fr --resume " in out
    assert out.isascii()


def test_a_game_with_a_file_is_there_from_the_first_moment(
    play: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "game.cantstop"
    code, _, _ = play(*TWO, "--save", str(file))
    assert code == 0
    assert read_record(file.read_text("utf-8")).names == ("Anne", "bot:careful")
    assert not (tmp_path / "data").exists()


def test_a_file_that_exists_is_refused_and_not_touched(
    play: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Bob", "utf-8")
    code, out, err = play(*TWO, "--save", str(file))
    assert (code, out) == (2, "")
    assert err == f"cantstop: {file} already exists; continue it with --resume.\n"
    assert file.read_text("utf-8") == "Dear Bob"


def test_a_corrupt_save_is_refused_with_its_line_and_not_touched(
    play: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "game.cantstop"
    text = re.sub(r"(?<=[\d ])=[0-9+]+", "=13", record_text(golden("classic-two")), count=1)
    line = text[: text.index("=13")].count("\n") + 1
    file.write_text(text, "utf-8")
    code, out, err = play("--resume", str(file))
    assert (code, out) == (2, "")
    assert err.startswith(f"cantstop: Line {line}: ")
    assert "13 is not a legal move here" in err
    assert file.read_text("utf-8") == text


def test_a_cut_save_goes_on_from_there_with_a_notice(
    play: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "game.cantstop"
    text = record_text(golden("classic-two"))
    file.write_text(text[: len(text) // 2], "utf-8")
    code, out, _ = play("--resume", str(file), typed="quit\n")
    assert code == 0
    assert "the record is cut off here; everything before was read." in out
    again = read_record(file.read_text("utf-8"))
    assert again.cut is None
    assert golden("classic-two").events[: len(again.events)] == again.events


def test_a_finished_game_shows_its_result(
    play: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "game.cantstop"
    file.write_text(record_text(golden("classic-two")), "utf-8")
    code, out, _ = play("--resume", str(file))
    assert code == 0
    assert "This game is already over." in out
    assert "wins the game in round" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["--variant", "no-rest", "--variant", "leapfrog"],
            "V3 (no rest on a shared space) and V4",
        ),
        (["--variant", "V3", "--variant", "V4"], "V3 (no rest on a shared space) and V4"),
        (["--variant", "wild"], "There is no variant “wild”"),
        (["--edition", "classic", "--variant", "early"], "does not print V2 (runners out early)"),
        (["--edition", "monopoly"], "There is no edition “monopoly”"),
        (["--rules", "win=4", "--win", "4"], "--rules says it all"),
        (["--rules", "players=3", "--players", "2"], "The options say both 2 and 3."),
        (["--players", "3", "--seat", "Anne"], "The options say both 1 and 3."),
        (["--players", "7"], "Can't Stop is for 1 to 4 players, not 7."),
        (["--seat", "Anne", "--seat", "Anne"], "Two players cannot both be called “Anne”."),
        (["--seat", "bot:hal"], "There is no bot “hal”"),
        (["--youngest", "2"], "Seat 2 cannot be named to start"),
        (["--edition", "ravensburger", "--youngest", "Eve"], "neither a seat's number nor its"),
        (["--seed", "1", "--dice", "sealed"], "Dice come from --seed or from --dice"),
        (["--dice", "loaded"], "--dice"),
        (["--win", "12"], "12 columns cannot be won"),
        (["--resume", "x.cantstop", "--win", "4"], "--resume continues a game as it is"),
        (["--resume", "not-there.cantstop"], "cannot be read: No such file or directory."),
        (["--lang", "tlh"], "There is no language “tlh”"),
        (["--save", "no/such/folder/game"], "cannot be written: No such file or directory."),
    ],
)
def test_what_cannot_be_is_one_line_and_exit_code_2(
    play: Callable[..., tuple[Any, Any, Any]], arguments: list[str], sentence: str
) -> None:
    code, _, err = play(*arguments)
    assert code == 2
    assert sentence in err
    assert err.count("\n") == 1
    assert err.startswith("cantstop: ")


def test_errors_are_told_in_the_language_asked_for(
    play: Callable[..., tuple[Any, Any, Any]],
) -> None:
    code, _, err = play("--lang", "de", "--seat", "bot:hal")
    assert code == 2
    assert err == f"cantstop: Es gibt keinen Bot „hal“; es gibt: {', '.join(BOTS)}.\n"


def test_the_rules_are_those_that_were_asked_for(
    play: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "game.cantstop"
    play("--edition", "Ravensburger", "--players", "3", "--variant", "V1", "--variant", "no-rest",
         "--variant", "early", "--youngest", "2", "--save", str(file))  # fmt: skip
    record = read_record(file.read_text("utf-8"))
    assert record.edition == "ravensburger"
    assert record.rules.columns_to_win == 4
    assert record.rules.early
    assert record.rules.sharing is Sharing.NO_REST
    assert record.start.seat == 1


def test_rules_can_be_one_text(play: Callable[..., tuple[Any, Any, Any]], tmp_path: Path) -> None:
    file = tmp_path / "game.cantstop"
    play("--rules", "players=1,lengths=1.2.1", "--save", str(file))
    record = read_record(file.read_text("utf-8"))
    assert str(record.rules) == "v1,players=1,lengths=1.2.1"
    assert record.names == ("Player 1",)


def test_a_whole_sealed_game_can_be_verified(
    play: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "game.cantstop"
    code, out, _ = play("--seat", "bot:bold", "--seat", "bot:careful", "--dice", "sealed",
                        "--save", str(file))  # fmt: skip
    record = read_record(file.read_text("utf-8"))
    assert code == 0
    assert verify(record).dice_checked
    assert record.game().outcome is not None
    assert isinstance(record.dice, SealedDice)
    commitment_told, secret_told = (out.index(text) for text in (
        record.dice.seal.commitment, record.dice.secret.hex()))  # fmt: skip
    assert commitment_told < secret_told
    assert f"cantstop verify {file}" in out


def test_a_person_adds_salt_to_sealed_dice(
    play: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    play(*TWO, "--dice", "sealed", typed="pepper\n")
    dice = read_record(saved(tmp_path).read_text("utf-8")).dice
    assert isinstance(dice, SealedDice)
    assert dice.seal.salts[0] == "pepper"


def test_leaving_before_the_game_has_begun_saves_nothing(
    play: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    code, _, _ = play(*TWO, "--dice", "sealed")
    assert code == 0
    assert not (tmp_path / "data").exists()


def test_ctrl_c_before_the_game_has_begun_is_exit_code_130(
    play: Callable[..., tuple[Any, Any, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cantstop.terminal.new_game.ask_sealed_dice", interrupt)
    assert play(*TWO, "--dice", "sealed")[0] == 130


def interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def test_seeded_games_repeat_themselves(
    play: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    bots = ("--seat", "bot:bold", "--seat", "bot:careful", "--seed", "12", "--save")
    first, second = tmp_path / "first", tmp_path / "second"
    play(*bots, str(first))
    play(*bots, str(second))
    assert first.read_text("utf-8") == second.read_text("utf-8")


def test_in_a_pipe_a_replay_is_told_from_beginning_to_end(
    play: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "game.cantstop"
    file.write_text(record_text(golden("solo-small")), "utf-8")
    code, out, _ = play(str(file), command="replay")
    assert code == 0
    assert out.count(" rolls ") == golden("solo-small").game().rolls
    assert "has finished in" in out
    assert "Best play" not in out


def test_in_a_pipe_a_replay_of_a_solo_game_is_compared_with_best_play(
    play: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "game.cantstop"
    file.write_text(record_text(golden("solo")), "utf-8")
    _, out, _ = play(str(file), command="replay")
    assert out.endswith("Best play needs 6.7 turns on average: this game took 2.3 more.\n")


def test_a_replay_of_an_unfinished_game_ends_with_where_everybody_stands(
    play: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "game.cantstop"
    play(*TWO, "--save", str(file), typed="roll\n")
    assert "Anne: no tokens yet." in play(str(file), command="replay")[1]


@pytest.mark.parametrize("command", ["join", "watch", "open"])
def test_a_server_that_is_not_there_is_one_sentence(
    play: Callable[..., tuple[Any, Any, Any]], command: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    link = f"http://127.0.0.1:{port}" + ("" if command == "open" else "/t/k7Qm")
    code, _, err = play(link, command=command)
    assert code == 2
    assert "cannot be reached" in err
    assert err.count("\n") == 1
