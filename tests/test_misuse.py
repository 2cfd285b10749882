"""Forty misuses of the library and of the command, and the sentence that each one gets.

Whoever gets something wrong reads one sentence that says what would be right: never an
``AttributeError`` from somewhere inside, and never a traceback on the command line.
"""

from collections.abc import Callable
from typing import Any

import pytest

import cantstop
from cantstop import (
    Board,
    CantStopError,
    Game,
    Move,
    Position,
    Record,
    Rules,
    SecureDice,
    SeededDice,
    board_png,
    board_svg,
    board_text,
    play_game,
    read_record,
    record_text,
    splits,
    verify,
)
from cantstop.bots import BOTS, bot_named, read_bot
from cantstop.cli import main
from cantstop.cli.app import COMMANDS
from cantstop.client import TableLink
from cantstop.rules import edition_named


def untyped(value: object) -> Any:
    """What a type checker would refuse: not everybody has one."""
    return value


def rolled() -> Position:
    return Position.initial().roll("2345")


class Half:
    """A bot that moves by half a column."""

    def choose(self, _position: Position, _moves: int) -> float:
        return 0.5

    def stop(self, _position: Position, _moves: int) -> bool:
        return True


LIBRARY: list[tuple[Callable[[], object], str]] = [
    # files
    (lambda: Record.load(untyped(3)), "3 is not the name of a file, such as “game.cantstop”."),
    (
        lambda: play_game(["careful", "bold"], dice=1).save(untyped(None)),
        "None is not the name of a file, such as “game.cantstop”.",
    ),
    # dice
    (
        lambda: Position.initial().roll((2.0, 3.0, 4.0, 5.0)),  # type: ignore[arg-type]
        "(2.0, 3.0, 4.0, 5.0) is not a roll: dice are whole numbers, such as (2, 3, 4, 5), or "
        "text, such as “2345”.",
    ),
    (
        lambda: Game().roll(untyped(2345)),
        "2345 is not a roll: dice are whole numbers, such as (2, 3, 4, 5), or text, such as "
        "“2345”.",
    ),
    (lambda: Game().roll((1, 2, 3)), "1-2-3 is not a roll: it takes 4 dice from 1 to 6."),
    (lambda: Game().roll("1237"), "1-2-3-7 is not a roll: it takes 4 dice from 1 to 6."),
    (lambda: Position.initial().roll("dice"), "“dice” is not a roll; rolls look like “2345”."),
    (lambda: splits("123"), "Four dice are split into two pairs, not 3."),
    (
        lambda: Position.initial("start=roll-off").roll(untyped((1.0, 2))),
        "(1.0, 2) is not a roll: dice are whole numbers, such as (2, 3, 4, 5), or text, such as "
        "“2345”.",
    ),
    (
        lambda: Position.initial().roll(b"2345"),
        "b'2345' is not a roll: dice are whole numbers, such as (2, 3, 4, 5), or text, such as "
        "“2345”.",
    ),
    (
        lambda: Position.initial().roll((True, 2, 3, 4)),
        "(True, 2, 3, 4) is not a roll: dice are whole numbers, such as (2, 3, 4, 5), or text, "
        "such as “2345”.",
    ),
    (
        lambda: SeededDice(7).roll(1, untyped(2.5)),
        "2.5 dice cannot be thrown as roll 1: both are whole numbers.",
    ),
    # moves
    (
        lambda: rolled().move(b"6+8"),
        "b'6+8' is not a move: give columns, such as (6, 8), or text, such as “6+8”.",
    ),
    (
        lambda: rolled().move(()),
        "() is not a move: give columns, such as (6, 8), or text, such as “6+8”.",
    ),
    (
        lambda: rolled().move((7.0, 7.0)),  # type: ignore[arg-type]
        "(7.0, 7.0) is not a move: give columns, such as (6, 8), or text, such as “6+8”.",
    ),
    (
        lambda: rolled().move(untyped(7)),
        "7 is not a move: give columns, such as (6, 8), or text, such as “6+8”.",
    ),
    (lambda: rolled().move("6-8"), "“6-8” is not a move; moves look like “6+8”, “7+7” or “2”."),
    (lambda: rolled().move("2+12"), "2+12 is not a legal move here; these are: 5+9, 6+8, 7+7."),
    (lambda: Game().move("6+8"), "There are no dice on the table: roll first."),
    (lambda: Game().stop(), "A turn cannot be stopped before its first move."),
    (
        lambda: Move(untyped("6"), untyped("8")),
        "('6', '8') is not a move: give columns, such as (6, 8), or text, such as “6+8”.",
    ),
    (lambda: Move("6-8"), "“6-8” is not a move; moves look like “6+8”, “7+7” or “2”."),
    (
        lambda: Move(),
        "() is not a move: give columns, such as (6, 8), or text, such as “6+8”.",
    ),
    (
        lambda: Move(untyped(6.5)),
        "(6.5,) is not a move: give columns, such as (6, 8), or text, such as “6+8”.",
    ),
    (lambda: Move.parse(untyped(None)), "None is not text, such as “6+8”."),
    # rules and positions
    (lambda: Rules(players=5), "Can't Stop is for 1 to 4 players, not 5."),
    (
        lambda: Rules(players=untyped("3")),
        "The rules cannot have players='3': it takes a value such as 3.",
    ),
    (
        lambda: Rules(sharing=untyped("leapfrog")),
        "The rules cannot have sharing='leapfrog': it takes a value such as Sharing.LEAPFROG.",
    ),
    (
        lambda: Board(untyped(7)),
        "A board has whole numbers as column lengths and runners, not 7 and 3.",
    ),
    (
        lambda: edition_named("parker"),
        "There is no edition “parker”; there are: classic, trademark, ravensburger, asmodee.",
    ),
    (
        lambda: Game(untyped(3)),
        "3 are not rules: give Rules(players=3), or text such as “players=3,win=4”.",
    ),
    (
        lambda: Game("players=3", players=2),
        "The rules are for another number of players: 3, not 2.",
    ),
    (
        lambda: Game(start=untyped("v1,players=2 -/- 1 - -")),
        "'v1,players=2 -/- 1 - -' is not a position to start from; Game.parse reads the text of "
        "one.",
    ),
    (
        lambda: Position.parse(untyped(Game())),
        "<Game v1,players=2 -/- 1 - -> is not text, such as “v1,players=2 7:4/6:11 1 - 2345”.",
    ),
    (lambda: Position.initial(first=untyped("Anne")), "'Anne' is not a seat: seats count from 0."),
    (
        lambda: Game().push(untyped("stop")),
        "'stop' is not an event: events are Rolled, Moved, Stopped and Busted.",
    ),
    (
        lambda: Position(untyped(None), 0, ()),
        "None are not the tokens of a position: Position.initial makes one, and Position.parse "
        "reads one.",
    ),
    # where dice come from
    (
        lambda: Game(dice=untyped("lucky")),
        "'lucky' cannot throw dice: give a source such as SeededDice(7), or a seed.",
    ),
    (
        lambda: Game(dice=SeededDice(7, sides=4)),
        "Dice with 4 sides do not fit this board: it takes 6.",
    ),
    (lambda: SeededDice(untyped(1.5)), "1.5 is not a seed: a seed is a whole number."),
    (lambda: Game(dice=True), "True is not a seed: a seed is a whole number."),
    (lambda: SecureDice(0), "A die cannot have 0 sides."),
    # pictures and records
    (
        lambda: board_svg(untyped(Game())),
        "<Game v1,players=2 -/- 1 - -> is not a position to draw; a game has its own as "
        "“game.position”.",
    ),
    (
        lambda: board_text(Position.initial(), names=["Anne"]),
        "The number of names is 1, but that of seats 2.",
    ),
    (
        lambda: board_svg(Position.initial(), size=-1),
        "-1 is not the width of a picture: it takes a number of pixels from 1 to 100000.",
    ),
    (
        lambda: board_svg(Position.initial(), names=untyped([1, 2])),
        "[1, 2] are not the names of the seats, such as [“Anne”, “Bob”].",
    ),
    (
        lambda: board_svg(Position.initial(), last_move="2+14"),
        "There is no column 14: they are 2 to 12.",
    ),
    (
        lambda: board_svg(Position.initial(), arrows=[((7, 2), (7, 14))]),
        "Column 7 has no space 14: they are 0 to 13.",
    ),
    (
        lambda: board_svg(Position.initial(), marks=untyped(["7"])),
        "'7' is not a space: give its column and its number, such as (7, 3).",
    ),
    (
        lambda: board_svg(Position.initial(), colours={"sky": "blue"}),
        "There is no part 'sky' to colour: there are card, rim, line, field, track, space, top, "
        "stake, runner space, runner, last move, seat 1, seat 2, seat 3, seat 4.",
    ),
    (
        lambda: board_png(Position.initial(), colours={"rim": '"/><script>'}),
        "'\"/><script>' is not a colour: give “#rrggbb”, “#rgb” or one of black, silver, gray, "
        "white, maroon, red, purple, fuchsia, green, lime, olive, yellow, navy, blue, teal, aqua, "
        "orange.",
    ),
    (
        lambda: board_svg(Position.initial(), orientation=untyped("left")),
        "'left' is not an orientation: a board is drawn “up” or “down”.",
    ),
    (
        lambda: board_png(untyped(Game())),
        "<Game v1,players=2 -/- 1 - -> is not a position to draw; a game has its own as "
        "“game.position”.",
    ),
    (
        lambda: board_png(Position.initial(), size=20_000),
        "20000 is not the width of a picture: it takes a number of pixels from 1 to 10000.",
    ),
    (
        lambda: record_text(untyped(Game())),
        "<Game v1,players=2 -/- 1 - -> is not a record; read_record reads one, and Record.of "
        "writes a game down.",
    ),
    (
        lambda: verify(untyped("game.cantstop")),
        "'game.cantstop' is not a record; read_record reads one, and Record.of writes a game down.",
    ),
    (lambda: Record.of(Game(), ["Anne"]), "The number of names is 1, but that of seats 2."),
    (
        lambda: Record.of(Game(), untyped(3)),
        "3 are not the names of the seats, such as [“Anne”, “Bob”].",
    ),
    (
        lambda: Record.of(Game(), ["Anne", untyped(None)]),
        "“None” cannot be used: it takes 1 to 60 printable characters.",
    ),
    (lambda: read_record(untyped(b"[")), "b'[' is not text, such as “[Cantstop \"1\"] …”."),
    (
        lambda: Record(untyped(None), ("Anne", "Bob")),
        "None is not a position to start from; Record.of writes a game down.",
    ),
    (lambda: Record.of(untyped("game")), "'game' is not a game that can be recorded."),
    # hints and reviews
    (
        lambda: cantstop.analyse(untyped(Game())),
        "<Game v1,players=2 -/- 1 - -> is not a position; a game has its own as “game.position”.",
    ),
    (
        lambda: cantstop.review(untyped("game")),
        "'game' is not a game to review: give a game or a record.",
    ),
    (lambda: Position.parse("v1,players=2 2:3,3:5,12:3/- 1 - -").hint(), "The game is over."),
    # bots and tables
    (
        lambda: play_game([untyped(Half()), "bold"], dice=1),
        "The bot “Half” failed in the position “v1,players=2 -/- 1 - 1224”: 0.5 is not a move: "
        "give columns, such as (6, 8), or text, such as “6+8”.",
    ),
    (
        lambda: cantstop.compete(["careful", "bold"], games=untyped(1.5)),
        "games is a whole number, not “1.5”.",
    ),
    (
        lambda: cantstop.compete(["careful", "bold"], seed=untyped("lucky")),
        "seed is a whole number, not “lucky”.",
    ),
    (
        lambda: play_game("careful"),
        "'careful' is not a list of bots, such as [“careful”, “bold”].",
    ),
    (lambda: play_game([]), "No bots are named: who is to play?"),
    (
        lambda: play_game(["careful"], "players=2"),
        "The rules are for another number of players: 2, not 1.",
    ),
    (lambda: read_bot(untyped(7)), "7 is not a bot: it has no method “choose”."),
    (
        lambda: bot_named("careful:x"),
        "“careful:x” is not a bot: after “careful:” comes a whole number from 1 to 99.",
    ),
    (lambda: bot_named(untyped(3)), "3 is not text, such as “careful:3”."),
    (
        lambda: cantstop.compete(untyped("bold")),
        "'bold' is not a list of bots, such as [“careful”, “bold”].",
    ),
    (
        lambda: TableLink.of(untyped(8000)),
        "8000 is not text, such as “http://localhost:8000/t/k7Qm”.",
    ),
]

