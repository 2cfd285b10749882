"""What the guide says of the bot ``simple``: a million games of everything, by the arena."""

from __future__ import annotations

from typing import Any

from cantstop.arena import Plan, compete
from cantstop.arena.statistics import NINETY_FIVE
from cantstop.bots import BOTS
from cantstop.rules import Rules

GAMES = 1_000_000
SLOW = {"max-expected-progress": 100_000}
"""It goes through all rolls at every decision."""
CLASSIC = tuple(
    name for name, entry in BOTS.items() if entry.level is None and name not in ("simple", "expert")
)
VARIANTS = {
    "longer": "players=2,win=5",
    "early": "players=2,early",
    "no-rest": "players=2,sharing=no-rest",
    "leapfrog": "players=2,sharing=leapfrog",
}


def measure(seed: int) -> dict[str, Any]:
    """Turns alone, and percent of games won, with 95 % intervals."""
    return {
        "seed": seed,
        "alone": {name: alone(name, seed) for name in ("simple", *CLASSIC) if name != "random"},
        "against": {name: share(("simple", name), "players=2", seed) for name in CLASSIC},
        "rule-of-28 against glenn-linear": share(("rule-of-28", "glenn-linear"), "players=2", seed),
        "variants": {
            name: share(("simple", "rule-of-28"), rules, seed) for name, rules in VARIANTS.items()
        },
        "players": {
            str(players): share(
                ("simple", *["rule-of-28"] * (players - 1)), f"players={players}", seed
            )
            for players in (3, 4)
        },
    }


def alone(name: str, seed: int) -> dict[str, float]:
    """The turns that a bot needs alone: ``cantstop arena NAME --rules players=1``."""
    games = SLOW.get(name, GAMES)
    plan = Plan.of([name], rules=Rules(1), games=games, seed=seed)
    found = compete(plan).matches[0].turns_per_game
    assert found.error is not None
    return {"games": games, "turns": found.mean, "interval": NINETY_FIVE * found.error}


def share(names: tuple[str, ...], rules: str, seed: int) -> dict[str, float]:
    """What the first bot wins: ``cantstop arena NAME NAME --rules RULES``."""
    games = min(SLOW.get(name, GAMES) for name in names)
    plan = Plan.of(list(names), rules=Rules.parse(rules), games=games, seed=seed)
    found = compete(plan).matches[0].standings[0]
    low, high = found.interval
    return {"games": games, "wins": 100 * found.share, "interval": 50 * (high - low)}
