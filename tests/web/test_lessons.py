"""Lessons played by a person who does not listen: every sentence is true of the position beside it.

What is true is worked out from the rules, not from the guide's own reasons. A sentence that this
file does not know fails the test too.
"""

import re
from collections.abc import Callable
from itertools import combinations_with_replacement
from typing import Any

import pytest
from playwright.sync_api import expect

from browser_player import Player
from cantstop.rules import Phase, Position, parse_position, splits

LEARNER, BOT = 0, 1

# Plays to the end with moves and stops drawn from a seed, careful in one turn and greedy in the
# next, and never asks what the guide points at.
UNRULY = """
async ({ seed, greeds }) => {
  let turn = -1;
  const next = () => { seed = (seed * 48271) % 2147483647; return seed / 2147483647; };
  const table = () => document.querySelector(".table");
  const changed = () => new Promise((done) => {
    const watch = new MutationObserver(() => { watch.disconnect(); done(); });
    watch.observe(document.querySelector("#app"), { subtree: true, attributes: true, childList: true });
  });
  for (;;) {
    const now = table()?.dataset;
    if (now?.stage === "over") return;
    if (now?.live !== "true") { await changed(); continue; }
    if (now.phase === "roll") turn += 1;
    const moves = [...document.querySelectorAll("button.move")];
    const stop = document.querySelector(".stop[aria-disabled=false]");
    if (now.phase === "move") moves[Math.floor(next() * moves.length)].click();
    else if (now.phase === "choice" && stop && next() > greeds[turn % greeds.length]) stop.click();
    else document.querySelector(".roll").click();
    if (table()?.dataset.live === "true") await changed();
  }
}
"""  # noqa: E501

# Notes every sentence of the guide together with the number of the event that the table shows then.
LISTEN = """
() => {
  window.said = [];
  const note = () => {
    const text = document.querySelector(".coach p")?.textContent;
    const { n, stage } = document.querySelector(".table")?.dataset ?? {};
    const last = window.said.at(-1);
    if (text && (last?.text !== text || last?.n !== n)) window.said.push({ n, stage, text });
  };
  new MutationObserver(note).observe(document.querySelector("#app"),
    { subtree: true, attributes: true, childList: true, characterData: true });
  note();
}
"""