COMMAND: list[tuple[list[str], str]] = [
    (["hint", "nonsense"], "A position has 5 fields (rules, tokens, seat, runners, dice), not 1."),
    (
        ["hint", "v1,players=2 -/- 1 - -", "--dice", "23a5"],
        "“23a5” is not a roll; rolls look like “2345”.",
    ),
    (["odds", "13"], "There is no column 13: they are 2 to 12."),
    (["show", "nowhere.cantstop"], "nowhere.cantstop cannot be read: No such file or directory."),
    (
        ["rules", "--edition", "parker"],
        "There is no edition “parker”; there are: classic, trademark, ravensburger, asmodee.",
    ),
    (["rules", "--lang", "tlh"], "There is no language “tlh”; there are: en, fr, nl, it, de."),
    (
        ["arena", "careful", "deep-blue"],
        f"There is no bot “deep-blue”; there are: {', '.join(BOTS)}.",
    ),
    (
        ["play", "--seat", "Anne", "--variant", "upside-down"],
        "There is no variant “upside-down”; there are: longer, early, no-rest, leapfrog.",
    ),
    (["verify"], "RECORD is missing; “cantstop verify --help” explains it."),
    (["shake"], f"There is no command “shake”; there are: {', '.join(COMMANDS)}."),
    (["odds", "6", "--jsn"], "There is no option --jsn; did you mean --json?"),
    (["odds", "--wings"], "There is no option --wings."),
    (["odds", "--json=yes"], "--json takes no value."),
    (["odds", "--lang"], "--lang needs a value: CODE."),
    (["verify", "one", "two"], "“two” cannot be used here."),
    (["play", "--seed", "many"], "--seed is a whole number, not “many”."),
    (["serve", "--port", "70000"], "--port is from 0 to 65535."),
    (["play", "--pace", "-1"], "--pace is at least 0."),
    (["play", "--dice", "loaded"], "--dice is one of secure, sealed, entered, not “loaded”."),
]


@pytest.mark.parametrize(("misuse", "sentence"), LIBRARY, ids=[text[:40] for _, text in LIBRARY])
def test_a_misuse_of_the_library_gets_a_sentence(
    misuse: Callable[[], object], sentence: str
) -> None:
    with pytest.raises(CantStopError) as caught:
        misuse()
    assert str(caught.value) == sentence


@pytest.mark.parametrize(("arguments", "sentence"), COMMAND, ids=[" ".join(a) for a, _ in COMMAND])
def test_a_misuse_of_the_command_gets_a_sentence_and_exit_code_2(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (2, "")
    assert err == f"cantstop: {sentence}\n"


def test_there_are_at_least_forty() -> None:
    assert len(LIBRARY) + len(COMMAND) >= 40
