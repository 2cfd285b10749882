"""The kernel does what the rules do, step by step; `tools/lockstep.py` plays ten times as much."""

from cantstop.rules import Sharing, Start
from lockstep import BOARDS, all_rules, compare

TURNS = 20_000


def test_rules_and_kernel_agree_after_every_step_and_so_do_the_bots() -> None:
    assert compare(TURNS, seed=2026) > 500


def test_every_combination_of_variants_players_starts_and_boards_takes_part() -> None:
    found = {
        (rules.players, rules.early, rules.sharing, rules.start, rules.board)
        for rules in all_rules()
    }
    assert len(found) == 4 * 2 * len(Sharing) * len(Start) * len(BOARDS)
