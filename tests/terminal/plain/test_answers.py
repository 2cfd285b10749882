"""What people type, and what it does: nonsense costs one sentence and nothing else."""

from typing import Any

import pytest

from cantstop.language import LANGUAGES, Translator
from cantstop.rules import InvalidText, Move, Position
from cantstop.terminal.commands import Command, CommandAnswer, Enter, MoveNumber, parse_answer
from people import local_game, sit
from speak import runners

ENGLISH = Translator()
CHOICE = "v1,players=2 -/6:4 1 6:4,7:2 -"
DICE = "v1,players=2 -/- 1 - 2345"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("", Enter()),
        ("   ", Enter()),
        ("2", MoveNumber(2)),
        ("6+8", Move(6, 8)),
        ("8 + 6", Move(6, 8)),
        ("roll", CommandAnswer(Command.ROLL)),
        ("ROLL ", CommandAnswer(Command.ROLL)),
        ("r", CommandAnswer(Command.ROLL)),
        ("ru", CommandAnswer(Command.RULES)),
        ("s", CommandAnswer(Command.STOP)),
        ("sa", CommandAnswer(Command.SAVE)),
        ("save my game.cantstop", CommandAnswer(Command.SAVE, "my game.cantstop")),
        ("q", CommandAnswer(Command.QUIT)),
    ],
)
def test_numbers_moves_words_and_first_letters_are_understood(text: str, answer: Any) -> None:
    assert parse_answer(ENGLISH, text) == answer


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", Command)
def test_english_words_and_the_persons_own_both_work(language: str, command: Any) -> None:
    words = Translator(language)
    own = words.say(command.value)
    assert parse_answer(words, command.value) == CommandAnswer(command)
    assert parse_answer(words, own) == CommandAnswer(command)
    assert parse_answer(words, own.upper()) == CommandAnswer(command)
    assert parse_answer(words, own[:-1]) == CommandAnswer(command)


def test_accents_can_be_left_out() -> None:
    assert parse_answer(Translator("fr"), "arreter") == CommandAnswer(Command.STOP)
    assert parse_answer(Translator("de"), "wurf") == CommandAnswer(Command.ROLL)


@pytest.mark.parametrize(
    "text", ["wibble", "roll it", "6+7+8", "-1", "1.5", "²", "٣", "6++8", "1000", "\x1b[2J", "💥"]
)
def test_nonsense_is_one_clear_sentence(text: str) -> None:
    with pytest.raises(InvalidText, match=r"^“.*” means nothing here; “help” lists"):
        parse_answer(ENGLISH, text)


def test_long_and_unprintable_nonsense_is_not_repeated_as_it_is() -> None:
    with pytest.raises(InvalidText) as found:
        parse_answer(ENGLISH, "\x1b]0;" + "x" * 500)
    assert len(str(found.value)) < 110
    assert str(found.value).isprintable()


@pytest.mark.parametrize("position", [CHOICE, DICE, "v1,players=2 -/- 1 - -",
                                      "v1,players=2,start=roll-off -/- start:1,2 - -"])  # fmt: skip
def test_after_nonsense_the_same_question_comes_again_and_nothing_is_lost(
    position: Position,
) -> None:
    local = local_game(position, "Anne", "Bob")
    before = local.game.position
    evening = sit(local, ["wibble", "6+6+6", "99"])
    assert evening.game.position == before
    assert len(set(evening.questions)) == 1
    assert len(evening.questions) == 4


@pytest.mark.parametrize(
    ("position", "answer", "sentence"),
    [
        (DICE, "", "Please type a number from 1 to 3."),
        (DICE, "4", "Please type a number from 1 to 3."),
        (DICE, "0", "Please type a number from 1 to 3."),
        (DICE, "2+12", "2+12 is not a legal move here; these are: 5+9, 6+8, 7+7."),
        (DICE, "roll", "There are dice on the table already; they have to be used first."),
        (DICE, "stop", "There are dice on the table already; they have to be used first."),
        (CHOICE, "", "Please type “roll” or “stop”."),
        (CHOICE, "1", "There are no dice on the table: roll first."),
        (CHOICE, "6+8", "There are no dice on the table: roll first."),
        ("v1,players=2 -/- 1 - -", "stop", "A turn cannot be stopped before its first move."),
    ],
)
def test_what_the_rules_forbid_is_refused_with_the_reason(
    position: Position, answer: str, sentence: str
) -> None:
    local = local_game(position, "Anne", "Bob")
    before = local.game.position
    evening = sit(local, [answer])
    assert sentence in evening.lines
    assert evening.game.position == before


