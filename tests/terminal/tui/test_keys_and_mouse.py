"""Every key does what the help says, and the mouse does what the keys do."""

from pathlib import Path
from typing import Any

import pytest

from app_player import use_app
from cantstop.language import LANGUAGES, Translator
from cantstop.rules import Move, Moved, Phase, Rolled, Stopped
from cantstop.terminal.tui.board import BoardView
from cantstop.terminal.tui.keys import Help
from cantstop.terminal.tui.new_game_form import NewGameForm
from cantstop.terminal.tui.panels import MoveList
from cantstop.terminal.tui.reactions import ReactionScreen
from cantstop.terminal.tui.table_screen import TableScreen
from people import local_game

START = "v1,players=2 -/- 1 - -"
ROLLED = "v1,players=2 -/- 1 - 2345"


def at(start: Any = START, *seats: Any, dice: str = "2345 1122 3456") -> Any:
    return local_game(start, *(seats or ("Anne", "Bob")), dice=dice)


def test_roll_pick_stop_and_undo(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        await somebody.press("r")
        assert somebody.game.events == (Rolled((2, 3, 4, 5)),)
        await somebody.press("2")
        assert somebody.game.events[-1] == Moved(Move(6, 8))
        await somebody.press("u")
        assert somebody.game.phase is Phase.MOVE
        assert "Taken back." in somebody.screen
        await somebody.press("2", "s")
        assert somebody.game.events[-1] == Stopped()
        assert "Bob: roll the dice." in somebody.text("#status")
        await somebody.press("r", "u")
        assert "There is nothing to take back" in somebody.sentence("#status")

    use_app(play, tmp_path, at())


def test_arrows_point_and_enter_does_it(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        await somebody.press("enter")  # the only thing to do is to roll
        assert somebody.game.phase is Phase.MOVE
        await somebody.press("down", "down", "up", "enter")
        assert somebody.game.events[-1] == Moved(Move(6, 8))
        await somebody.press("enter")  # neither is pointed at, so a key held too long does nothing
        assert [somebody.game.phase] == [Phase.CHOICE]
        await somebody.press("right", "enter")
        assert somebody.game.events[-1] == Stopped()

    use_app(play, tmp_path, at())


def test_the_move_pointed_at_is_previewed_on_the_board(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        first = somebody.text("BoardView")
        assert first.count("☆") == 2
        await somebody.press("down", "down")  # 7+7: one runner, two spaces
        assert somebody.text("BoardView").count("☆") == 1
        assert somebody.text("BoardView").count("↑") == 1

    use_app(play, tmp_path, at(ROLLED))


def test_the_mouse_rolls_picks_and_stops(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        await somebody.click("#roll", (5, 1))
        assert somebody.game.phase is Phase.MOVE
        await somebody.click(MoveList, (3, 1))
        assert somebody.game.events[-1] == Moved(Move(6, 8))
        await somebody.click("#stop", (5, 1))
        assert somebody.game.events[-1] == Stopped()

    use_app(play, tmp_path, at())


def test_a_click_on_a_column_makes_its_move(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        await somebody.click(BoardView, (4 * (9 - 2) + 1, 7))
        assert somebody.game.events[-1] == Moved(Move(5, 9))

    use_app(play, tmp_path, at(ROLLED))


def test_V3_forbids_to_stop_and_says_why(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        assert somebody.find("#stop").disabled
        assert "No stopping now (V3)" in somebody.text("#status")
        await somebody.press("s")
        assert somebody.game.phase is Phase.CHOICE

    use_app(play, tmp_path, at("v1,players=2,sharing=no-rest -/6:4 1 6:4 -"))


def test_odds_come_and_go(tmp_path: Path) -> None:
    async def look(somebody: Any) -> None:
        await somebody.press("o")
        assert "is a bust in 56.2% of cases" in somebody.sentence("OddsPanel")
        assert "Surviving 1 to 5 rolls:" in somebody.text("OddsPanel")
        await somebody.press("o")
        assert not somebody.find("OddsPanel").display

    use_app(look, tmp_path, at("v1,players=2 -/- 1 2:1,3:1,12:1 -"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_L_goes_round_all_languages(tmp_path: Path, language: str) -> None:
    async def look(somebody: Any) -> None:
        for code in (*LANGUAGES, "en"):
            expected = Translator(code).say("{name}: roll the dice.", name="Anne")
            assert expected in somebody.text("#status")
            await somebody.press("l")

    if language == "en":
        use_app(look, tmp_path, at())
    else:

        async def see(somebody: Any) -> None:
            assert Translator(language).say("Quit") in somebody.text("KeyBar")

        use_app(see, tmp_path, at(), language=language, size=(120, 40))


def test_T_changes_between_dark_and_light(tmp_path: Path) -> None:
    async def look(somebody: Any) -> None:
        dark = somebody.app.screen.styles.background
        await somebody.press("t")
        light = somebody.app.screen.styles.background
        assert dark.brightness < 0.5 < light.brightness
        await somebody.press("t")
        assert somebody.app.screen.styles.background == dark

    use_app(look, tmp_path, at())


def test_help_lists_every_key_and_the_rules(tmp_path: Path) -> None:
    async def look(somebody: Any) -> None:
        await somebody.press("question_mark")
        assert isinstance(somebody.app.screen, Help)
        for binding in TableScreen.KEYS:
            assert Translator().say(binding.tooltip) in somebody.screen.replace("\n", " ")
        assert "The rules of this game" in somebody.screen
        await somebody.press("escape")
        assert isinstance(somebody.app.screen, TableScreen)

    use_app(look, tmp_path, at(), size=(120, 60))


@pytest.mark.parametrize(("key", "code"), [("q", 0), ("ctrl+c", 130), ("ctrl+q", 0)])
@pytest.mark.parametrize("state", ["table", "help", "form"])
def test_leaving_from_anywhere(tmp_path: Path, key: str, code: int, state: str) -> None:
    async def leave(somebody: Any) -> None:
        if state != "table":
            await somebody.press({"help": "question_mark", "form": "n"}[state])
        if key == "q" and state != "table":
            await somebody.press("escape")
        await somebody.press(key)

    assert use_app(leave, tmp_path, at()).return_value == code


def test_who_is_not_on_turn_can_do_nothing(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        await somebody.press("r")
        assert somebody.game.events == ()
        assert "It is not your turn." in somebody.text("#status")

    use_app(play, tmp_path, at(START, "bot:careful", "Bob"), pace=1e6)


def test_N_asks_for_a_new_game(tmp_path: Path) -> None:
    async def look(somebody: Any) -> None:
        await somebody.press("n")
        assert isinstance(somebody.app.screen, NewGameForm)
        await somebody.press("escape")
        assert isinstance(somebody.app.screen, TableScreen)

    use_app(look, tmp_path, at())


def test_F_skips_the_bots_turns_up_to_ones_own(tmp_path: Path) -> None:
    """At this pace a bot would think for days before every step."""

    async def play(somebody: Any) -> None:
        assert somebody.app.controller.may_skip
        somebody.app.simulate_key("f")
        await somebody.wait_until(lambda: somebody.app.controller.may_act)
        assert {seat_of(step) for step in somebody.app.controller.entries} == {0, 1}
        somebody.app.simulate_key("f")
        await somebody.wait_until(lambda: "No bot's turn can be" in somebody.sentence("#status"))
        for key in ("r", "1", "s"):
            await somebody.press_fast(key)
        assert not somebody.app.controller.may_act  # at these dice nobody busts
        events = len(somebody.game.events)
        await somebody.press("l")  # the next turn of a bot is not hurried
        assert len(somebody.game.events) == events

    start = "v1,players=3 -/-/- 1 - -"
    seats = ("bot:careful", "bot:bold", "Anne")
    use_app(play, tmp_path, local_game(start, *seats), pace=1e6)


def seat_of(step: Any) -> int:
    seat: int = step.before.seat
    return seat


def test_what_is_for_tables_on_a_server_says_so(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        def is_refused(reason: str) -> bool:
            at_table = isinstance(somebody.app.screen, TableScreen)
            return at_table and reason in somebody.sentence("#status")

        somebody.app.simulate_key("m")
        await somebody.wait_until(lambda: is_refused("once the game is over"))
        somebody.app.simulate_key("e")
        await somebody.wait_until(lambda: isinstance(somebody.app.screen, ReactionScreen))
        somebody.app.simulate_key("1")
        await somebody.wait_until(lambda: is_refused("Reactions are for tables on a server."))
        somebody.app.simulate_key("e")
        await somebody.wait_until(lambda: isinstance(somebody.app.screen, ReactionScreen))
        somebody.app.simulate_key("escape")
        await somebody.wait_until(lambda: isinstance(somebody.app.screen, TableScreen))
        somebody.app.simulate_key("g")
        await somebody.wait_until(lambda: is_refused("There are no standing orders at this table."))

    use_app(play, tmp_path, at())
