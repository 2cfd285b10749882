"""Whole games, typed: every edition, variant and number of players, people and bots."""

from collections.abc import Iterator
from typing import Any

import pytest

from cantstop.bots import bot_named
from cantstop.dice import SeededDice
from cantstop.game import Game
from cantstop.language import LANGUAGES, Translator
from cantstop.record import Record
from cantstop.rules import EDITIONS, Busted, Phase, Position, Rules, Sharing, Stopped
from cantstop.terminal.local_game import LocalGame
from people import GOLDEN, golden, local_game, sit, typed

NAMES = [path.stem for path in GOLDEN]


@pytest.mark.parametrize("name", NAMES)
def test_typing_the_decisions_of_a_golden_game_gives_the_same_game(name: str) -> None:
    record = golden(name)
    local = LocalGame.from_record(Record(record.start, record.names, dice=record.dice))
    evening = sit(local, typed(record.start, record.events))
    assert evening.game.events == record.events
    if record.game().outcome is not None:
        assert len(evening.questions) == len(list(typed(record.start, record.events)))


def played_by_the_rules(start: Any, dice: Any, bots: Any) -> Game:
    """The game that the bots' decisions make, without any terminal."""
    game = Game(start=start)
    while game.phase is not Phase.OVER:
        bot, position, moves = bots[game.seat], game.position, game.moves_in_turn
        if game.phase is Phase.MOVE:
            game.move(bot.choose(position, moves))
        elif position.may_stop and bot.stop(position, moves):
            game.stop()
        else:
            game.roll(dice.roll(game.rolls + 1, position.dice_to_roll))
    return game


@pytest.mark.parametrize(
    "rules",
    [
        EDITIONS["classic"].rules(4),
        EDITIONS["trademark"].rules(3),
        EDITIONS["ravensburger"].rules(2, 5, early=True, sharing=Sharing.NO_REST),
        EDITIONS["asmodee"].rules(4, 5, sharing=Sharing.LEAPFROG),
        Rules(players=1),
    ],
    ids=str,
)
def test_bots_alone_play_a_game_to_its_end_without_a_question(rules: Rules) -> None:
    seats = ["bot:careful", "bot:bold", "bot:careful:1", "bot:bold:4"][: rules.players]
    dice = SeededDice(8)
    evening = sit(local_game(Position.initial(rules), *seats, dice=dice), [])
    bots = [bot_named(seat.removeprefix("bot:")) for seat in seats]
    expected = played_by_the_rules(Position.initial(rules), dice, bots)
    assert evening.questions == []
    assert evening.game.events == expected.events
    assert evening.game.outcome is not None


def test_a_person_and_a_bot_take_turns() -> None:
    rules = EDITIONS["trademark"].rules(2)
    dice = SeededDice(4)
    expected = played_by_the_rules(
        Position.initial(rules), dice, [bot_named("careful"), bot_named("bold")]
    )
    local = local_game(Position.initial(rules), "Anne", "bot:bold", dice=dice)

    evening = sit(local, minded_like(bot_named("careful"), local.game))
    assert evening.game.events == expected.events
    assert "Bold rolls" in evening.text


def minded_like(bot: Any, game: Game) -> Iterator[str]:
    """A person who decides as a bot would, in letters, numbers and moves."""
    while True:
        position, moves = game.position, game.moves_in_turn
        if position.phase is Phase.MOVE:
            move = bot.choose(position, moves)
            spelled = len(move) == 2
            yield str(move) if spelled else str(position.legal_moves.index(move) + 1)
        elif position.phase is Phase.CHOICE:
            yield "s" if bot.stop(position, moves) else "r"
        else:
            yield ""


def test_M3_solo_counts_the_turns() -> None:
    record = golden("solo")
    local = LocalGame.from_record(Record(record.start, record.names, dice=record.dice))
    evening = sit(local, typed(record.start, record.events))
    turns = sum(isinstance(event, Stopped | Busted) for event in record.events)
    assert f"has finished in {turns} turns" in evening.lines[-2]


def test_a_solo_game_is_told_what_best_play_needs_and_how_it_compares() -> None:
    record = golden("solo")  # nine turns
    local = LocalGame.from_record(Record(record.start, record.names, dice=record.dice))
    evening = sit(local, typed(record.start, record.events))
    assert evening.lines[1] == "Best play needs 6.7 turns on average."
    assert evening.lines[-1] == "Best play needs 6.7 turns on average: this game took 2.3 more."


QUICK_GAME = "1111 1166 6666 1212 1212 1266"
"""Columns 2, 12 and 3 from bottom to top in one turn."""
QUICK_MOVES = ("2+2", "2+12", "12+12", "3+3", "3+3", "")


def test_a_solo_game_can_be_shorter_than_best_play_needs() -> None:
    local = local_game("v1,players=1 - 1 - -", "Anne", dice=QUICK_GAME)
    answers = [answer for move in QUICK_MOVES for answer in ("würfeln", move)]
    evening = sit(local, [*answers, "aufhören"], Translator("de"))
    assert evening.lines[-1] == (
        "Perfekt gespielt braucht man im Schnitt 6,7 Züge: Dieses Spiel brauchte 5,7 weniger."
    )


@pytest.mark.parametrize(
    "start",
    ["v1,players=1 2:3,3:4,12:3 1 3:5 -", "v1,players=2 2:3,3:4,12:3/- 1 3:5 -"],
    ids=["begun on the way", "two players"],
)
def test_games_without_a_known_par_are_told_none(start: str) -> None:
    names = ("Anne", "Bob")[: Position.parse(start).rules.players]
    evening = sit(local_game(start, *names), ["stop"])
    assert evening.game.outcome is not None
    assert "est play" not in evening.text


