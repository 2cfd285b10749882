"""The commands as a person or a program calls them."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cantstop import (
    Game,
    Record,
    Seal,
    SealedDice,
    SeededDice,
    __version__,
    read_record,
    record_text,
)
from cantstop.dice import EnteredDice, commitment
from cantstop.language import LANGUAGES
from cantstop.rules import EDITIONS

POSITION = "v1,players=2 7:4/6:11,8:3 1 7:5,9:1 1236"


def played(dice: Any) -> Record:
    game = Game()
    while game.rolls < 12:
        game.roll(dice.roll(game.rolls + 1))
        if game.legal_moves:
            game.move(game.legal_moves[0])
            game.stop()
    return Record(game.start, ("Anne", "Bob"), game.events, dice=dice)


def sealed(secret: bytes = b"s" * 32, promised: bytes = b"s" * 32) -> SealedDice:
    return SealedDice(Seal("table", commitment(promised), ("a", "b")), secret)


def test_odds_for_programs(run: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = run("odds", "6", "7", "8", "--json")
    answer = json.loads(out)
    assert code == 0
    assert (answer["usable"], answer["of"]) == (1192, 1296)
    assert answer["columns"]["2"] == 171
    assert answer["survival"][1] == pytest.approx((1192 / 1296) ** 2)


def test_odds_for_people(run: Callable[..., tuple[int, str, str]]) -> None:
    _, out, _ = run("odds", "6", "7", "8")
    assert "Runners on 6, 7 and 8" in out
    assert "1192 of 1296" in out
    assert "92.0%" in out


def test_odds_without_runners(run: Callable[..., tuple[int, str, str]]) -> None:
    assert "No runners on the board" in run("odds")[1]


def test_odds_table_has_all_triples(run: Callable[..., tuple[int, str, str]]) -> None:
    lines = run("odds", "--table")[1].splitlines()
    assert len(lines) == 165
    assert any(line.split() == ["2-3-12", "568", "/", "1296", "43.8%"] for line in lines)
    assert len(json.loads(run("odds", "--table", "--json")[1])) == 165


def test_odds_chart_is_svg(run: Callable[..., tuple[int, str, str]]) -> None:
    assert run("odds", "--chart")[1].startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["odds", "13"], "There is no column 13"),
        (["odds", "2", "3", "4", "5"], "There are 4 runners, but a turn has 3"),
        (["odds", "6", "--closed", "6"], "Column 6 is won"),
        (["odds", "six"], "six"),
        (["odds", "--chart", "--rules", "lengths=1.2.1"], "official board only"),
        (["odds", "--rules", "players=5"], "1 to 4 players, not 5"),
        (["odds", "--lang", "tlh"], "tlh"),
        (["show", "v1,players=2 2:4/- 1 - -"], "space 4 of column 2"),
        (["show", "v1,players=2 -/-"], "5 fields"),
        (["show", "nowhere.cantstop"], "nowhere.cantstop cannot be read"),
        (["show", "v1,sharing=no-rest,sharing=leapfrog -/- 1 - -"], "exclude each other"),
        (["verify", "nowhere.cantstop"], "nowhere.cantstop cannot be read"),
        (["rules", "--edition", "deluxe"], "deluxe"),
        (["rules", "--rules", "players=5"], "1 to 4 players, not 5"),
        (["rules", "--edition", "asmodee", "--rules", "early"], "does not print V2"),
        (["play", "--variant", "no-rest", "--variant", "leapfrog"], "V3"),
        (["play", "--players", "5"], "5"),
        (["fly"], "fly"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    fails: Callable[..., str], arguments: list[str], said: str
) -> None:
    assert said in fails(*arguments)


def test_errors_speak_the_language_that_was_asked_for(fails: Callable[..., str]) -> None:
    assert "colonne 13" in fails("odds", "13", "--lang", "fr")
    assert "Spalte 13" in fails("odds", "13", "--lang=de")


def test_show_draws_the_board_with_moves_and_text(run: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = run("show", POSITION)
    assert code == 0
    assert "Legal moves: 3+9, 4, 8, 5+7" in out
    assert out.splitlines()[-1] == POSITION
    assert run("show", POSITION, "--ascii")[1].isascii()
    assert run("show", POSITION, "--svg")[1].startswith("<svg")


def test_show_for_programs(run: Callable[..., tuple[int, str, str]]) -> None:
    answer = json.loads(run("show", "v1,players=2 7:4/6:11,8:3 1 7:5,9:1 -", "--json")[1])
    assert answer["phase"] == "choice"
    assert answer["runners"][5] == 5
    assert answer["may_stop"] is True
    assert answer["bust_chance"][1] == 1296
    assert 0 < answer["bust_chance"][0] < 1296
    thrown = json.loads(run("show", POSITION, "--json")[1])
    assert thrown["bust_chance"] is None
    assert [offer["move"] for offer in thrown["moves"]] == ["3+9", "4", "8", "5+7"]


def test_show_a_record_at_any_event(
    run: Callable[..., tuple[int, str, str]], fails: Callable[..., str], tmp_path: Path
) -> None:
    record = played(SeededDice(1))
    path = tmp_path / "game.cantstop"
    path.write_text(record_text(record))
    assert run("show", str(path), "--at", "0")[1].splitlines()[-1] == str(record.start)
    assert run("show", str(path))[1].splitlines()[-1] == str(record.game().position)
    assert "There is no event 999" in fails("show", str(path), "--at", "999")


@pytest.mark.parametrize("dice", [SeededDice(1), sealed()])
def test_verify_says_what_holds(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path, dice: SealedDice | SeededDice
) -> None:
    path = tmp_path / "game.cantstop"
    path.write_text(record_text(played(dice)))
    code, out, _ = run("verify", str(path))
    assert code == 0
    assert "everything legal" in out
    assert "every roll" in out
    (answer,) = json.loads(run("verify", str(path), "--json")[1])
    assert answer["dice_checked"] is True


def test_verify_says_that_entered_dice_cannot_be_verified(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    path = tmp_path / "game.cantstop"
    path.write_text(record_text(replace(played(SeededDice(1)), dice=EnteredDice())))
    code, out, _ = run("verify", str(path))
    assert code == 0
    assert "Dice: thrown and entered by the players, so they cannot be verified." in out
    assert "every roll" not in out
    (answer,) = json.loads(run("verify", str(path), "--json")[1])
    assert (answer["dice_checked"], answer["dice_entered"]) == (False, True)


def test_verify_names_the_roll_that_is_wrong(fails: Callable[..., str], tmp_path: Path) -> None:
    record = played(SeededDice(1))
    path = tmp_path / "game.cantstop"
    path.write_text(record_text(record).replace('[Seed "1"]', '[Seed "2"]'))
    assert "Roll 1 " in fails("verify", str(path), code=1)


def test_verify_refuses_a_wrong_seal(fails: Callable[..., str], tmp_path: Path) -> None:
    path = tmp_path / "game.cantstop"
    path.write_text(record_text(played(sealed(promised=b"t" * 32))))
    assert "commitment" in fails("verify", str(path), code=1)


def test_verify_names_the_line_of_an_illegal_move(
    fails: Callable[..., str], tmp_path: Path
) -> None:
    path = tmp_path / "game.cantstop"
    path.write_text('[Cantstop "1"]\n[Rules "v1,players=2"]\n\n1. (1) 2345=2+12 stop\n*\n')
    assert "Line 4" in fails("verify", str(path), code=1)


def test_verify_refuses_a_result_that_the_game_does_not_have(
    fails: Callable[..., str], tmp_path: Path
) -> None:
    path = tmp_path / "game.cantstop"
    path.write_text(record_text(played(SeededDice(1))).replace("\n*\n", "\nwon 1\n"))
    assert "The result says “won 1”" in fails("verify", str(path), code=1)


def test_verify_tells_of_a_cut_record(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    path = tmp_path / "game.cantstop"
    path.write_text(record_text(played(SeededDice(1)))[:-4])
    code, out, err = run("verify", str(path))
    assert code == 2
    assert "everything legal" in out
    assert "cut off" in err


def test_verify_says_who_won(run: Callable[..., tuple[int, str, str]]) -> None:
    golden = sorted(Path(__file__).parents[1].glob("golden/*.cantstop"))
    finished = next(path for path in golden if "won" in path.read_text().splitlines()[-1])
    record = read_record(finished.read_text())
    outcome = record.game().outcome
    assert outcome is not None
    (winner,) = outcome.winners
    assert f"won by {record.names[winner]}" in run("verify", str(finished))[1]


def test_binary_files_are_refused(fails: Callable[..., str], tmp_path: Path) -> None:
    path = tmp_path / "game.cantstop"
    path.write_bytes(b"\xff\xfe\x00")
    assert "UTF-8" in fails("verify", str(path))


def test_editions(run: Callable[..., tuple[int, str, str]]) -> None:
    out = run("editions")[1]
    assert all(edition.title in out for edition in EDITIONS.values())
    answer = {edition["name"]: edition for edition in json.loads(run("editions", "--json")[1])}
    assert answer["ravensburger"]["win"] == {
        "1": [3],
        "2": [3, 5],
        "3": [3, 4],
        "4": [3],
    }
    assert answer["asmodee"]["sharing"] == ["free", "no-rest", "leapfrog"]


def test_bots(run: Callable[..., tuple[int, str, str]]) -> None:
    assert "careful" in run("bots")[1]
    assert "careful" in {bot["name"] for bot in json.loads(run("bots", "--json")[1])}


def test_rules_in_a_language(run: Callable[..., tuple[int, str, str]]) -> None:
    english = run("rules", "--edition", "ravensburger")[1]
    french = run("rules", "--edition", "ravensburger", "--lang", "fr")[1]
    assert "column" in english
    assert "colonne" in french
    assert run("--lang", "fr", "rules", "--edition", "ravensburger")[1] == french


def test_rules_of_a_variant(run: Callable[..., tuple[int, str, str]]) -> None:
    leapfrog = run("rules", "--variant", "leapfrog")[1]
    assert leapfrog == run("rules", "--rules", "players=2,sharing=leapfrog")[1]
    assert leapfrog != run("rules")[1]
    longer = run("rules", "--edition", "ravensburger", "--variant", "longer", "--players", "3")[1]
    assert longer == run("rules", "--rules", "players=3,win=4,start=youngest")[1]
    assert (
        run("rules", "--win", "5", "--variant", "V2")[1]
        == (run("rules", "--rules", "win=5,early,players=2")[1])
    )


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (["ply"], "“play”"),
        (["arenna", "careful"], "“arena”"),
        (["help", "verfy"], "“verify”"),
        (["arena", "carefull"], "“careful”"),
        (["arena", "champoin:3"], "“champion”"),
        (["play", "--seat", "bot:foxx"], "“fox”"),
        (["rules", "--edition", "ravensberger"], "“ravensburger”"),
        (["rules", "--variant", "leap-frog"], "“leapfrog”"),
        (["play", "--replay", "tonight.cantstop"], "“cantstop replay”"),
        (["play", "--plain", "--join", "http://localhost/t/k7Qm"], "“cantstop join”"),
        (["play", "--watch=http://localhost/t/k7Qm"], "“cantstop watch”"),
        (["play", "--open", "localhost:8000"], "“cantstop open”"),
        (["odds", "--jsno"], "--json"),
        (["odds", "--hlep"], "--help"),
    ],
)
def test_a_name_that_is_nearly_right_is_corrected(
    fails: Callable[..., str], arguments: list[str], near: str
) -> None:
    assert fails(*arguments).endswith(f"; did you mean {near}?\n")


@pytest.mark.parametrize(
    ("arguments", "some"),
    [
        (["xyzzy"], ["play", "arena", "help"]),
        (["arena", "xyzzy"], ["careful", "champion"]),
        (["rules", "--edition", "xyzzy"], ["classic", "asmodee"]),
        (["rules", "--variant", "xyzzy"], ["early", "leapfrog"]),
        (["odds", "--lang", "xyzzy"], ["en", "nl"]),
    ],
)
def test_a_name_like_no_other_is_answered_with_all_of_them(
    fails: Callable[..., str], arguments: list[str], some: list[str]
) -> None:
    told = fails(*arguments).partition("; there are: ")[2].rstrip(".\n").split(", ")
    assert set(some) <= set(told)


def test_the_correction_is_in_five_languages(fails: Callable[..., str]) -> None:
    told = {language: fails("ply", "--lang", language) for language in LANGUAGES}
    assert len(set(told.values())) == len(LANGUAGES)
    assert told["de"] == "cantstop: Es gibt keinen Befehl „ply“; meintest du „play“?\n"


def test_help_is_a_command_too(run: Callable[..., tuple[int, str, str]]) -> None:
    assert run("help") == run("--help")
    assert run("help", "play") == run("play", "--help")
    assert run("help", "play", "--lang", "it") == run("play", "--help", "--lang", "it")
    assert run("help", "help")[1].startswith("Usage: cantstop help [OPTIONS] [COMMAND]")


def test_version_and_help(run: Callable[..., tuple[int, str, str]]) -> None:
    assert run("--version")[1] == f"cantstop {__version__}\n"
    assert run("--version", "bots")[1] == f"cantstop {__version__}\n"
    assert run("-V")[1] == f"cantstop {__version__}\n"
    for command in ("play", "odds", "show", "verify", "rules", "editions", "bots"):
        code, out, _ = run(command, "--help")
        assert code == 0
        assert "Example" in out


@pytest.mark.usefixtures("english")
def test_as_a_process_without_a_terminal() -> None:
    command = [sys.executable, "-m", "cantstop", "odds", "7", "--rules", "players=9"]
    environment = {**os.environ, "LANG": "C.UTF-8"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "cantstop: Can't Stop is for 1 to 4 players, not 9.\n"


def test_a_reader_that_leaves_early_sees_no_complaint() -> None:
    command = f"{sys.executable} -m cantstop odds --table | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.stdout.count("\n"), done.stderr) == (1, "")


@pytest.mark.usefixtures("english")
def test_output_that_finds_no_room_is_one_line() -> None:
    command = [sys.executable, "-m", "cantstop", "odds", "6"]
    environment = {**os.environ, "LANG": "C.UTF-8"}
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, env=environment, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "cantstop: The output cannot be written: No space left on device.\n"
