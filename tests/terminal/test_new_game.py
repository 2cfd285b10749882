"""Taking seats: Enter alone gives a good game, and mistakes are asked again."""

from typing import Any

import pytest

from cantstop.bots import bot_named
from cantstop.dice import commitment
from cantstop.language import Translator
from cantstop.rules import InvalidText
from cantstop.terminal.console import Console
from cantstop.terminal.local_game import LocalSeat, check_names, display_names
from cantstop.terminal.new_game import ask_sealed_dice, ask_seats, default_seats, seat_number


def console_with(*answers: Any, lines: Any = None) -> Console:
    told = iter(answers)
    heard = [] if lines is None else lines

    def read(question: Any) -> Any:
        heard.append(question)
        return next(told)

    return Console(Translator(), read, heard.append)


def texts(seats: Any) -> list[str]:
    return [str(seat) for seat in seats]


def test_enter_alone_gives_a_game_against_a_bot() -> None:
    assert texts(ask_seats(console_with("", "", ""), None)) == ["Player 1", "bot:chick"]


def test_people_and_bots_can_be_named() -> None:
    console = console_with("4", "Anne", "Bob", "bold:3", "bot:random")
    assert texts(ask_seats(console, None)) == ["Anne", "Bob", "bot:bold:3", "bot:random"]


def test_one_player_is_asked_for_a_name_only() -> None:
    assert texts(ask_seats(console_with("1", "Anne"), None)) == ["Anne"]


def test_a_number_of_players_that_is_known_is_not_asked_for() -> None:
    assert texts(ask_seats(console_with("Anne", "", ""), 3)) == [
        "Anne",
        "bot:chick",
        "bot:chick",
    ]


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        (["5", "2", "", ""], "Please type a number from 1 to 4."),
        (["two", "2", "", ""], "Please type a number from 1 to 4."),
        (["2", "", "careful:x", ""], "“careful:x” is not a bot: after “careful:” comes"),
        (["2", "Anne", "Anne", "careful"], "Two players cannot both be called “Anne”."),
        (["2", "x" * 61, "Anne", ""], "cannot be used: it takes 1 to 60 printable characters."),
    ],
)
def test_mistakes_cost_one_sentence_and_are_asked_again(answers: list[str], sentence: str) -> None:
    lines: list[Any] = []
    seats = ask_seats(console_with(*answers, lines=lines), None)
    assert sum(sentence in line for line in lines) == 1
    assert len(seats) == 2


@pytest.mark.parametrize("players", [1, 2, 4])
def test_without_a_terminal_one_person_plays_against_bots(players: int) -> None:
    seats = default_seats(Translator(), players)
    assert texts(seats) == ["Player 1"] + ["bot:careful"] * (players - 1)


@pytest.mark.parametrize("text", ["Anne", "Zoë 2", "bot:careful", "bot:bold:9"])
def test_seats_read_back_from_what_records_write(text: str) -> None:
    assert str(LocalSeat.parse(text)) == text
    assert str(LocalSeat.parse(str(LocalSeat.parse(text)))) == text


def test_bots_of_one_name_are_told_apart_on_screen() -> None:
    seats = [LocalSeat.parse(text) for text in ("Anne", "bot:bold", "bot:bold", "bot:careful")]
    assert display_names(seats) == ("Anne", "bold 2", "bold 3", "careful")


def test_a_person_may_be_called_like_a_bot() -> None:
    seats = [LocalSeat("bold"), LocalSeat("bold", bot_named("bold"))]
    check_names(seats)
    assert display_names(seats) == ("bold", "bold 2")


@pytest.mark.parametrize(("text", "number"), [("1", 0), ("2", 1), ("Bob", 1), ("Anne", 0)])
def test_the_youngest_is_named_by_seat_or_name(text: str, number: int) -> None:
    assert seat_number(text, [LocalSeat("Anne"), LocalSeat("Bob")]) == number


@pytest.mark.parametrize("text", ["0", "3", "Chris", ""])
def test_a_youngest_who_does_not_sit_here_is_an_error(text: str) -> None:
    with pytest.raises(InvalidText, match="neither a seat's number nor its name"):
        seat_number(text, [LocalSeat("Anne"), LocalSeat("Bob")])


def test_sealed_dice_commit_before_anybody_adds_salt() -> None:
    lines: list[Any] = []
    console = console_with("not a word", "pepper", "", lines=lines)
    seats = [LocalSeat("Anne"), LocalSeat("bold", bot_named("bold")), LocalSeat("Bob")]
    dice = ask_sealed_dice(console, seats, 6)
    assert dice.seal.commitment == commitment(dice.secret)
    assert dice.seal.commitment in lines[0]
    assert [line for line in lines if line.endswith("salt: ")] == [
        "Anne, your salt: ",
        "Anne, your salt: ",
        "Bob, your salt: ",
    ]
    assert any("“not a word” cannot be a salt" in line for line in lines)
    assert dice.seal.salts[0] == "pepper"
    assert len({*dice.seal.salts, dice.seal.table}) == 4