def test_M4_everybody_throws_for_the_start_and_ties_throw_again() -> None:
    start = "v1,players=3,start=roll-off -/-/- start:1,2,3 - -"
    dice = "66 12 66 61 52 56 11 2345"
    local = local_game(start, "Anne", "bot:bold", "Cy", dice=dice)
    evening = sit(local, [""] * 5)
    assert evening.lines[1:] == [
        "Two dice each: the highest sum starts.",
        "Anne, press Enter to throw two dice: ",
        "Anne throws 6 and 6, which makes 12.",
        "Bold throws 1 and 2, which makes 3.",
        "Cy, press Enter to throw two dice: ",
        "Cy throws 6 and 6, which makes 12.",
        "Anne and Cy tie and throw again.",
        "Anne, press Enter to throw two dice: ",
        "Anne throws 6 and 1, which makes 7.",
        "Cy, press Enter to throw two dice: ",
        "Cy throws 5 and 2, which makes 7.",
        "Anne and Cy tie and throw again.",
        "Anne, press Enter to throw two dice: ",
        "Anne throws 5 and 6, which makes 11.",
        "Cy, press Enter to throw two dice: ",
    ]


def test_W2_W4_wins_of_columns_and_of_the_game_are_told() -> None:
    local = local_game("v1,players=2 6:11,7:13,8:10/8:4,9:1 1 - -", "Anne", "Bob", dice="2662")
    evening = sit(local, ["roll", "2", "stop"])
    assert evening.lines[-5:] == [
        "Anne wins column 8: 3 of 3.",
        "",
        "Anne: columns 6, 7 and 8 won.",
        "Bob: 9 on space 1 of 9.",
        "Anne wins the game in round 1, with columns 6, 7 and 8.",
    ]


def test_two_columns_at_once_are_never_four_of_three() -> None:
    local = local_game("v1,players=2 5:8,6:11,7:13,8:10/9:1 1 - -", "Anne", "Bob", dice="2366")
    evening = sit(local, ["roll", "5+12", "stop"])
    assert "Anne wins column 5: 3 of 3." in evening.lines
    local = local_game("v1,players=2 5:8,6:11,7:13,8:10/9:1 1 - -", "Anne", "Bob", dice="2326")
    evening = sit(local, ["roll", "5+8", "stop"])
    assert "Anne wins columns 5 and 8." in evening.lines
    assert " of 3" not in evening.text


def test_W5_a_shared_win_is_told() -> None:
    record = golden("none-open-shared")
    evening = sit(LocalGame.from_record(record), [])
    outcome = record.game().outcome
    assert outcome is not None
    winners = [record.names[seat] for seat in outcome.winners]
    assert evening.lines[-2] == "No column is open any more, so the game is over."
    assert evening.lines[-1].startswith(" and ".join(winners) + " share the win with ")


def test_W5_a_single_winner_is_told() -> None:
    record = golden("none-open-won")
    evening = sit(LocalGame.from_record(record), [])
    assert evening.lines[-2] == "No column is open any more, so the game is over."
    assert "wins the game in round" in evening.lines[-1]


def test_T7_a_bust_is_told_and_the_next_player_is_on() -> None:
    local = local_game("v1,players=2 -/- 1 2:1,3:1,12:1 -", "Anne", "Bob", dice="4446")
    evening = sit(local, ["roll"])
    assert evening.lines[-7:] == [
        "Anne rolls 4, 4, 4 and 6.",
        "Nothing fits. Bust! Anne loses the progress of this turn.",
        "",
        "Round 1: Bob",
        "Anne: no tokens yet.",
        "Bob: no tokens yet.",
        "Bob, press Enter to roll: ",
    ]


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
@pytest.mark.parametrize("name", ["ravensburger-all-variants", "none-open-shared", "solo",
                                  "trademark-three", "asmodee-leapfrog"])  # fmt: skip
def test_a_game_in_another_language_says_nothing_that_is_not_translated(
    language: str, name: str
) -> None:
    words, said = recording(language)
    record = golden(name)
    answers = with_questions(typed(record.start, record.events))
    evening = sit(
        LocalGame.from_record(Record(record.start, record.names, dice=record.dice)), answers, words
    )
    assert evening.game.events == record.events
    known = set(vars(words.catalogue)["_catalog"])
    assert {text for text in said if text not in known} == set()


def recording(language: str) -> tuple[Translator, list[Any]]:
    """A translator, and the list of all messages that it will be asked for."""
    words = Translator(language)
    said: list[Any] = []
    look_up, count = words.catalogue.gettext, words.catalogue.ngettext

    def gettext(text: str) -> str:
        said.append(text)
        return look_up(text)

    def ngettext(singular: str, plural: str, n: int) -> str:
        said.append((singular, 0))  # as compiled catalogues key their plurals
        return count(singular, plural, n)

    vars(words.catalogue).update(gettext=gettext, ngettext=ngettext)
    return words, said


def with_questions(answers: Any) -> Iterator[Any]:
    """A person who asks for everything before each of the first answers."""
    yield "undo"
    for number, answer in enumerate(answers):
        if number < 12:
            yield from ("help", "odds", "board", "rules", "nonsense", "77", "2+2")
        yield answer
