"""Every result is one line in a shell, and rows of plain values for whatever reads tables."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from typing import Any

import pytest

import cantstop
from cantstop import Game, Position, Record, arena, drills, engine, odds, play_game, verify
from cantstop.arena import Results
from cantstop.review import Review, played_like, review

LONGEST = 300
"""Characters that a repr may have: three lines of a terminal."""


@cache
def record() -> Record:
    return play_game(["careful", "bold"], "win=1", dice=7)


@cache
def reviewed() -> Review:
    return review(record())


@cache
def results() -> Results:
    return arena.compete(["careful", "bold"], "win=1", games=10, seed=1)


POSITION = Position.parse("v1,players=2 7:4/6:9,8:3 1 6:2,7:6,8:3 -")


def drill() -> drills.Drill:
    return drills.package_drills()[0]


def progress() -> drills.Progress:
    found = drills.Progress()
    for one in drills.package_drills()[:500]:
        found = found.after(one, is_right=True)
    return found


WITH_ROWS: dict[str, tuple[Callable[[], Any], Callable[[], int]]] = {
    "Record": (record, lambda: len(record().events)),
    "Verification": (lambda: verify(record()), lambda: 1),
    "Review": (reviewed, lambda: len(reviewed().decisions)),
    "SeatReview": (lambda: reviewed().seats[0], lambda: len(reviewed().seats[0].decisions)),
    "Decision": (lambda: reviewed().decisions[0], lambda: len(reviewed().decisions[0].options)),
    "Hint": (POSITION.hint, lambda: 2),
    "Analysis": (lambda: cantstop.analyse(POSITION), lambda: 2),
    "Results": (results, lambda: 2),
    "MatchResult": (lambda: results().matches[0], lambda: 2),
    "Drill": (drill, lambda: len(drill().worths)),
    "Progress": (progress, lambda: 1),
}
"""Every result with rows, and how many it has."""

OTHERS: dict[str, Callable[[], Any]] = {
    "Game": lambda: record().game(),
    "Position": lambda: record().game().position,
    "Rules": lambda: record().rules,
    "LegalMoves": lambda: Game().roll("2345"),
    "Outcome": lambda: record().outcome,
    "Chance": lambda: POSITION.chances[0],
    "Option": lambda: reviewed().decisions[0].options[0],
    "RollLuck": lambda: reviewed().rolls[0],
    "Moment": lambda: reviewed().moments[-1],
    "PlayedLike": lambda: played_like(cantstop.Rules(), 1.0, 50),
    "RollWorth": lambda: (cantstop.analyse(POSITION).rolls or ())[0],
    "EstimateError": lambda: POSITION.hint().error,
    "Turn": lambda: engine.solve_turn(POSITION, engine.best_evaluator(POSITION.rules)),
    "Outlook": lambda: engine.solve_turn(POSITION, engine.best_evaluator(POSITION.rules)).outlook(
        POSITION
    ),
    "RaceModel": engine.race_model,
    "SoloModel": engine.solo_model,
    "ValueModel": engine.value_model,
    "Plan": lambda: results().plan,
    "Standing": lambda: results().matches[0].standings[0],
    "DrillOption": lambda: drill().best,
    "Rating": lambda: progress().rating,
    "Facts": lambda: drills.facts_of(drill()),
    "Situation": lambda: odds.Situation.of(POSITION),
}


@pytest.mark.parametrize("name", [*WITH_ROWS, *OTHERS])
def test_a_result_is_short_in_a_shell(name: str) -> None:
    make = WITH_ROWS[name][0] if name in WITH_ROWS else OTHERS[name]
    shown = repr(make())
    assert name in shown
    assert len(shown) <= LONGEST, shown
    assert "\n" not in shown


def test_no_public_type_of_results_is_forgotten() -> None:
    inputs = {"Thresholds", "RulebookAdvice", "Anchors"}
    files = {"DrillProgress"}
    public = {
        name
        for package in (arena, drills, engine, odds, import_module("cantstop.review"))
        for name in package.__all__
        if is_dataclass(getattr(package, name)) and isinstance(getattr(package, name), type)
    }
    assert public - inputs - files <= {*WITH_ROWS, *OTHERS}


@pytest.mark.parametrize("name", WITH_ROWS)
def test_rows_are_flat_and_alike_and_survive_csv_and_json(name: str) -> None:
    make, count = WITH_ROWS[name]
    rows = make().rows()
    assert len(rows) == count() > 0
    assert len({tuple(row) for row in rows}) == 1
    values = [value for row in rows for value in row.values()]
    assert all(type(value) in (str, int, float, bool, type(None)) for value in values)
    assert json.loads(json.dumps(rows)) == rows
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    assert len(list(csv.DictReader(io.StringIO(file.getvalue())))) == len(rows)


def test_the_roll_map_has_a_row_for_each_distinct_roll() -> None:
    rows = cantstop.analyse(POSITION).roll_rows()
    assert len(rows) == 126  # combinations of four dice, with repetition: C(9, 4)
    assert sum(int(row["ways"] or 0) for row in rows) == 6**4
    assert cantstop.analyse(POSITION.roll("2345")).roll_rows() == []
