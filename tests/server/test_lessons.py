"""Tutorial tables: the dice show what docs/protocol.md says, whatever the learner chooses."""

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cantstop import read_record
from cantstop.rules import Phase, Position, parse_dice
from cantstop.server.tables.dice import LESSONS
from cantstop.table.events import Lesson
from table_client import Refusal, at_table

PROTOCOL = Path(__file__).parents[2] / "docs" / "protocol.md"


def open_lesson(server: TestClient, lesson: Any) -> Any:
    answer = server.post("/api/tables", json={"lesson": lesson, "name": "Anne"})
    assert answer.status_code == 201
    return answer.json()


def take(player: Any, *steps: Any) -> None:
    """Roll and move as a guide says, or stop."""
    for step in steps:
        if step == "stop":
            player.act("stop", 0)
        else:
            player.act("roll", 0)
            if step != "bust":
                assert step in [move["move"] for move in player.view["moves"]]
                player.act("move", 0, move=step)


def wait_for_turn(player: Any, turn: Any) -> None:
    while player.view["turn"] != turn:
        player.hear()


def test_the_basics_from_the_first_roll_to_the_win(server: TestClient) -> None:
    opened = open_lesson(server, "basics")
    state = opened["state"]
    assert (state["dice"], state["commitment"], state["lesson"]) == ("prepared", None, "basics")
    assert (state["stage"], opened["seats"], state["mode"]) == ("playing", [0], "hotseat")
    with at_table(server, opened["id"], opened["secret"]) as player:
        take(player, "6+8", "7+7", "6+8", "stop")
        assert player.view["tokens"][0][4:7] == [2, 2, 2]
        wait_for_turn(player, 3)
        assert player.view["tokens"][1][4:7] == [1, 2, 1]
        take(player, "2+3", "12", "bust")
        assert "busted" in player.kinds
        wait_for_turn(player, 5)
        take(player, "12+12", "3+12")
        assert player.view["may_stop"]
        player.act("stop", 0)
        assert player.events[-1]["data"] == {"winners": [0], "secret": None}
        with pytest.raises(Refusal, match="A lesson has no rematch"):
            player.act("rematch", 0)
    record = read_record(server.get(f"/api/tables/{opened['id']}/record").text)
    assert record.dice is None


def test_no_choice_of_the_first_turn_can_bust_and_none_of_the_third_can_help_it() -> None:
    script = LESSONS[Lesson.BASICS]

    def outcomes(position: Position, rolls: Any) -> Any:
        """Every phase that a turn with these rolls can end in."""
        if not rolls:
            return {position.phase}
        rolled = position.roll(parse_dice(rolls[0]))
        if rolled.phase is Phase.BUST:
            return {Phase.BUST}
        return set().union(*(outcomes(rolled.move(move), rolls[1:]) for move in rolled.legal_moves))

    start = Position.initial(script.rules)
    assert outcomes(start, script.turns[0].split()) == {Phase.CHOICE}
    assert outcomes(start, script.turns[2].split()) == {Phase.BUST}


def test_no_rest_forbids_to_stop_until_the_runners_are_clear(server: TestClient) -> None:
    opened = open_lesson(server, "no-rest")
    with at_table(server, opened["id"], opened["secret"]) as player:
        take(player, "2+3", "stop")
        wait_for_turn(player, 3)
        take(player, "6+7")
        assert (player.view["stop_reason"], player.view["shared"]) == ("shared", [6, 7])
        with pytest.raises(Refusal, match="illegal"):
            player.act("stop", 0)
        take(player, "6+7", "stop")


def test_leapfrog_jumps_over_the_bots_tokens(server: TestClient) -> None:
    opened = open_lesson(server, "leapfrog")
    with at_table(server, opened["id"], opened["secret"]) as player:
        take(player, "2+3", "stop")
        wait_for_turn(player, 3)
        take(player, "6+7")
        assert player.view["runners"][4:6] == [2, 2]


def test_early_leaves_out_the_moves_that_bring_fewer_runners(server: TestClient) -> None:
    opened = open_lesson(server, "early")
    with at_table(server, opened["id"], opened["secret"]) as player:
        player.act("roll", 0)
        assert [move["move"] for move in player.view["moves"]] == ["5+9", "6+8"]
        player.act("move", 0, move="6+8")
        player.act("roll", 0)
        assert sorted(move["move"] for move in player.view["moves"]) == ["5", "7+7", "9"]


def test_a_learner_who_strays_goes_on_with_dice_of_chance(server: TestClient) -> None:
    opened = open_lesson(server, "early")
    with at_table(server, opened["id"], opened["secret"]) as player:
        while player.view["turn"] < 5:
            if player.view["seat"] == 0:
                player.play_on(moves=3)
            else:
                player.hear()


@pytest.mark.parametrize("lesson", Lesson)
def test_the_protocol_prints_the_dice_of_every_lesson(lesson: Any) -> None:
    row = re.compile(r"^\|(.*?)\| (\d), (\w+) \| ([\d, -]+) \|", re.MULTILINE)
    printed: dict[str, list[str]] = {}
    name = ""
    for heading, turn, who, dice in row.findall(PROTOCOL.read_text("utf-8")):
        name = heading.strip("` |").split("`")[0] or name
        printed.setdefault(name, []).append(dice.replace("-", "").replace(",", ""))
        assert (int(turn), who) == (len(printed[name]), ("bot", "player")[int(turn) % 2])
    assert tuple(printed[lesson]) == LESSONS[lesson].turns