def test_V3_a_stop_on_a_shared_space_is_refused_with_the_reason_and_enter_rolls() -> None:
    local = local_game(CHOICE.replace("players=2", "players=2,sharing=no-rest"), "Anne", "Bob",
                     dice="1234")  # fmt: skip
    why = "No stopping now (V3): no rest on a space that is shared with a token, here in 6."
    evening = sit(local, ["stop", ""])
    assert evening.questions[:2] == ["Anne, press Enter to roll: "] * 2
    assert evening.lines.count(why) == 3  # before each question, and as the answer
    assert evening.game.rolls == 1


def test_T10_without_V3_the_same_stop_is_allowed() -> None:
    evening = sit(local_game(CHOICE, "Anne", "Bob"), ["stop"])
    assert evening.game.turn == 2


def test_the_moves_are_numbered_and_say_what_they_do() -> None:
    local = local_game("v1,players=2 6:3,8:10/- 1 7:11,9:1 2345", "Anne", "Bob")
    evening = sit(local, [])
    assert [line for line in evening.lines if line.startswith("  ")] == [
        "  1) 5+9: 5 to space 1 of 9 (new), 9 to space 2 of 9",
        "  2) 6: 6 to space 4 of 11 (new)",
        "  3) 8: 8 to the top (new)",
        "  4) 7+7: 7 to the top",
    ]
    assert evening.questions == ["Your move, 1 to 4: "]


def test_V4_the_list_of_moves_knows_where_a_runner_lands() -> None:
    local = local_game("v1,players=2,sharing=leapfrog -/7:1 1 - 3434", "Anne", "Bob")
    evening = sit(local, [])
    assert "  2) 7+7: 7 to space 3 of 13 (new)" in evening.lines


def test_enter_takes_the_only_move() -> None:
    local = local_game("v1,players=2 -/- 1 2:1,3:1,12:1 1112", "Anne", "Bob")
    evening = sit(local, [""])
    assert evening.questions[0] == "Press Enter for this move: "
    assert runners(evening.game) == {2: 2, 3: 2, 12: 1}


def test_runners_and_those_in_hand_are_told_before_the_choice() -> None:
    evening = sit(local_game("v1,players=2 -/- 1 2:3,6:4 -", "A", "B"), [])
    assert "Runners: 2 on the top, 6 on space 4 of 11. In hand: 1." in evening.lines
    assert evening.questions == ["roll or stop? "]


def test_the_board_is_told_in_words() -> None:
    evening = sit(local_game("v1,players=2 7:4/6:11,8:3 1 7:5 -", "Anne", "Bob"), ["board"])
    assert evening.lines.count("Anne: 7 on space 4 of 13.") == 2
    assert evening.lines.count("Bob: column 6 won; 8 on space 3 of 11.") == 2


def test_the_board_is_drawn_where_it_can_be() -> None:
    local = local_game(CHOICE, "Anne", "Bob")
    evening = sit(local, ["board"], draw=lambda position: f"<{position}>")
    assert evening.lines.count(f"<{local.game.position}>") == 2


@pytest.mark.parametrize(
    ("position", "sentences"),
    [
        # 1192 of 1296 rolls can be used with 6, 7 and 8
        ("v1,players=2 -/- 1 6:1,7:1,8:1 -", ["The next roll is a bust in 8.0% of cases."]),
        ("v1,players=2 -/- 1 - -", ["The next roll cannot be a bust."]),
        (
            "v1,players=2 -/- 1 6:1,8:1 3434",
            [
                "  1) 6+8: The next roll cannot be a bust.",
                "  2) 7+7: The next roll is a bust in 8.0% of cases.",
            ],
        ),
        (
            "v1,players=2,start=roll-off -/- start:1,2 - -",
            ["There are no odds before the first turn."],
        ),
    ],
)
def test_odds_tell_the_chance_of_a_bust(position: str, sentences: list[str]) -> None:
    evening = sit(local_game(position, "Anne", "Bob"), ["odds"])
    at = next(i for i, line in enumerate(evening.lines) if line.endswith("odds")) + 1
    assert evening.lines[at : at + len(sentences)] == sentences


def test_rules_are_those_of_the_game() -> None:
    evening = sit(local_game("v1,players=2,early -/- 1 - -", "Anne", "Bob"), ["rules"])
    assert "V2" in evening.text
    assert "V3" not in evening.text


def test_help_lists_every_command_in_the_persons_language() -> None:
    evening = sit(local_game(CHOICE, "Anne", "Bob"), ["aide"], Translator("fr"))
    for word in ("lancer", "arrêter", "annuler", "plateau", "chances", "règles", "sauver", "aide"):
        assert any(line.startswith(f"  {word} ") for line in evening.lines)
