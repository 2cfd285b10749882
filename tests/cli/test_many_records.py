"""A file with many records: a command takes all of them, or the one that is asked for."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cantstop import Record, play_game, record_text

Run = Callable[..., tuple[int, str, str]]

BOTS = (("careful", "bold"), ("bold", "careful"), ("careful", "careful:2"))


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return [play_game(list(bots), rules="win=1", dice=seed) for seed, bots in enumerate(BOTS, 1)]


@pytest.fixture
def file(tmp_path: Path, records: list[Record]) -> str:
    path = tmp_path / "games.cantstop"
    path.write_text("\n".join(map(record_text, records)), "utf-8")
    return str(path)


def test_one_is_shown(file: str, records: list[Record], run: Run) -> None:
    for number, record in enumerate(records, 1):
        shown = run("show", file, "--game", str(number))[1]
        assert str(record.game().position) in shown


def shown(bot: str) -> str:
    return bot.capitalize().replace(":", " ")


def test_all_are_verified_or_one(file: str, records: list[Record], run: Run) -> None:
    code, out, _ = run("verify", file)
    assert code == 0
    headings = [line for line in out.splitlines() if line.startswith("Game ")]
    assert headings == [
        f"Game {number}: {shown(one)} and {shown(other)}"
        for number, (one, other) in enumerate(BOTS, 1)
    ]
    assert out.count("Result: won by") == len(records)
    alone = run("verify", file, "--game", "2")[1]
    assert "Game" not in alone
    assert alone.count("Result: won by") == 1
    (found,) = json.loads(run("verify", file, "--game", "3", "--json")[1])
    assert found["rolls"] == records[2].summary()["rolls"]


def test_one_is_told_turn_by_turn_with_everybodys_chances(
    file: str, records: list[Record], run: Run
) -> None:
    code, told, _ = run("replay", "--plain", file, "--game", "2")
    assert code == 0
    assert told.startswith("Bold rolls ")
    assert "Chances to win" not in told
    code, evaluated, _ = run("replay", "--plain", file, "--game", "2", "--evaluate")
    assert code == 0
    lines = evaluated.splitlines()
    assert lines[0].startswith("  Chances to win: Bold ")
    assert set(told.splitlines()) <= set(lines)
    rolls = records[1].summary()["rolls"]
    assert isinstance(rolls, int)
    assert evaluated.count("Chances to win") > rolls


def test_one_is_reviewed_and_all_are_a_table(file: str, run: Run) -> None:
    page = run("review", file, "--game", "3")[1]
    assert "accuracy" in page
    assert "Careful 2" in page
    assert "Bold" not in page
    (found,) = [json.loads(run("review", file, "--game", "1", "--json")[1])]
    assert [seat["name"] for seat in found["seats"]] == ["careful", "bold"]
    table = run("review", file)[1]
    assert table.count("Careful 2") > 1


@pytest.mark.parametrize(
    "command", [("show",), ("verify",), ("review",), ("replay", "--plain")], ids=" ".join
)
def test_which_one_has_to_be_one_of_them(
    command: tuple[str, ...], file: str, fails: Callable[..., str]
) -> None:
    asked = [["--game", "4"], ["--game", "0"], *([[]] if command[0] in ("show", "replay") else [])]
    for arguments in asked:
        sentence = "There are 3 records here: say which one with --game, from 1."
        assert sentence in fails(*command, file, *arguments)
