"""Games with real dice in the terminal: entered, undone as far as one likes, never verified."""

from pathlib import Path
from typing import Any

import pytest

from app_player import use_app
from cantstop.cli import main
from cantstop.dice import EnteredDice
from cantstop.record import Record, read_record, record_text
from cantstop.rules import CantStopError, Phase, Position, Rolled
from cantstop.terminal.commands import parse_thrown
from cantstop.terminal.local_game import LocalGame
from cantstop.terminal.tui.entry_screen import EntryScreen
from people import local_game, sit

START = "v1,players=3 -/-/- 1 - -"
LATE = "v1,players=3 2:3,3:5,12:2/-/- 1 - -"
"""A third column is one space away from its top."""


def table(start: Position | str = START, *seats: str, sides: int = 6) -> LocalGame:
    return local_game(start, *(seats or ("Anne", "Bob", "Cleo")), dice=EnteredDice(sides))


# In lines of text


def test_dice_are_typed_in_a_row_or_apart() -> None:
    evening = sit(table(), ["2455", "1", "1 1 2 2", "3", "stop", "3, 3, 4, 4", "1"])
    assert evening.questions[0] == "Anne, your four dice: "
    assert evening.questions[2] == "Your next four dice, or “stop”: "
    assert evening.questions[5] == "Bob, your four dice: "
    rolls = [event.dice for event in evening.game.events if isinstance(event, Rolled)]
    assert rolls == [(2, 4, 5, 5), (1, 1, 2, 2), (3, 3, 4, 4)]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("12345", "1-2-3-4-5 is not a roll: it takes 4 dice from 1 to 6."),
        ("7123", "7-1-2-3 is not a roll: it takes 4 dice from 1 to 6."),
        ("0123", "0-1-2-3 is not a roll: it takes 4 dice from 1 to 6."),
        ("24 55", "24-55 is not a roll: it takes 4 dice from 1 to 6."),
        ("24x5", "“24x5” is not a roll; rolls look like “2345”."),
        ("dice", "“dice” means nothing here; “help” lists what can be typed."),
        ("", "Please type what the dice show, such as “2455”."),
        ("roll", "The dice of this game are thrown by the players: enter what they show."),
    ],
)
def test_what_is_no_roll_is_told_in_one_sentence_and_nothing_is_lost(typed: str, said: str) -> None:
    evening = sit(table(), ["2455", "1", typed, "1122"])
    assert evening.lines.count(said) == 1
    assert evening.game.rolls == 2
    assert evening.game.phase is Phase.MOVE


def test_everything_can_be_undone_across_turns_a_bust_with_its_roll() -> None:
    answers = ["2455", "1", "1122", "3", "stop", "6666", "1", "1111", "1", "1112", "1", "5555"]
    before = sit(table(), answers)
    assert before.game.seat == 2  # Bob has bust
    evening = sit(table(), [*answers, *("undo",) * 99])
    assert evening.game.events == ()
    assert evening.lines.count("Taken back.") == len(answers)
    assert evening.lines.count("There is nothing to take back.") == 99 - len(answers)


def test_a_wrong_entry_that_ended_the_game_is_undone_too() -> None:
    evening = sit(table(LATE), ["6611", "1", "stop", "undo", "undo", "undo", "1166"])
    assert evening.questions[3] == "Press Enter to end the game, or type “undo”: "
    assert evening.game.phase is Phase.MOVE
    assert evening.game.rolls == 1


def test_a_game_that_is_over_ends_with_enter_and_with_the_input() -> None:
    for answers in (["6611", "1", "stop", ""], ["6611", "1", "stop"]):
        evening = sit(table(LATE), answers)
        assert evening.game.outcome is not None
        assert evening.questions[-1].startswith("Press Enter to end the game")


def test_dice_with_many_faces_are_typed_apart() -> None:
    lengths = ".".join(["3"] * 19)
    local = table(f"v1,players=2,lengths={lengths} -/- 1 - -", "Anne", "Bob", sides=10)
    assert local.needs_lines
    evening = sit(local, ["1035", "10 3 5 6", "1"])
    assert "it takes 4 dice from 1 to 10" in evening.text
    assert evening.game.phase is Phase.CHOICE


def test_a_roll_off_is_entered_by_two_dice_each() -> None:
    start = "v1,players=3,start=roll-off -/-/- start:1,2,3 - -"
    evening = sit(table(start), ["12", "1234", "66", "3 4", "2345"])
    assert evening.questions[0] == "Anne, your two dice for the start: "
    assert "1-2-3-4 is not a roll: it takes 2 dice from 1 to 6." in evening.lines
    assert evening.game.seat == 1
    assert evening.game.phase is Phase.MOVE


def test_the_words_of_help_fit_entered_dice() -> None:
    lines = sit(table(), ["help"]).text
    assert "“2 4 5 5” works as well" in lines
    assert "as far as you like" in lines
    assert "throw the dice\n" not in lines


def test_one_of_two_resigns_and_of_three_nobody_can() -> None:
    two = sit(table("v1,players=2 -/- 1 - -", "Anne", "Bob"), ["resign", "resign"])
    assert two.session.local.is_given_up
    three = sit(table(), ["resign", "resign", "2455"])
    assert "No bot can throw your dice: with three or more, all play to the end." in three.lines
    assert three.game.rolls == 1


