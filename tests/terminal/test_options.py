"""The rules that a person asks for."""

from typing import Any

import pytest

from cantstop.rules import EDITIONS, InvalidRules, InvalidText, Rules, Sharing, Start
from cantstop.terminal.options import RulesOptions, Variant, variant_named


@pytest.mark.parametrize(
    ("name", "number", "variant"),
    [
        ("longer", "V1", Variant.LONGER),
        ("early", "V2", Variant.EARLY),
        ("no-rest", "V3", Variant.NO_REST),
        ("leapfrog", "V4", Variant.LEAPFROG),
    ],
)
def test_variants_have_names_and_ids(name: str, number: str, variant: Any) -> None:
    assert variant_named(name) is variant_named(number) is variant_named(number.lower()) is variant


def test_an_unknown_variant_is_an_error_that_lists_them() -> None:
    with pytest.raises(InvalidText, match="there are: longer, early, no-rest, leapfrog"):
        variant_named("V6")


def wanted(*variants: Any, **rest: Any) -> RulesOptions:
    return RulesOptions(variants=frozenset(map(variant_named, variants)), **rest)


def test_nothing_asked_for_gives_the_usual_rules() -> None:
    assert RulesOptions().rules(3) == Rules(players=3)


def test_a_custom_game_combines_variants_that_no_edition_has_together() -> None:
    rules = wanted("early", "leapfrog", columns_to_win=5).rules(2)
    assert rules == Rules(2, 5, early=True, sharing=Sharing.LEAPFROG)


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_edition_brings_its_start(edition: str) -> None:
    assert wanted(edition=edition).rules(2).start is EDITIONS[edition].start


def test_V5_no_rest_and_leapfrog_exclude_each_other() -> None:
    with pytest.raises(InvalidRules, match=r"V3 .* V4 .* exclude each other"):
        wanted("no-rest", "leapfrog")


@pytest.mark.parametrize(("players", "win"), [(2, 5), (3, 4)])
def test_V1_is_as_long_as_the_edition_says(players: int, win: int) -> None:
    assert wanted("V1", edition="ravensburger").rules(players).columns_to_win == win


def test_V1_needs_a_number_where_there_is_a_choice() -> None:
    assert wanted("V1", edition="asmodee", columns_to_win=5).rules(2).columns_to_win == 5
    for edition in (None, "asmodee"):
        with pytest.raises(InvalidRules, match="--win"):
            wanted("V1", edition=edition).rules(2)


@pytest.mark.parametrize("edition", ["classic", "ravensburger"])
def test_V1_is_refused_where_the_edition_has_none(edition: str) -> None:
    with pytest.raises(InvalidRules, match="no longer game"):
        wanted("V1", edition=edition).rules(4)


def test_rules_as_text_say_everything() -> None:
    rules = RulesOptions(text="win=4,early,start=youngest")
    assert rules.players is None
    assert rules.rules(3) == Rules(3, 4, early=True, start=Start.YOUNGEST)
    assert RulesOptions(text="players=4").players == 4


@pytest.mark.parametrize(
    "rest", [{"edition": "classic"}, {"columns_to_win": 3}, {"variants": frozenset(Variant)}]
)
def test_rules_as_text_go_with_nothing_else(rest: dict[str, Any]) -> None:
    with pytest.raises(InvalidText, match="--rules says it all"):
        RulesOptions(text="win=4", **rest)
