"""The engine's files as a browser loads them: the module, and the numbers of each evaluator.

A game needs one evaluator, so each has a file of its own: the length of a header in 4 bytes, the
header as JSON, then the numbers. The header has ``use`` and ``sizes`` (the module's function that
takes the numbers, and its other arguments) and ``errors`` (see ``ErrorTable.parse``; in whole
wins, and under ``any`` where it is the same for every game).
"""

import json
from dataclasses import asdict
from importlib.resources import files
from itertools import product

from cantstop.engine.evaluators import best_evaluator, race_model, solo_model, value_model
from cantstop.engine.evaluators.errors import ALL, ErrorTable
from cantstop.engine.evaluators.solo import ERROR
from cantstop.engine.evaluators.value.packed import FAMILIES, Family
from cantstop.engine.module import NAME, NOTE, Numbers
from cantstop.rules import Rules, Sharing
from cantstop.rules.settings import MOST_PLAYERS

MODULE = NAME
ANY_GAME = "race"
"""The evaluator that knows every game."""
_SOLO = "solo"

_Errors = dict[str, dict[str, dict[str, float]]]
"""``rms`` and ``within_99`` by rules and stage."""


def module_bytes() -> bytes:
    """The module itself."""
    return (files("cantstop.engine") / MODULE).read_bytes()


def bot_records() -> dict[str, dict[str, list[int]]]:
    """The simple bots as the module takes them, by name: fields of its record that are not 0."""
    note = json.loads((files("cantstop.engine") / NOTE).read_bytes())
    found: dict[str, dict[str, list[int]]] = note["bots"]
    return found


def evaluator_files() -> dict[str, bytes]:
    """The files of all evaluators, by name."""
    model, race, solo = value_model(), race_model(), solo_model()
    found = {
        family.name: _file(model.numbers(family.rule_sets[0]), _errors(model.errors, family))
        for family in FAMILIES
    }
    found[ANY_GAME] = _file(race.numbers(Rules()), _errors(race.errors))
    found[_SOLO] = _file(solo.numbers(Rules(players=1)), {"any": {ALL: asdict(ERROR)}})
    return found


def best_evaluators() -> dict[str, str]:
    """The evaluator of every game, by its rules, that is not left to the one for any game."""
    found = {}
    families = {(family.players, family.sharing): family.name for family in FAMILIES}
    for players, win, early, sharing in product(
        range(1, MOST_PLAYERS + 1), range(1, 12), (False, True), Sharing
    ):
        rules = Rules(players, win, early, sharing)
        best = best_evaluator(rules)
        if best is not race_model():
            found[str(rules)] = _SOLO if best is solo_model() else families[players, sharing]
    return found


def _file(numbers: Numbers, errors: _Errors) -> bytes:
    described = {"use": numbers.export, "sizes": numbers.sizes, "errors": errors}
    header = json.dumps(described, separators=(",", ":")).encode()
    return len(header).to_bytes(4, "little") + header + numbers.data


def _errors(table: ErrorTable, family: Family | None = None) -> _Errors:
    """What a table says of a family's games, or of all."""
    return {
        str(rules): {str(stage): asdict(error) for stage, error in stages.items()}
        for rules, stages in table.figures.items()
        if family in (None, Family(rules.players, rules.sharing))
    }