def columns_in(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def tokens(position: Position, seat: int) -> dict[int, int]:
    spaces = position.tokens.spaces[seat]
    return {column: spaces[column] for column in position.rules.board.columns if spaces[column]}


def runners(position: Position) -> dict[int, int]:
    placed = position.runners
    return {column: placed[column] for column in position.rules.board.columns if placed[column]}


def passed(position: Position) -> bool:
    """Whether a runner stands above a token of the bot that was above the learner's own."""
    mine, others = tokens(position, LEARNER), tokens(position, BOT)
    return any(
        mine.get(column, 0) < others.get(column, 0) < space
        for column, space in runners(position).items()
    )


def jumped_in(position: Position) -> set[int]:
    """The columns in which a move goes further than its steps."""
    found = set()
    before = {**tokens(position, LEARNER), **runners(position)}
    for move in position.legal_moves:
        after = runners(position.move(move))
        for column in set(move):
            if after[column] - before.get(column, 0) > list(move).count(column):
                found.add(column)
    return found


def left_out(position: Position) -> set[tuple[int, ...]]:
    """The splits that are playable without the early rule, and not with it."""
    assert position.dice is not None
    rules = str(position.rules)
    free = parse_position(str(position).replace(rules, rules.replace(",early", "")))
    offered = {column for move in position.legal_moves for column in move}
    return {
        split
        for split in splits(position.dice)
        if any(set(move) <= set(split) for move in free.legal_moves) and not set(split) & offered
    }


def named_splits(text: str) -> set[tuple[int, ...]]:
    return {(int(a), int(b)) for a, b in re.findall(r"(\d+)\+(\d+)", text)}


def singles(position: Position) -> set[int]:
    return {move[0] for move in position.legal_moves if len(move) == 1}


def choice_of_two(position: Position) -> bool:
    assert position.dice is not None
    alone = singles(position)
    return len(runners(position)) == 2 and any(
        low != high and {low, high} <= alone for low, high in splits(position.dice)
    )


def a_sum_is_lost(position: Position) -> bool:
    assert position.dice is not None
    alone = singles(position)
    return any(
        len(alone & {low, high}) == 1 and not any(set(move) == {low, high} for move in moves)
        for low, high in splits(position.dice)
        for moves in [[move for move in position.legal_moves if len(move) == 2]]
    )


Truth = Callable[[Position, str, Any], bool]
"""From a position, the sentence, and what happened before."""


def in_phase(position: Position, phase: Phase) -> bool:
    """The learner's turn, in that phase."""
    return position.seat == LEARNER and position.phase is phase


def can_bust(position: Position) -> bool:
    """Whether any roll is of no use, by trying all of them."""
    rolls = combinations_with_replacement(range(1, 7), 4)
    return any(position.roll(dice).phase is Phase.BUST for dice in rolls)


def won_by(position: Position, seat: int) -> bool:
    return position.outcome is not None and position.outcome.winners == (seat,)


def near_top(position: Position, column: int) -> bool:
    return runners(position).get(column) == position.rules.board.top(column) - 1


def thrown(position: Position) -> tuple[tuple[int, int], ...]:
    """The splits of the dice on the table."""
    assert position.dice is not None
    return splits(position.dice)


TRUTHS: dict[str, Truth] = {
    # of every lesson
    r"You win! .+": lambda p, _, __: won_by(p, LEARNER),
    r"The bot was faster\. .+": lambda p, _, __: won_by(p, BOT),
    r"Bust! No pair of these dice can move a runner: what you climbed is lost\."
    r"( Your tokens stay\.)?": lambda p, s, _: (
        in_phase(p, Phase.BUST)
        and bool(runners(p))
        and s.endswith("stay.") is bool(tokens(p, LEARNER))
    ),
    r"Bust! The bot can use no pair of these dice, and loses what it climbed this turn\.": (
        lambda p, _, __: p.seat == BOT and p.phase is Phase.BUST and bool(runners(p))
    ),
    r"A runner stands on the top! It has won nothing yet: stop now, and the column is yours\.": (
        lambda p, _, __: (
            in_phase(p, Phase.CHOICE)
            and p.may_stop
            and any(space == p.rules.board.top(column) for column, space in runners(p).items())
        )
    ),
    r"Your turn: roll\.": lambda p, _, __: in_phase(p, Phase.ROLL),
    r"Pick a move\.": lambda p, _, __: in_phase(p, Phase.MOVE),
    r"Stop to keep what you climbed, or roll again and risk it: your choice\.": (
        lambda p, _, __: in_phase(p, Phase.CHOICE) and p.may_stop and can_bust(p)
    ),
    r"Stop to keep what you climbed, or roll again: this roll cannot bust\.": (
        lambda p, _, __: in_phase(p, Phase.CHOICE) and p.may_stop and not can_bust(p)
    ),
    r"Chick rolls…": lambda p, _, __: p.seat == BOT and p.phase is Phase.ROLL,
    r"Chick picks a move…": lambda p, _, __: p.seat == BOT and p.phase is Phase.MOVE,
    r"Chick: stop or roll again\?": lambda p, _, __: p.seat == BOT and p.phase is Phase.CHOICE,
    r"One column wins this lesson\. Roll the dice\.": (
        lambda p, _, __: in_phase(p, Phase.ROLL) and p.rules.columns_to_win == 1
    ),
    r"Stop here for now\.": lambda p, _, __: in_phase(p, Phase.CHOICE) and p.may_stop,
    # basics
    r"Eleven columns, from 2 to 12\. Climb to the top .+ Roll the dice!": (
        lambda p, _, turns: in_phase(p, Phase.ROLL) and not turns and p.rules.columns_to_win == 1
    ),
    r"That was a bust: .+ so the climb was lost\.( Your tokens stayed\.)? Try again: roll!": (
        lambda p, s, turns: (
            in_phase(p, Phase.ROLL)
            and turns[-1] == "busted"
            and ("stayed" in s) is bool(tokens(p, LEARNER))
        )
    ),
    r"Your turn again\. New runners start just above your tokens\. Roll!": (
        lambda p, _, turns: (
            in_phase(p, Phase.ROLL) and turns[-1] == "stopped" and bool(tokens(p, LEARNER))
        )
    ),
    r"Your runners became tokens: those are yours for good\. Now the bot plays; .+": (
        lambda p, _, turns: (
            p.seat == BOT and turns[-1] == "stopped" and bool(tokens(p, LEARNER))
        )
    ),
    r"Four dice make two pairs\. Each button is one way to pair them, .+": (
        lambda p, _, __: (
            in_phase(p, Phase.MOVE) and set(map(tuple, p.legal_moves)) == set(thrown(p))
        )
    ),
    r"These dice can be paired in one way only\. Play it\.": (
        lambda p, _, __: (
            in_phase(p, Phase.MOVE) and len(thrown(p)) == 1 and len(p.legal_moves) == 1
        )
    ),
    r"Two new columns, but only one runner is left: you choose which of them to play\.": (
        lambda p, _, __: in_phase(p, Phase.MOVE) and choice_of_two(p)
    ),
    r"A sum that is struck out moves no runner\. Pick a move\.": (
        lambda p, _, __: in_phase(p, Phase.MOVE) and a_sum_is_lost(p)
    ),
    r"Two equal sums are two steps in one column\. Pick a move\.": (
        lambda p, _, __: (
            in_phase(p, Phase.MOVE) and any(len(m) == 2 and m[0] == m[1] for m in p.legal_moves)
        )
    ),
    r"New numbers bring out new runners, three at most\. Pick a move\.": (
        lambda p, _, __: in_phase(p, Phase.MOVE) and len(runners(p)) < 3
    ),
    r"Your runners climb for this turn only: nothing is safe until you stop\. Roll again; .+": (
        lambda p, _, __: in_phase(p, Phase.CHOICE) and bool(runners(p)) and can_bust(p)
    ),
    r"Good\. Now stop: your runners become tokens, and nothing can take them away\.": (
        lambda p, _, __: in_phase(p, Phase.CHOICE) and p.may_stop
    ),
    r"You could stop\. But let us be greedy this once, and see what happens: roll again\.": (
        lambda p, _, __: in_phase(p, Phase.CHOICE) and p.may_stop and can_bust(p)
    ),
    r"You could stop\. But this roll cannot bust, so it is free: roll again\.": (
        lambda p, _, __: in_phase(p, Phase.CHOICE) and p.may_stop and not can_bust(p)
    ),
    r"Your runners climb for this turn only: .* But this roll cannot bust: roll again\.": (
        lambda p, _, __: in_phase(p, Phase.CHOICE) and not can_bust(p)
    ),
    r"One more step in column (\d+) and you are at its top\. Will you roll again\?": (
        lambda p, s, _: in_phase(p, Phase.CHOICE) and near_top(p, columns_in(s)[0])
    ),
    # no rest
    r"Now the bot plays\. Watch where its tokens end up: that matters here\.": (
        lambda p, _, __: p.seat == BOT
    ),
    r"The bot’s tokens stand in .+\. Pass them, but do not stop on their spaces\. Roll!": (
        lambda p, s, _: in_phase(p, Phase.ROLL) and columns_in(s) == sorted(tokens(p, BOT))
    ),
    r"In .+ you share a space with a bot’s token\. With no rest you cannot stop there: .+": (
        lambda p, s, _: (
            in_phase(p, Phase.CHOICE)
            and not p.may_stop
            and columns_in(s)
            == sorted(c for c, space in runners(p).items() if tokens(p, BOT).get(c) == space)
        )
    ),
    r"None of your runners shares a space with the bot: you may stop\.": (
        lambda p, _, __: (
            in_phase(p, Phase.CHOICE)
            and p.may_stop
            and not any(tokens(p, BOT).get(c) == space for c, space in runners(p).items())
        )
    ),
    # leapfrog
    r"Now the bot plays\. Its tokens will be your stepping stones\.": (
        lambda p, _, __: p.seat == BOT
    ),
    r"The bot’s tokens stand in .+: your runners jump over them\. Roll!": (
        lambda p, s, _: in_phase(p, Phase.ROLL) and columns_in(s) == sorted(tokens(p, BOT))
    ),
    r"In .+ your runner jumps over a bot’s token\. Pick a move\.": (
        lambda p, s, _: in_phase(p, Phase.MOVE) and set(columns_in(s)) == jumped_in(p)
    ),
    r"Leapfrog makes the game fast: every token in your way is a space gained\. .+": (
        lambda p, _, __: in_phase(p, Phase.CHOICE) and p.may_stop and passed(p)
    ),
    # early
    r"The bot has to bring its runners out early, too\.": lambda p, _, __: (
        p.seat == BOT and p.rules.early
    ),
    r"The dice also make .+, but that would bring out fewer new runners: it is not allowed\.": (
        lambda p, s, _: in_phase(p, Phase.MOVE) and named_splits(s) == left_out(p) != set()
    ),
    r"The third runner has to come out if it can: .+ would leave it out, and is not allowed\.": (
        lambda p, s, _: (
            in_phase(p, Phase.MOVE)
            and len(runners(p)) == 2
            and named_splits(s) == left_out(p)
            and all(set(split) <= set(runners(p)) for split in left_out(p))
        )
    ),
    r"All runners are out, and now the risk is real\. Stop, or play on as you like\.": (
        lambda p, _, __: in_phase(p, Phase.CHOICE) and len(runners(p)) == 3 and p.may_stop
    ),
    r"A runner is still to come out\. Roll again\.": (
        lambda p, _, __: in_phase(p, Phase.CHOICE) and len(runners(p)) < 3
    ),
}  # fmt: skip


def what_is_wrong(said: Any, events: Any) -> list[str]:
    """The sentences that are not known, or not true of the position beside them."""
    found = []
    for each in said:
        n, text = int(each["n"]), each["text"]
        position = parse_position(events[n - 1]["view"]["position"])
        turns = [e["kind"] for e in events[:n] if e["seat"] == LEARNER and e["kind"] in TURN_ENDS]
        truth = next((truth for form, truth in TRUTHS.items() if re.fullmatch(form, text)), None)
        if truth is None or not truth(position, text, turns):
            found.append(f"{text!r} beside {position}")
    return found


TURN_ENDS = ("stopped", "busted")


@pytest.mark.parametrize("lesson", ["basics", "early", "no-rest", "leapfrog"])
def test_whatever_the_learner_does_every_sentence_is_true_and_the_lesson_ends(
    sit: Callable[..., Player], lesson: str
) -> None:
    player = sit()
    player.go("/learn").find(f"[data-lesson={lesson}]").click()
    player.sees(stage="playing", live=True)
    expect(player.find(".coach p")).not_to_be_empty()
    player.page.evaluate(LISTEN)
    player.page.evaluate(UNRULY, {"seed": 4, "greeds": [0.35, 0.8]})
    player.sees(stage="over")
    ended = re.compile("You win!|The bot was faster")
    expect(player.find(".coach p")).to_contain_text(ended)
    said = player.page.evaluate("window.said")
    events = player.page.request.get(f"/api/tables/{player.table_id}/events").json()["events"]
    assert what_is_wrong(said, events) == []
    watching = [each for each in said if each["text"].startswith("Now the bot plays")]
    assert len({events[int(each["n"]) - 1]["view"]["turn"] for each in watching}) <= 1
    assert len({each["text"] for each in said}) > 8
    player.go("/learn")
    expect(player.find(f"[data-lesson={lesson}] .lesson-state.done")).to_have_count(1)
