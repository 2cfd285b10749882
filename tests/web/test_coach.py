"""The coach of the first games follows the lesson and fades; its reasons are true of the board."""

import json
import os
import re
from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

from msgspec.json import encode
from playwright.sync_api import expect

from browser_player import PHONE, Player
from cantstop.odds import Situation, usable_rolls
from cantstop.rules import Phase, Position, splits
from cantstop.wire.position import position_view
from web.axe import ask_axe

ROLLS = 1296

REASONS = int(os.environ.get("REASONS", "400"))
"""Decisions that are looked at: ``REASONS=2000`` looks at more."""

# What the browser says of many views: reasons to stop, to roll, and for the first of two moves.
TOLD = """
async (views) => {
  const { bustChance, choiceReason, moveReason, effectOf, stepsAtStake } =
    await import("/static/insight/reasons.js");
  return views.map((view) => view.phase === "choice"
    ? { bust: bustChance(view, view.runners), steps: stepsAtStake(view),
        stop: choiceReason(view, "stop"), roll: choiceReason(view, "roll") }
    : view.moves.slice(1).map(({ move }) => {
        const [best, other] = [{ move: view.moves[0].move, win: 0.5 }, { move, win: 0.4 }];
        return { best: best.move, other: move, busts: [effectOf(view, best.move).bust,
          effectOf(view, move).bust], text: moveReason(view, best, other, (win) => `${win}`) };
      }));
}
"""


def positions(count: int) -> list[Position]:
    """Decisions of games that are played at random."""
    chance = Random(30)
    found: list[Position] = []
    position = Position.initial()
    while len(found) < count:
        if position.phase is Phase.ROLL:
            position = position.roll([chance.randint(1, 6) for _ in range(4)])
        elif position.phase is Phase.MOVE:
            found.append(position)
            position = position.move(chance.choice(list(position.legal_moves)))
        elif position.phase is Phase.CHOICE:
            found.append(position)
            stops = chance.random() < 0.3
            position = (
                position.stop()
                if stops
                else position.roll([chance.randint(1, 6) for _ in range(4)])
            )
        elif position.phase is Phase.BUST:
            position = position.bust()
        else:
            position = Position.initial()
    return found


def bust_chance(position: Position) -> float:
    return 1 - usable_rolls(Situation.of(position)) / ROLLS


def test_reasons_are_true_of_the_position_beside_them(player: Player) -> None:
    decisions = positions(REASONS)
    views = [json.loads(encode(position_view(each))) for each in decisions]
    told: list[Any] = player.go("/rules").page.evaluate(TOLD, views)
    sentences: set[str] = set()
    for position, said in zip(decisions, told, strict=True):
        if position.phase is Phase.CHOICE:
            check_choice(position, said)
            sentences |= {re.sub(r"\d+", "#", said["stop"]), re.sub(r"\d+", "#", said["roll"])}
        else:
            for each in said:
                check_move(position, each)
                sentences.add(re.sub(r"\d+", "#", each["text"]))
    assert len(sentences) >= 9  # not the same all the time


def check_choice(position: Position, said: dict[str, Any]) -> None:
    bust = bust_chance(position)
    spaces = position.tokens.spaces[position.seat]
    climbed = [
        position.runners[column] - spaces[column]
        for column in position.rules.board.columns
        if position.runners[column]
    ]
    assert (round(said["bust"], 9), said["steps"]) == (round(bust, 9), sum(climbed))
    steps = f"{sum(climbed)} step{'s' if sum(climbed) != 1 else ''}"
    top = re.search(r"on the top of column (\d+)", said["stop"])
    if top:
        column = int(top[1])
        assert position.runners[column] == position.rules.board.top(column)
    else:
        assert said["stop"] == f"{share(bust)} of all rolls bust, which costs {steps}."
    if "cannot bust" in said["roll"]:
        assert bust == 0
    elif good := re.search(r"About (\d+) of ten rolls .* cost (.+)\.$", said["roll"]):
        assert abs(int(good[1]) / 10 - (1 - bust)) <= 0.05 + 1e-9
        assert good[2] == steps
    else:
        assert said["roll"].startswith(f"{share(bust)} of all rolls bust")


