"""The guide's numbers, from what the tools have measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cantstop.odds import Situation, usable_rolls

RESEARCH = Path(__file__).parents[1]
ROLLS = 1296
PERFECT = 6.71531
"""Turns of the solved game: ``cantstop solve --device cuda``, docs/solved.md."""
HINTS = {
    "stop": (69.6, 69.3),
    "roll": (47.3, 51.1),
    "last": (1.6, 28.0),
}
"""Win chances of stopping and of rolling on the guide's boards, by ``cantstop hint``; a test asks
the engine."""


def read(tool: str) -> dict[str, Any]:
    """What a tool has kept."""
    found: dict[str, Any] = json.loads((RESEARCH / tool / "results.json").read_text("utf-8"))
    return found


def figures() -> dict[str, str]:
    """Every figure by its name in the guide's sentences."""
    found = {"perfect": f"{PERFECT:.2f}"}
    for part in (rule_figures(), best_play_figures(), opening_figures(), odds_figures()):
        found |= part
    return found


def rule_figures() -> dict[str, str]:
    """Of the card's rule."""
    kept = read("simple_rule")
    measured, card = kept["measured"], kept["card"]
    alone = {name: found["turns"] for name, found in measured["alone"].items()}
    wins = {name: found["wins"] for name, found in measured["against"].items()}
    own = next(found for found in card if found["rule"] == CARD)["glenn-linear"][0]
    return {
        "rules": f"{RULES}",
        "alone_simple": f"{alone['simple']:.2f}",
        "alone_28": f"{alone['rule-of-28']:.2f}",
        "lost_alone": f"{alone['simple'] - PERFECT:.2f}",
        "lost_glenn": f"{alone['glenn-linear'] - PERFECT:.2f}",
        "lost_28": f"{alone['rule-of-28'] - PERFECT:.2f}",
        "against_28": f"{wins['rule-of-28']:.1f}",
        "against_glenn": f"{wins['glenn-linear']:.1f}",
        "glenn_28": f"{measured['rule-of-28 against glenn-linear']['wins']:.1f}",
        "counting": f"{kept['counting']['glenn-linear'][0] - own:.1f}",
        "long": f"{kept['long']['glenn-linear'][0] - own:.1f}",
        **{
            name.replace("-", "_"): f"{measured['variants'][name]['wins']:.1f}"
            for name in ("longer", "early", "no-rest", "leapfrog")
        },
        "three": f"{measured['players']['3']['wins']:.1f}",
        "four": f"{measured['players']['4']['wins']:.1f}",
    }


CARD = [3, 2, 2, 3, 3, 99, 3, 1, 4, 999]
"""The card's rule among those of its form."""
RULES = 134_400
"""How many there are of that form; a test counts them."""


def best_play_figures() -> dict[str, str]:
    """Of best play, and of what loses against it."""
    kept = read("two_players")

    def advice(name: str, figure: str) -> float:
        found: float = kept[f"advice: {name}"][figure]
        return found

    courage = {tuple(found["group"]): found["bust"] for found in kept["courage"]["by_need"]}
    return {
        "champion_simple": f"{advice(SIMPLE, 'wins'):.1f}",
        "champion_28": f"{advice('Rule of 28', 'wins'):.1f}",
        "stops_only": f"{advice('the card, its stops only', 'wins'):.0f}",
        "moves_only": f"{advice('the card, its moves only', 'wins'):.0f}",
        "bust_best": f"{kept['courage']['bust']:.0f}",
        "bust_28": f"{advice('Rule of 28', 'busts'):.0f}",
        "cost_tops": f"{advice('stop at every top', 'lost_a_game'):.1f}",
        "cost_three": f"{advice('stop with three runners out', 'lost_a_game'):.1f}",
        "cost_likely": f"{advice('likeliest columns', 'lost_a_game'):.1f}",
        "cost_alone": f"{advice('do not look at the other', 'lost_a_game'):.1f}",
        **{f"bust_{you}{they}": f"{bust:.0f}" for (you, they), bust in courage.items()},
        **{
            f"{name}_{what}": f"{chance:.1f}"
            for name, both in HINTS.items()
            for what, chance in zip(("stop", "roll"), both, strict=True)
        },
    }


SIMPLE = "the guide's card (simple)"
OPENINGS = 10


def opening_figures() -> dict[str, str]:
    """The best first moves, the worst one, and the first seat."""
    kept = read("two_players")
    wins, turns = (kept["openings"][players]["values"] for players in ("2", "1"))
    order = sorted(wins, key=lambda move: -wins[move])
    found = {
        "worst": _mirrored(order[-1]),
        "worst_wins": f"{100 * wins[order[-1]]:.1f}",
        "first_seat": f"{kept['seats']['v1,players=2']['seats'][0]:.1f}",
    }
    for at, move in enumerate(order[:OPENINGS]):
        found[f"opening_{at}"] = _mirrored(move)
        found[f"opening_{at}_wins"] = f"{100 * wins[move]:.1f}"
        found[f"opening_{at}_turns"] = f"{1 - turns[move]:.2f}"
    for players in "234":
        bust = kept["openings"][players]["first_turn"]["bust"]
        found[f"first_{players}"] = f"{100 * bust:.0f}"
    return found


def _mirrored(move: str) -> str:
    """A move with its mirror image: ``2+2, 12+12``."""
    low, high = (14 - int(column) for column in move.split("+"))
    other = f"{min(low, high)}+{max(low, high)}"
    return move if other == move else f"{move}, {other}"


def odds_figures() -> dict[str, str]:
    """How often a roll is of use."""
    found = {}
    for runners in ((6, 7, 8), (4, 6, 8), (2, 3, 12)):
        share = usable_rolls(Situation.on(*runners)) / ROLLS
        found[f"odds_{''.join(map(str, runners))}"] = f"{100 * share:.0f}"
    return found
