"""The variants: V1 to V5, and which edition prints which."""

from typing import Any

import pytest

from cantstop import (
    EDITIONS,
    IllegalAction,
    InvalidRules,
    InvalidText,
    Position,
    Rules,
    Sharing,
    Start,
)
from cantstop.rules import edition_named
from speak import may_stop, moves, play


def test_V1_a_longer_game_ends_with_the_number_it_asks() -> None:
    two = "v1,players=3,win=4 2:3,7:13/-/- 1 3:5 -"
    assert Position.parse(two).stop().outcome is None
    three = "v1,players=3,win=4 2:3,3:5,7:13/-/- 1 12:3 -"
    assert Position.parse(three).stop().outcome is not None


def test_V1_ravensburger_has_four_columns_for_three_players_and_five_for_two() -> None:
    ravensburger = EDITIONS["ravensburger"]
    offers = {players: ravensburger.longer_games(players) for players in (1, 2, 3, 4)}
    assert offers == {1: (), 2: (5,), 3: (4,), 4: ()}
    assert str(ravensburger.rules(players=3, columns_to_win=4)) == (
        "v1,players=3,win=4,start=youngest"
    )
    with pytest.raises(
        InvalidRules, match=r"Ravensburger .* no such game: columns to win 4, players 2"
    ):
        ravensburger.rules(players=2, columns_to_win=4)


def test_V1_asmodee_has_up_to_five_columns_for_everybody() -> None:
    asmodee = EDITIONS["asmodee"]
    for players in (1, 2, 3, 4):
        for win in (3, 4, 5):
            assert asmodee.rules(players=players, columns_to_win=win).columns_to_win == win
    with pytest.raises(InvalidRules, match="no such game: columns to win 6"):
        asmodee.rules(columns_to_win=6)


@pytest.mark.parametrize("name", ["classic", "trademark"])
def test_V1_the_other_rulebooks_have_no_longer_game(name: str) -> None:
    with pytest.raises(InvalidRules, match="no such game: columns to win 4"):
        EDITIONS[name].rules(columns_to_win=4)


def test_V2_only_the_moves_that_bring_the_most_new_runners_are_legal() -> None:
    roll = "-/- 1 6:1,8:1 1156"
    assert moves(f"v1,players=2 {roll}") == {"2", "11", "6+7"}
    assert moves(f"v1,players=2,early {roll}") == {"2", "11", "6+7"}
    roll = "-/- 1 6:1 1156"
    assert moves(f"v1,players=2 {roll}") == {"2+11", "6+7"}
    assert moves(f"v1,players=2,early {roll}") == {"2+11"}


def test_V2_two_steps_in_one_column_bring_one_runner_only() -> None:
    assert moves("v1,players=2 -/- 1 - 2345") == {"5+9", "6+8", "7+7"}
    assert moves("v1,players=2,early -/- 1 - 2345") == {"5+9", "6+8"}
    assert moves("v1,players=2,early -/6:11,9:9 1 - 2345") == {"5", "8", "7+7"}


def test_V2_where_no_move_brings_a_runner_all_are_legal() -> None:
    assert moves("v1,players=2,early -/- 1 5:1,6:1,8:1 2345") == {"5", "6+8"}


def test_V2_picking_one_of_two_new_columns_is_left_to_the_player() -> None:
    assert moves("v1,players=2,early -/- 1 2:1,6:1 2345") == {"5", "9", "6+8", "7+7"}
    assert moves("v1,players=2,early -/- 1 5:1,9:1 2345") == {"6", "8", "7+7"}


def test_V2_asks_nothing_of_the_stop() -> None:
    assert may_stop("v1,players=2,early -/- 1 5:1 -")


def test_V3_no_stopping_while_a_runner_stands_on_a_token() -> None:
    text = "v1,players=2,sharing=no-rest -/7:2 1 5:1,7:2 -"
    position = Position.parse(text)
    assert not position.may_stop
    assert position.may_roll
    assert position.shared_runners == (7,)
    with pytest.raises(IllegalAction, match=r"No stopping now \(V3\): .* here in 7\."):
        position.stop()
    assert may_stop(text.replace("sharing=no-rest", "win=3"))


def test_V3_every_shared_column_is_named() -> None:
    position = Position.parse("v1,players=3,sharing=no-rest -/7:2/5:1 1 5:1,7:2,8:1 -")
    with pytest.raises(IllegalAction, match=r"here in 5, 7\.$"):
        position.stop()


def test_V3_getting_clear_allows_the_stop() -> None:
    text = "v1,players=2,sharing=no-rest -/7:2 1 5:1,7:2 -"
    clear = play(text, "1234", "=3+7")
    assert clear == "v1,players=2,sharing=no-rest -/7:2 1 3:1,5:1,7:3 -"
    assert may_stop(clear)


