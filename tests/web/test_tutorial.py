"""The tutorial, by a person who does nothing but what the guide points at."""

from typing import Any

import pytest
from playwright.sync_api import expect

from browser_player import Player

LESSONS = ["basics", "early", "no-rest", "leapfrog"]
POINTED = {"roll": ".roll", "stop": ".stop", "moves": ".move"}


@pytest.mark.parametrize("lesson", LESSONS)
def test_following_the_guide_leads_through_the_lesson(player: Player, lesson: Any) -> None:
    player.go("/learn").find(f"[data-lesson={lesson}]").click()
    player.sees(stage="playing", live=True)
    said = []
    for _ in range(60):
        if player.find(".table[data-stage=over]").count():
            break
        said.append(player.find(".coach").inner_text())
        point = player.find("html").get_attribute("data-point")
        turn = player.find(".turn-number").inner_text()
        if lesson != "basics" and turn == "Round 3":
            break  # what the lesson is about has been seen
        player.find(POINTED[point or "stop"]).first.click()
        decided = player.find(".table[data-live=true], .table[data-stage=over]")
        expect(decided).to_be_attached()
    assert all(said)
    assert len(set(said)) >= 4
    if lesson == "basics":
        assert any("That was a bust" in text for text in said)
        expect(player.find(".coach")).to_contain_text("You win!")
        expect(player.find(".afterwards [data-first-game]")).to_be_visible()
        player.find(".afterwards a", has_text="Next lesson").click()
        expect(player.find(".lesson-state.done")).to_have_count(1)


def test_after_the_lesson_comes_a_game_against_the_easiest_bot(player: Player) -> None:
    player.go("/learn").find("[data-first-game]").click()
    player.sees(stage="playing", live=True)
    expect(player.find(".player .name")).to_have_text(["Player 1", "Chick"])
    player.take_turn()
    player.sees(phase="roll", live=True)  # the bot has played