def check_move(position: Position, said: dict[str, Any]) -> None:
    moves = {str(move): move for move in position.legal_moves}
    best, other = (position.move(moves[said[name]]) for name in ("best", "other"))
    busts = [bust_chance(best), bust_chance(other)]
    assert [round(one, 9) for one in said["busts"]] == [round(one, 9) for one in busts]
    text = said["text"]
    if column := re.search(r"the top of column (\d+)", text):
        number = int(column[1])
        assert best.runners[number] == position.rules.board.top(number)
    elif "cannot bust" in text:
        assert busts[0] == 0 < busts[1]
    elif text.startswith("After it"):
        assert share(busts[0]) in text
        assert share(busts[1]) in text
        assert busts[0] < busts[1]
    elif "in your hand for later" in text:
        assert out(best) < out(other)
    elif "larger part" in text:
        assert climbed(position, best) > climbed(position, other)
    elif text.startswith("A roll offers"):
        chances = [offered(set(moves[said[name]])) for name in ("best", "other")]
        assert chances[0] > chances[1]
        assert text.endswith(f"{share(chances[0])} against {share(chances[1])}.")
    else:
        assert text == "What follows is worth more: 0.5 instead of 0.4."


def offered(columns: set[int]) -> float:
    """How often a roll makes one of these sums."""
    rolls = product(range(1, 7), repeat=4)
    return sum(any(columns & {*split} for split in splits(roll)) for roll in rolls) / ROLLS


def share(chance: float) -> str:
    return f"{int(100 * chance + 0.5)}%"


def out(position: Position) -> int:
    return sum(1 for column in position.rules.board.columns if position.runners[column])


def climbed(before: Position, after: Position) -> float:
    """The share of their columns that the steps of a move are."""
    spaces = before.tokens.spaces[before.seat]
    return sum(
        (after.runners[column] - (before.runners[column] or spaces[column]))
        / before.rules.board.top(column)
        for column in before.rules.board.columns
        if after.runners[column]
    )


def test_the_coach_sits_beside_the_first_three_games_after_the_lesson(
    sit: Callable[..., Player],
) -> None:
    player = sit(viewport=PHONE)
    for game in (1, 2, 3):
        player.go("/learn").find("[data-first-game]").click()
        player.sees(stage="playing", live=True)
        expect(player.find(".coach.for-real")).to_contain_text(f"Game {game} of 3")
        if game == 1:
            player.find(".roll").click()
            player.sees(phase="move", live=True)
            player.find(".move").first.click()
            player.sees(phase="choice", live=True)
            # the first choice of a game has a runner in hand: any advice is to roll on
            expect(player.find(".coach strong")).to_have_text("Roll again:")
            found: Any = ask_axe(player, {"resultTypes": ["violations"]})
            assert found == []
            player.page.reload()  # it is still the first game
            expect(player.find(".coach.for-real")).to_contain_text("Game 1 of 3")
    player.go("/learn").find("[data-first-game]").click()
    player.sees(stage="playing", live=True)
    expect(player.find(".coach")).to_have_count(0)


def test_the_coach_leaves_whoever_wants_to_be_alone(sit: Callable[..., Player]) -> None:
    player = sit(viewport=PHONE)
    player.go("/learn").find("[data-first-game]").click()
    player.sees(stage="playing", live=True).find(".coach-alone").click()
    expect(player.find(".coach")).to_have_count(0)
    player.page.reload()
    player.sees(stage="playing", live=True)
    expect(player.find(".coach")).to_have_count(0)


def test_whoever_presses_play_without_a_lesson_has_no_coach(player: Player) -> None:
    player.go("/").find("[data-way=bot]").click()
    player.sees(stage="playing", live=True).find(".roll").click()
    player.sees(phase="move", live=True)
    expect(player.find(".coach")).to_have_count(0)


# An advice that comes when everything else has been drawn, in a box as small as a small phone's.
LATE_ADVICE = """
async () => {
  const { Coach } = await import("/static/table/coach.js");
  const coach = new Coach({ mine: [0], myTurn: true }, 1);
  coach.element.firstChild.remove(); // its face is as large as its style sheet says
  coach.element.style.cssText = "display: block; width: 17rem; height: 210px; overflow: hidden";
  document.body.append(coach.element);
  const seats = [{ name: "Anne", bot: null }];
  const view = { phase: "move", seat: 0, bust_chance: null, dice: [1, 2, 3, 4], turn: 1 };
  const reason = "Such a reason is long. ".repeat(12);
  coach.say({ stage: "playing", seats, log: [], view }, "7 + 10", reason);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return coach.element.scrollHeight - coach.element.clientHeight;
}
"""


def test_an_advice_that_comes_late_is_fitted_to_its_box(player: Player) -> None:
    assert player.go("/rules").page.evaluate(LATE_ADVICE) <= 1
