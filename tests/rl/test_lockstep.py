"""Every environment does what the rules do; ``tools/lockstep_rl.py`` plays far more of it."""

import subprocess
import sys

from cantstop.rules import Rules, Sharing
from lockstep_rl import SHARED, SOLO, compare

STEPS = 300


def test_rules_and_environments_agree_after_every_step() -> None:
    assert len(compare(STEPS, seed=2026)) == 7


def test_every_variant_and_number_of_players_takes_part() -> None:
    found = [Rules.parse(text) for text in (*SOLO, *SHARED)]
    assert {rules.players for rules in found} == {1, 2, 3, 4}
    assert {rules.sharing for rules in found} == set(Sharing)
    assert {rules.early for rules in found} == {True, False}
    assert {rules.columns_to_win for rules in found} >= {3, 4, 5}


MISSING = """
import sys
sys.modules.update(dict.fromkeys(["pettingzoo", "pyspiel"]))
import cantstop.rl
for name, library in (("cantstop_v0", 0), ("load_game", 0), ("SoloEnv", "gymnasium")):
    if library:
        sys.modules[library] = None
    try:
        getattr(cantstop.rl, name)
    except ImportError as error:
        print(error)
"""


def test_a_missing_library_is_named_with_the_command() -> None:
    # in a process of its own: what is loaded here stays loaded
    done = subprocess.run(
        [sys.executable, "-c", MISSING], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        f'To use {library}, first run: pip install "cantstop-game[{extra}]"'
        for library, extra in (
            ("PettingZoo", "rl"),
            ("OpenSpiel", "openspiel"),
            ("Gymnasium", "rl"),
        )
    ]
