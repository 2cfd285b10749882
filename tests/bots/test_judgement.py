"""People as the ladder models them: they see what the champion sees, not quite as it is."""

from dataclasses import fields, replace
from functools import cache
from random import Random

import numpy as np
import pytest

from cantstop.arena.plan import seatings_of
from cantstop.arena.reference import ReferenceGames
from cantstop.bots import Bot, bot_named
from cantstop.bots.judgement import Judgement, JudgingBot, judgement_record
from cantstop.kernel.judgement import JUDGEMENT, mix, normal
from cantstop.rules import Board, Move, Phase, Position, Rules, Sharing

GAMES = [
    Rules(),
    Rules(1),
    Rules(3, 4, early=True, sharing=Sharing.NO_REST),
    Rules(4, sharing=Sharing.LEAPFROG),
    Rules(board=Board.stepped(sides=4, shortest=1)),
    Rules(board=Board((4, 4, 4, 4, 4), runners=2)),
]
SOMEBODY = Judgement(5, 0.2, 0.1, 0.5, 0.7, 0.1, 0.05, -0.05, 0.1)


def judging(judgement: Judgement) -> JudgingBot:
    return JudgingBot("somebody", judgement)


def test_the_record_has_a_field_for_every_number_of_a_judgement() -> None:
    assert JUDGEMENT.names == tuple(field.name for field in fields(Judgement))
    assert judgement_record(SOMEBODY)[0].item() == (5, 0.2, 0.1, 0.5, 0.7, 0.1, 0.05, -0.05, 0.1)


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_without_a_weakness_it_plays_as_the_champion_does(rules: Rules) -> None:
    def played(bot: Bot) -> bytes:
        bots = [bot, *(bot_named("careful") for _ in range(rules.players - 1))]
        seatings = seatings_of([str(seat) for seat in range(rules.players)])
        totals = ReferenceGames(rules, bots, seed=3).play(seatings, 0, 4)
        return totals.array.tobytes()

    assert played(judging(Judgement())) == played(bot_named("champion"))


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_with_weaknesses_it_plays_whole_games_by_every_rule(rules: Rules) -> None:
    bots = [judging(replace(SOMEBODY, person=seat)) for seat in range(rules.players)]
    seatings = seatings_of([str(seat) for seat in range(rules.players)])
    totals = ReferenceGames(rules, bots, seed=3).play(seatings, 0, 4)
    assert totals.array["games"] == 4
    assert totals.array["unfinished"] == 0


@cache
def positions() -> list[Position]:
    """Where there is something to decide in the first turns of a game, by random players."""
    found: list[Position] = []
    chance = Random(4)
    for players in (2, 3) * 8:
        position = Position.initial(Rules(players))
        while len(position.tokens.open_columns) == 11 and len(found) % 10 < 9:
            if position.phase is Phase.BUST:
                position = position.bust()
            elif position.phase is Phase.MOVE:
                if len(position.legal_moves) > 1:
                    found.append(position)
                position = position.move(chance.choice(position.legal_moves))
            elif position.may_stop:
                found.append(position)
                stop = chance.random() < 0.3
                position = position.stop() if stop else rolled(position, chance)
            else:
                position = rolled(position, chance)
        found.append(position)
    return [position for position in found if position.phase is Phase.MOVE or position.may_stop]


def rolled(position: Position, chance: Random) -> Position:
    return position.roll(tuple(chance.choices(range(1, 7), k=4)))


def decisions(bot: Bot) -> list[Move | bool]:
    return [
        bot.choose(position, 0) if position.phase is Phase.MOVE else bot.stop(position, 1)
        for position in positions()
    ]


def test_a_person_misjudges_the_same_position_in_the_same_way_and_another_one_in_another() -> None:
    first, second = Judgement(1, misjudgement=0.5), Judgement(2, misjudgement=0.5)
    assert decisions(judging(first)) == decisions(judging(first))
    assert decisions(judging(first)) != decisions(judging(second))
    assert decisions(judging(first)) != decisions(judging(Judgement()))


def stops(judgement: Judgement) -> int:
    return sum(decision is True for decision in decisions(judging(judgement)))


def test_the_bold_stop_less_often_and_the_timid_more_often() -> None:
    bold, level, timid = (stops(Judgement(boldness=lean)) for lean in (0.3, 0.0, -0.3))
    assert bold < level < timid


def test_habit_stops_where_the_climb_is_enough() -> None:
    little, much = (stops(Judgement(habit=5.0, enough=climb)) for climb in (0.5, 2.0))
    assert little > stops(Judgement()) > much


def test_who_likes_to_bank_stops_with_a_runner_on_a_top() -> None:
    topped = Position.parse("v1,players=2 6:9/- 1 6:11,7:1 -")
    lower = Position.parse("v1,players=2 6:8/- 1 6:10,7:1 -")
    banking = judging(Judgement(banking=5.0))
    assert [judging(Judgement()).stop(position, 2) for position in (topped, lower)] == [False] * 2
    assert [banking.stop(position, 2) for position in (topped, lower)] == [True, False]


@pytest.mark.parametrize(
    ("judgement", "position", "move"),
    [
        (Judgement(middle=9.0), "v1,players=2 -/- 1 - 1266", Move(7, 8)),
        (Judgement(middle=-9.0), "v1,players=2 -/- 1 - 1266", Move(3, 12)),
        (Judgement(fresh=9.0), "v1,players=2 -/- 1 5:1 1245", Move(3, 9)),
        (Judgement(fresh=-9.0), "v1,players=2 -/- 1 6:1 1245", Move(6, 6)),
        (Judgement(summit=9.0), "v1,players=2 7:10/- 1 - 1166", Move(7, 7)),
        (Judgement(summit=9.0), "v1,players=2 2:2,12:2/- 1 - 1166", Move(2, 12)),
    ],
)
def test_tastes_choose_the_move(judgement: Judgement, position: str, move: Move) -> None:
    parsed = Position.parse(position)
    assert move in parsed.legal_moves
    assert judging(judgement).choose(parsed, 1) == move


@pytest.mark.parametrize("person", range(20))
def test_nobody_overlooks_a_win(person: int) -> None:
    wild = judging(Judgement(person, 5.0, boldness=9.0, middle=5.0, fresh=5.0))
    last = Position.parse("v1,players=2 2:3,6:10,12:3/- 1 - 1566")
    assert wild.choose(last, 0) == Move(6)
    assert wild.stop(last.move(Move(6)), 1)


def test_nobody_rolls_where_no_roll_can_help() -> None:
    done = Position.parse("v1,players=2,win=5 2:2,6:10,12:2/- 1 2:3,6:11,12:3 -")
    assert judging(Judgement(boldness=9.0)).stop(done, 3)


def test_misjudgements_are_nearly_normal() -> None:
    key = np.uint64(7)
    drawn = [normal(np.uint64(mix(key, number))) for number in range(20_000)]
    assert np.mean(drawn) == pytest.approx(0.0, abs=0.03)
    assert np.std(drawn) == pytest.approx(1.0, abs=0.03)
    assert max(map(abs, drawn)) < 3.5
