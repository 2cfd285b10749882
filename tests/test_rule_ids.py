"""Every rule that the documentation states has a test that is named after it."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parent
RULES_PAGE = TESTS.parent / "docs" / "rules.md"

RULE_IDS = re.findall(r"^- \*\*([A-Z]\d+)\*\*", RULES_PAGE.read_text("utf-8"), re.MULTILINE)


def names_of_tests() -> list[str]:
    """The test functions of all files, whether or not this run selected them."""
    return [
        node.name
        for path in sorted(TESTS.rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


def test_the_page_states_all_rules_and_examples_once_each() -> None:
    groups = {"M": 4, "T": 10, "W": 5, "V": 5, "E": 9}
    due = [f"{group}{number}" for group, most in groups.items() for number in range(1, most + 1)]
    assert due == RULE_IDS


def test_every_rule_has_a_test_named_after_it() -> None:
    heads = [re.match(r"test_((?:[A-Z]\d+_)+)", name) for name in names_of_tests()]
    proved = {rule for head in heads if head for rule in head[1].rstrip("_").split("_")}
    assert set(RULE_IDS) - proved == set()