def test_bots_cannot_sit_down_where_people_throw_the_dice() -> None:
    with pytest.raises(CantStopError, match="no bot can play"):
        table(START, "Anne", "Bob", "bot:careful")


@pytest.mark.parametrize("text", ["stop", "", "undo", "+", "-1"])
def test_what_does_not_begin_with_a_number_is_no_dice(text: str) -> None:
    assert parse_thrown(text) is None


# The command, and what becomes of its record


def lines_of(*arguments: str, typed: str, monkeypatch: Any, capsys: Any) -> tuple[Any, str, str]:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    with pytest.raises(SystemExit) as left:
        main([*arguments])
    shown = capsys.readouterr()
    return left.value.code, shown.out, shown.err


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


def test_the_command_plays_goes_on_and_says_how_to_look_at_the_game_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "evening.cantstop"

    def run(*arguments: str, typed: str) -> tuple[Any, str, str]:
        return lines_of(*arguments, typed=typed, monkeypatch=monkeypatch, capsys=capsys)

    options = ("--rules", "players=2,win=1", "--dice", "entered", "--save", str(file))
    code, out, _ = run("play", *options, typed="9999\n1111\n1\n1111\n")
    assert code == 0
    assert "9-9-9-9 is not a roll" in out
    assert read_record(file.read_text("utf-8")).names == ("Player 1", "Player 2")
    code, out, _ = run("play", "--resume", str(file), typed="undo\n6666\n1\nundo\nundo\n1111\n1\n")
    assert code == 0
    code, out, _ = run("play", "--resume", str(file), typed="stop\n\n")
    assert code == 0
    assert f"cantstop review {file}" in out
    text = file.read_text("utf-8")
    assert '[Dice "entered"]' in text
    assert read_record(text).dice == EnteredDice()
    code, out, _ = run("verify", str(file), typed="")
    assert code == 0
    assert "Dice: thrown and entered by the players, so they cannot be verified." in out
    assert "every roll is the one" not in out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--seat", "Anne", "--seat", "bot:careful"), "no bot can play"),
        (("--seed", "7"), "Dice come from --seed or from --dice, not from both."),
    ],
)
def test_what_does_not_go_with_entered_dice(
    options: tuple[str, ...],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, _, err = lines_of(
        *("play", "--dice", "entered"), *options, typed="", monkeypatch=monkeypatch, capsys=capsys
    )
    assert code == 2
    assert said in err


def test_a_record_with_a_bot_and_entered_dice_does_not_go_on() -> None:
    record = Record(
        Position.parse("v1,players=2 -/- 1 - -"), ("Anne", "bot:careful"), dice=EnteredDice()
    )
    assert read_record(record_text(record)) == record
    with pytest.raises(CantStopError, match="no bot can play"):
        LocalGame.from_record(record)


# In the app


def test_keys_enter_the_dice_and_undo_takes_back_face_by_face(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        somebody.app.screen.SETTLE = 0
        assert isinstance(somebody.app.screen, EntryScreen)
        assert "Anne: type your four dice." in somebody.sentence("#status")
        await somebody.press("2", "4", "7")
        assert "A die shows 1 to 6, not 7." in somebody.sentence("#status")
        await somebody.press("x", "u", "3")  # X alone resigns nobody, and loses no dice
        assert somebody.game.events == ()
        await somebody.press("5", "backspace", "6", "6")
        assert somebody.game.events == (Rolled((2, 3, 6, 6)),)
        await somebody.press("1", "s")
        assert somebody.game.seat == 1
        assert "Bob: type your four dice." in somebody.sentence("#status")
        await somebody.press("6", "6", "6", "6", "1")
        assert "Bob: type your next four dice, or stop?" in somebody.sentence("#status")
        await somebody.press(*("u",) * 5)
        assert somebody.game.events == ()

    use_app(play, tmp_path, table())


def test_a_fifth_die_picks_no_move(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        somebody.app.screen.SETTLE = 1e6
        await somebody.press("2", "3", "4", "5", "1")
        assert "The dice are complete already; undo takes them back." in somebody.sentence(
            "#status"
        )
        assert [somebody.game.phase] == [Phase.MOVE]
        await somebody.press("u", "2", "3", "4", "6", "enter")
        assert [somebody.game.phase] == [Phase.CHOICE]

    use_app(play, tmp_path, table())


def test_the_mouse_enters_dice_and_the_end_can_be_undone(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        somebody.app.screen.SETTLE = 0
        for face in (6, 6, 1, 1):
            await somebody.click(f"#face-{face}", (1, 1))
        await somebody.press("1", "s")
        assert somebody.game.outcome is not None
        await somebody.press("u")
        assert somebody.game.phase is Phase.CHOICE
        await somebody.press("s")
        assert somebody.game.outcome is not None

    use_app(play, tmp_path, table(LATE))


def test_a_bust_is_undone_with_its_roll(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        await somebody.press("4", "4", "4", "6")
        await somebody.wait_until(lambda: somebody.game.seat == 1)
        await somebody.press("u")
        assert somebody.game.seat == 0
        assert somebody.game.phase is Phase.CHOICE

    use_app(play, tmp_path, table("v1,players=3 -/-/- 1 2:1,3:1,12:1 -"))
