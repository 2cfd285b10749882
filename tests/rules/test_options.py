"""From what a person asks for to the rules."""

import pytest

from cantstop.rules import InvalidRules, InvalidText, Rules, Sharing, Start
from cantstop.rules.options import rules_for, rules_from_text


def test_a_custom_game_chooses_everything() -> None:
    asked = rules_for(None, 3, 4, early=True, sharing=Sharing.LEAPFROG, start=Start.ROLL_OFF)
    assert asked == Rules(3, 4, early=True, sharing=Sharing.LEAPFROG, start=Start.ROLL_OFF)
    assert rules_for(None, 2) == Rules()


def test_an_edition_says_who_starts() -> None:
    assert rules_for("Trademark", 2).start is Start.ROLL_OFF
    with pytest.raises(InvalidRules, match="Only a custom game"):
        rules_for("trademark", 2, start=Start.YOUNGEST)


def test_a_text_may_leave_open_how_many_play() -> None:
    assert rules_from_text(None) == Rules()
    assert rules_from_text("early", players=3) == Rules(3, early=True)
    assert rules_from_text("early,players=4", players=3) == Rules(4, early=True)


def test_an_edition_and_another_board_exclude_each_other() -> None:
    assert rules_from_text("win=4", edition="asmodee", players=4).columns_to_win == 4
    with pytest.raises(InvalidText, match="official board"):
        rules_from_text("lengths=1.3.1", edition="classic")


def test_a_wrong_edition_is_answered_with_the_nearest_one_or_with_all() -> None:
    with pytest.raises(InvalidRules, match="did you mean “trademark”"):
        rules_for("tradmark", 2)
    with pytest.raises(InvalidRules, match="there are: classic, "):
        rules_for("chess", 2)
