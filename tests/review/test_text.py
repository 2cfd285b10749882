"""A decision in one sentence: what was chosen, what was best, and why."""

import re

import pytest

from cantstop import Game, Record
from cantstop.language import LANGUAGES, Translator
from cantstop.review import Decision, review
from cantstop.review.chart import chart_svg
from cantstop.review.page import review_html
from cantstop.review.text import decision_sentence


def decisions(position: str, *actions: str) -> tuple[Decision, ...]:
    """The decisions of a person who rolls these dice, makes these moves, or stops."""
    game = Game.parse(position)
    for action in actions:
        if action == "stop":
            game.stop()
        elif game.legal_moves:
            game.move(action)
        else:
            game.roll(action)
    return review(game).decisions


def test_stop_or_roll_names_both_chances_and_the_chance_to_bust() -> None:
    (decision,) = decisions("v1,players=2 7:4/6:9,8:3 1 2:2,3:4,12:2 -", "1111")
    told = decision_sentence(Translator(), decision)
    stop, roll = (f"{100 * option.worth:.1f}%" for option in decision.options)
    assert told == (
        f"Stopping gave {stop}, rolling {roll}: runners on 2, 3 and 12 bust in 56.2% of rolls."
    )


def test_one_runner_and_a_roll_that_cannot_bust() -> None:
    _, decision = decisions("v1,players=2 -/- 1 - -", "3434", "7+7", "stop")
    assert decision_sentence(Translator(), decision).endswith(": no roll can bust.")


def test_a_stop_that_would_have_won_is_named() -> None:
    position = "v1,players=2 2:2,3:4,7:13,8:11,12:2/4:7,5:9,6:10 1 2:3,3:5,12:3 -"
    (decision,) = decisions(position, "3333")
    told = decision_sentence(Translator(), decision)
    assert told.startswith("Stopping won the game, rolling gave ")


def test_a_move_is_compared_with_the_best_one() -> None:
    (decision,) = decisions("v1,players=2 -/- 1 - -", "2345", "5+9")
    assert decision_sentence(Translator(), decision).startswith("5+9 gave ")
    _, decision = decisions("v1,players=2 -/- 1 6:3,8:3 -", "1255", "3")
    told = decision_sentence(Translator(), decision)
    assert "the next roll busts in" in told
    assert told.count("%") == 4


def test_alone_it_tells_turns() -> None:
    (decision,) = decisions("v1,players=1 - 1 2:1,3:1,12:1 -", "stop")
    assert "turns in all" in decision_sentence(Translator(), decision)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_figures_and_columns(language: str) -> None:
    (decision,) = decisions("v1,players=2 7:4/6:9,8:3 1 2:2,3:4,12:2 -", "1111")
    told = decision_sentence(Translator(language), decision)
    assert "2, 3" in told
    assert "{" not in told
    assert "56" in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_and_pages_call_a_bot_what_people_call_it(language: str) -> None:
    words, game = Translator(language), Game(players=2)
    game.roll("1122")
    found = review(Record.of(game, ("chick", "Anne")))
    for drawn in (chart_svg(found, words), review_html(found, words)):
        assert words.say("Chick") in drawn
        assert not re.search(r"\bchick\b", drawn)
