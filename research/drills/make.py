"""Plays games until there are drills enough of every kind of game, and writes the file.

What is found is kept in a folder, a file of lines for each kind of game; a second run goes on
where the first one was stopped. The same seed gives the same drills.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from cantstop.drills.drill import Drill, answers_in, topic_of
from cantstop.drills.file import FILE, VERSION, write_drills
from cantstop.rules import Choice, Position, Rules

from .games import (
    LEAST_MARGIN,
    LEAST_SOLO_MARGIN,
    TIMES_THE_ERROR,
    Candidate,
    candidates,
)
from .people import CLASSIC, LEVELS, PEOPLE, classic_answers, fit, right_answers

SEED = 17

PLAN = {
    "players=2": 2600,
    "players=1": 700,
    "players=3": 500,
    "players=4": 500,
    "players=2,win=5": 250,
    "players=3,win=4": 150,
    "players=2,early": 250,
    "players=3,early": 100,
    "players=2,sharing=no-rest": 300,
    "players=4,sharing=no-rest": 100,
    "players=2,sharing=leapfrog": 300,
    "players=4,sharing=leapfrog": 100,
    "players=2,early,sharing=no-rest": 150,
}
"""How many drills of each game."""

OBVIOUS, OBVIOUS_KEPT = 0.95, 0.1
"""What more people than this get right is kept in one case of ten: everybody needs easy ones."""

OTHERS = 500_000
"""People from this number on are asked for the measurement only."""

PACKAGE = Path(__file__).parents[2] / "src" / "cantstop" / "drills" / FILE


def make(folder: Path, seed: int, target: Path) -> dict[str, Any]:
    """Find drills, fit their difficulties, write the file; returns what it says of itself."""
    folder.mkdir(parents=True, exist_ok=True)
    found: list[dict[str, Any]] = []
    for text, count in PLAN.items():
        found += _find(folder, Rules.parse(text), count, seed)
    right = np.array([one["right"] for one in found], float)
    ability, hard = fit(right)
    drills = [_drill(one, round(float(at))) for one, at in zip(found, hard, strict=True)]
    notes = {
        "seed": seed,
        "margin": LEAST_MARGIN,
        "solo_margin": LEAST_SOLO_MARGIN,
        "times_the_error": TIMES_THE_ERROR,
        "abilities": {
            level.name: round(float(at)) for level, at in zip(LEVELS, ability, strict=True)
        },
    }
    size = write_drills(target, drills, notes)
    return {"drills": len(drills), "bytes": size, "version": VERSION, **notes}


def answers(folder: Path) -> list[dict[str, Any]]:
    """Everything that was found, with everybody's answers."""
    return [
        one
        for text, count in PLAN.items()
        for one in _kept(_file(folder, Rules.parse(text)))[:count]
    ]


def _file(folder: Path, rules: Rules) -> Path:
    return folder / f"{rules}.jsonl".replace(",", "_")


def _kept(path: Path) -> list[dict[str, Any]]:
    """What an earlier run has found; a last line that was cut off is left out."""
    lines = path.read_text("utf-8").split("\n")[:-1] if path.exists() else []
    return [json.loads(line) for line in lines]


def _find(folder: Path, rules: Rules, count: int, seed: int) -> list[dict[str, Any]]:
    path = _file(folder, rules)
    kept = _kept(path)
    game = kept[-1]["game"] if kept else 0
    kept = [one for one in kept if one["game"] < game]  # the last game may not be whole
    path.write_text("".join(json.dumps(one) + "\n" for one in kept), "utf-8")
    known = {one["position"] for one in kept}
    with path.open("a", encoding="utf-8") as lines:
        while len(kept) < count:
            for one in _asked(rules, game, seed):
                if one["position"] not in known:
                    known.add(one["position"])
                    kept.append(one)
                    lines.write(json.dumps(one) + "\n")
            lines.flush()
            game += 1
            print(f"{rules}: {len(kept)} of {count}, {game} games", flush=True)
    return kept[:count]


def _asked(rules: Rules, game: int, seed: int) -> Iterator[dict[str, Any]]:
    """The candidates of a game that are not obvious, with everybody's answers."""
    chance = random.Random(f"kept {seed} {rules} {game}")
    for one in candidates(rules, game, seed):
        moves = moves_so_far(one.position)
        right = right_answers(one, moves, 0)
        if sum(right) > OBVIOUS * PEOPLE * len(LEVELS) and chance.random() > OBVIOUS_KEPT:
            continue
        yield {
            "game": game,
            "position": str(one.position),
            "worths": one.worths,
            "thens": [then.value for then in one.thens],
            "right": right,
            "others": right_answers(one, moves, OTHERS),
            "classic": dict(zip(CLASSIC, classic_answers(one, moves), strict=True)),
        }


def moves_so_far(position: Position) -> int:
    """The fewest moves that the turn can have had: a position does not know, some bots ask."""
    tokens = position.tokens.spaces[position.seat]
    steps = sum(space - tokens[column] for column, space in enumerate(position.runners) if space)
    return -(-steps // 2)


def _drill(found: dict[str, Any], difficulty: int) -> Drill:
    position = Position.parse(found["position"])
    assert len(answers_in(position)) == len(found["worths"])
    return Drill(
        found["position"],
        topic_of(position),
        difficulty,
        tuple(found["worths"]),
        tuple(map(Choice, found["thens"])),
    )


__all__ = ["OTHERS", "PACKAGE", "SEED", "Candidate", "answers", "make"]
