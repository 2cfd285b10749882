"""The form for a new game: every edition and variant can be asked for, and is what is played."""

from pathlib import Path
from typing import Any

import pytest
from textual.widgets.select import InvalidSelectValueError

from app_player import controller_of, use_app
from cantstop.dice import EnteredDice, SealedDice
from cantstop.language import LANGUAGES, Translator
from cantstop.rules import EDITIONS, Rolled, Sharing, Start
from cantstop.terminal.tui.entry_screen import EntryScreen
from cantstop.terminal.tui.new_game_form import NewGameForm
from cantstop.terminal.tui.table_screen import TableScreen
from people import local_game


async def choose(somebody: Any, select: Any, value: Any) -> None:
    somebody.find(f"#{select}").value = value
    await somebody.pilot.pause()


async def start(somebody: Any) -> None:
    await somebody.press("ctrl+s")


def test_enter_alone_starts_a_game_against_a_bot(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        assert isinstance(somebody.app.screen, NewGameForm)
        await start(somebody)
        assert isinstance(somebody.app.screen, TableScreen)

    app = use_app(play, tmp_path)
    assert controller_of(app).local.names == ("Player 1", "chick")
    assert str(controller_of(app).position.rules) == "v1,players=2"


def test_a_name_is_typed_and_a_bot_is_picked_from_the_list_by_keys(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        await somebody.press(*("backspace",) * 9, "A", "n", "n", "e")
        await somebody.press("tab", "enter", "down", "enter")
        await start(somebody)

    app = use_app(play, tmp_path)
    assert controller_of(app).local.names == ("Anne", "magpie")


@pytest.mark.parametrize("language", LANGUAGES)
def test_bots_are_listed_by_the_names_that_people_read(tmp_path: Path, language: str) -> None:
    listed: list[str] = []

    async def play(somebody: Any) -> None:
        form = somebody.app.screen
        listed.extend(str(name) for name, _ in form._kinds(1))
        await somebody.press("ctrl+s")

    use_app(play, tmp_path, language=language)
    words = Translator(language)
    for name in ("Chick", "Champion", "Rule of 28"):
        assert any(shown.partition(" · ")[0] == words.say(name) for shown in listed)
    assert not [shown for shown in listed if shown[0].islower()]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_variant_that_an_edition_prints_and_no_other(tmp_path: Path, edition: str) -> None:
    printed = EDITIONS[edition]

    async def play(somebody: Any) -> None:
        for sharing in Sharing:
            if isinstance(somebody.app.screen, TableScreen):
                await somebody.press("n")
            await choose(somebody, "edition", edition)
            box, button = somebody.find("#early"), somebody.find(f"#{sharing.value}")
            assert box.disabled == (not printed.early)
            assert button.disabled == (sharing not in printed.sharing)
            if button.disabled:
                continue
            box.value = printed.early
            button.value = True
            await somebody.pilot.pause()
            await start(somebody)
            rules = somebody.game.rules
            assert rules.start is printed.start
            assert rules.early is printed.early
            assert rules.sharing is sharing

    use_app(play, tmp_path, pace=1e6)


@pytest.mark.parametrize("goal", [3, 4, 5])
def test_V1_longer_games_and_V2_with_V4_in_a_custom_game_for_four(
    tmp_path: Path, goal: int
) -> None:
    async def play(somebody: Any) -> None:
        for seat in (2, 3, 4):
            await choose(somebody, f"kind-{seat}", "person")
        await choose(somebody, "goal", goal)
        somebody.find("#early").value = True
        somebody.find("#leapfrog").value = True
        await somebody.pilot.pause()
        await start(somebody)

    app = use_app(play, tmp_path)
    rules = controller_of(app).position.rules
    assert (rules.players, rules.columns_to_win) == (4, goal)
    assert rules.early
    assert rules.sharing is Sharing.LEAPFROG
    assert controller_of(app).names == ("Player 1", "Player 2", "Player 3", "Player 4")


def test_what_an_edition_has_not_is_said_and_can_be_mended(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        await choose(somebody, "edition", "classic")
        await choose(somebody, "goal", 5)
        await start(somebody)
        assert "columns to win 5" in somebody.text("#problem")
        await choose(somebody, "goal", 3)
        await start(somebody)
        assert isinstance(somebody.app.screen, TableScreen)

    use_app(play, tmp_path)


def test_two_people_need_two_names(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        await choose(somebody, "kind-2", "person")
        somebody.find("#name-2").value = "Player 1"
        await start(somebody)
        assert "Two players cannot both be called" in somebody.text("#problem")

    use_app(play, tmp_path)


def test_the_youngest_starts_where_the_edition_says_so(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        assert not somebody.find("#youngest").display
        await choose(somebody, "edition", "ravensburger")
        await choose(somebody, "youngest", 1)
        await start(somebody)

    app = use_app(play, tmp_path, pace=1e6)
    assert controller_of(app).position.rules.start is Start.YOUNGEST
    assert controller_of(app).position.seat == 1


def test_sealed_dice_show_their_commitment_and_take_salt(tmp_path: Path) -> None:
    async def play(somebody: Any) -> None:
        somebody.find("#sealed").value = True
        await somebody.pilot.pause()
        await start(somebody)
        assert "Their commitment is" in somebody.screen
        await somebody.press(*"pepper", "enter")

    dice = controller_of(use_app(play, tmp_path)).local.dice
    assert isinstance(dice, SealedDice)
    assert dice.seal.salts[0] == "pepper"


def test_dice_of_ones_own_are_thrown_by_people_and_bots_come_back_without_them(
    tmp_path: Path,
) -> None:
    async def play(somebody: Any) -> None:
        await choose(somebody, "kind-3", "champion")
        await choose(somebody, "kind-4", "bold")
        somebody.find("#entered").value = True
        await somebody.pilot.pause()
        kinds = [somebody.find(f"#kind-{seat}") for seat in (1, 2, 3, 4)]
        assert [kind.value for kind in kinds] == ["person"] * 4
        assert not any(somebody.find(f"#name-{seat}").disabled for seat in (1, 2, 3, 4))
        with pytest.raises(InvalidSelectValueError):
            kinds[1].value = "careful"
        await choose(somebody, "kind-4", "nobody")
        somebody.find("#secure").value = True
        await somebody.pilot.pause()
        assert [kind.value for kind in kinds] == ["person", "chick", "champion", "nobody"]
        assert somebody.find("#name-2").disabled
        somebody.find("#entered").value = True
        await somebody.pilot.pause()
        await start(somebody)
        assert isinstance(somebody.app.screen, EntryScreen)
        await somebody.press(*"2455")
        assert somebody.game.events == (Rolled((2, 4, 5, 5)),)

    local = controller_of(use_app(play, tmp_path)).local
    assert local.names == ("Player 1", "Player 2", "Player 3")
    assert local.dice == EnteredDice()
    (record,) = tmp_path.iterdir()
    assert '[Dice "entered"]' in record.read_text("utf-8")


def test_escape_without_a_game_leaves_and_with_one_returns_to_it(tmp_path: Path) -> None:
    async def leave(somebody: Any) -> None:
        await somebody.press("escape")

    assert use_app(leave, tmp_path).return_value == 0
    local = local_game("v1,players=2 -/- 1 - -", "Anne", "Bob")

    async def think_again(somebody: Any) -> None:
        await somebody.press("n", "escape", "r")
        assert somebody.game.rolls == 1

    use_app(think_again, tmp_path, local)


def test_a_new_game_leaves_the_old_one_in_its_file(tmp_path: Path) -> None:
    local = local_game("v1,players=2 -/- 1 - -", "Anne", "Bob")

    async def play(somebody: Any) -> None:
        await somebody.press("r", "n")
        await start(somebody)
        assert somebody.local is not local
        await somebody.press("r")

    use_app(play, tmp_path, local)
    assert len(list(tmp_path.iterdir())) == 2