def test_V3_it_binds_even_when_the_stop_would_win_the_game() -> None:
    text = "v1,players=2,sharing=no-rest 2:3,3:5/7:2 1 7:2,12:3 -"
    assert not may_stop(text)
    assert may_stop(text.replace("7:2,12:3", "7:3,12:3"))


def test_V3_who_cannot_get_clear_plays_on_until_a_bust() -> None:
    text = "v1,players=2,sharing=no-rest -/7:2 1 2:3,7:2,12:3 3366"
    assert play(text, "=bust") == "v1,players=2,sharing=no-rest -/7:2 2 - -"


def test_V3_the_own_token_and_a_space_passed_do_not_matter() -> None:
    assert may_stop("v1,players=2,sharing=no-rest 7:2/7:3 1 7:4 -")


def test_V3_moves_are_those_of_the_free_game() -> None:
    for sharing in ("", ",sharing=no-rest"):
        text = f"v1,players=2{sharing} 7:1/7:2 1 - 3412"
        assert play(text, "=3+7").split()[3] == "3:1,7:2"


def test_V4_a_runner_enters_on_the_next_space_that_no_opponent_occupies() -> None:
    text = "v1,players=3,sharing=leapfrog -/7:1/7:2 1 - 3412"
    assert play(text, "=3+7").split()[3] == "3:1,7:3"
    assert play(text.replace("leapfrog", "free"), "=3+7").split()[3] == "3:1,7:1"


def test_V4_a_runner_that_moves_up_leaps_as_well() -> None:
    text = "v1,players=2,sharing=leapfrog -/7:5 1 7:4 3412"
    assert play(text, "=3+7").split()[3] == "3:1,7:6"


def test_V4_a_runner_enters_above_the_own_token_and_leaps_from_there() -> None:
    text = "v1,players=2,sharing=leapfrog 7:4/7:5 1 - 3412"
    assert play(text, "=3+7").split()[3] == "3:1,7:6"


def test_V4_two_steps_are_two_such_moves() -> None:
    text = "v1,players=3,sharing=leapfrog -/7:1/7:3 1 - 3434"
    assert play(text, "=7+7").split()[3] == "7:4"


def test_V4_leaping_to_the_top_leaves_no_second_step() -> None:
    text = "v1,players=2,sharing=leapfrog 7:11/7:12 1 - 3344"
    assert moves(text) == {"6+8", "7"}
    assert play(text, "=7").split()[3] == "7:13"


def test_V4_the_own_token_is_no_reason_to_leap() -> None:
    text = "v1,players=2,sharing=leapfrog 7:4/- 1 7:5 3412"
    assert play(text, "=3+7").split()[3] == "3:1,7:6"


def test_V5_one_setting_holds_either_so_both_cannot_be_written() -> None:
    assert [sharing.value for sharing in Sharing] == ["free", "no-rest", "leapfrog"]
    for both in ("sharing=no-rest,sharing=leapfrog", "sharing=leapfrog,players=3,sharing=no-rest"):
        with pytest.raises(InvalidText, match=r"V3 .* and V4 .* exclude each other"):
            Rules.parse(both)


@pytest.mark.parametrize(
    ("name", "variants", "lacking"),
    [
        ("classic", {"early": True}, r"Classic \(1981\) .* V2 \(runners out early\)"),
        ("asmodee", {"early": True}, "Asmodee .* V2"),
        ("trademark", {"sharing": Sharing.NO_REST}, r"V3 \(no rest on a shared space\)"),
        ("ravensburger", {"sharing": Sharing.LEAPFROG}, r"V4 \(leapfrog\)"),
    ],
)
def test_a_variant_that_the_rulebook_does_not_print_is_refused(
    name: str, variants: dict[str, Any], lacking: str
) -> None:
    with pytest.raises(InvalidRules, match=f"{lacking}.*; a custom game can have it"):
        EDITIONS[name].rules(**variants)


def test_an_edition_gives_its_rules_with_the_variants_it_prints() -> None:
    rules = edition_named("Ravensburger").rules(3, 4, early=True, sharing=Sharing.NO_REST)
    assert rules == Rules(3, 4, True, Sharing.NO_REST, Start.YOUNGEST)
    assert str(EDITIONS["asmodee"].rules(4, 5, sharing=Sharing.LEAPFROG)) == (
        "v1,players=4,win=5,sharing=leapfrog,start=roll-off"
    )


def test_an_edition_that_does_not_exist_is_told_with_those_that_do() -> None:
    with pytest.raises(InvalidRules, match="no edition “parker”; there are: classic, trademark, "):
        edition_named("parker")
