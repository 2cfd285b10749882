"""Short rules tell exactly the rules in force."""

from typing import Any

import pytest

from cantstop.language import LANGUAGES, Translator, short_rules
from cantstop.rules import EDITIONS, Board, Rules, Sharing, Start


def english(**settings: Any) -> Any:
    return short_rules(Translator(), Rules(**settings))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_M3_the_goal_names_the_players_and_the_columns_to_win(players: int) -> None:
    assert english(players=players, columns_to_win=4).startswith(
        f"Goal: be the first of {players} players to win 4 columns."
    )


def test_M3_alone_there_is_nobody_to_race_to_start_or_to_share_with() -> None:
    text = english(players=1, start=Start.ROLL_OFF, sharing=Sharing.LEAPFROG)
    assert text.startswith("Goal: win 3 columns in as few turns as you can.")
    assert "throw" not in text
    assert "opponent" not in text


@pytest.mark.parametrize(
    ("edition", "words"),
    [
        ("classic", "The first seat starts"),
        ("trademark", "the highest sum starts"),
        ("ravensburger", "The youngest starts"),
        ("asmodee", "the highest sum starts"),
    ],
)
def test_M4_every_edition_says_who_starts(edition: str, words: str) -> None:
    starts = ["The first seat starts", "The youngest starts", "the highest sum starts"]
    text = short_rules(Translator(), EDITIONS[edition].rules())
    assert [start for start in starts if start in text] == [words]


@pytest.mark.parametrize(
    ("sharing", "rule"), [(Sharing.FREE, None), (Sharing.NO_REST, "V3"), (Sharing.LEAPFROG, "V4")]
)
def test_V3_V4_what_a_shared_space_means_is_told_and_nothing_else(
    sharing: Sharing, rule: str | None
) -> None:
    text = english(sharing=sharing)
    assert ("any number of them can share a space" in text) is (rule is None)
    assert [found for found in ("V3", "V4") if found in text] == ([rule] if rule else [])


def test_V2_is_told_only_where_it_holds() -> None:
    assert "V2" in english(early=True)
    assert "V2" not in english()


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("win", [3, 4, 5])
def test_W5_is_told_only_where_all_columns_can_be_won_without_a_winner(
    players: int, win: int
) -> None:
    possible = (players, win) in {(3, 5), (4, 4), (4, 5)}
    assert ("all columns are won" in english(players=players, columns_to_win=win)) is possible


def test_other_boards_are_told_as_they_are() -> None:
    text = english(board=Board.stepped(sides=4, shortest=1, runners=1), columns_to_win=1)
    assert "2 (1), 3 (3), 4 (5), 5 (7), 6 (5), 7 (3), 8 (1)" in text
    assert "You have one runner a turn." in text
    assert "win one column" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_about_fifteen_lines_in_every_language(language: str) -> None:
    fullest = Rules(4, 5, early=True, sharing=Sharing.NO_REST, start=Start.ROLL_OFF)
    text = short_rules(Translator(language), fullest)
    assert 12 <= len(text.splitlines()) <= 16
    assert "{" not in text
    for rule in ("V2", "V3"):
        assert rule in text
