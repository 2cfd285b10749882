"""The golden playthroughs: regenerated and compared, read as records, held against the oracle."""

import re
from collections.abc import Iterator
from difflib import unified_diff
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import golden
import oracle
from cantstop import EDITIONS, Rules, read_record, record_text, verify
from playthroughs import PLAYTHROUGHS

FILES = sorted((Path(__file__).parent / "golden").glob("*.cantstop"))
TEXTS = {path.stem: path.read_text("utf-8") for path in FILES}
every_file = pytest.mark.parametrize("name", TEXTS)

ANSWERS = re.compile(
    r"# (?P<position>v1\S* \S+ \S+ \S+ \S+)\n"
    r"# phase=(?P<phase>\w+) moves=(?P<moves>\S+) may_stop=(?P<stop>yes|no) outcome=(?P<outcome>.+)"
)


def words(text: str) -> list[str]:
    """A record's turns without headers and comments."""
    turns = [line.partition("#")[0] for line in text.splitlines() if line[:1] != "["]
    return "\n".join(turns).replace("=", " =").split()


def test_every_playthrough_that_is_listed_has_its_file_and_no_other() -> None:
    assert set(TEXTS) == {playthrough.name for playthrough in PLAYTHROUGHS}


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=lambda playthrough: playthrough.name)
def test_playing_it_again_gives_the_same_file(playthrough: Any) -> None:
    stored = TEXTS[playthrough.name].splitlines()
    fresh = golden.playthrough_text(playthrough).splitlines()
    changes = "\n".join(unified_diff(stored, fresh, "stored", "played again", n=3, lineterm=""))
    assert not changes, f"run “make golden” if this is meant:\n{changes}"


@every_file
def test_the_file_is_a_record_that_verifies(name: str) -> None:
    record = read_record(TEXTS[name])
    assert record.cut is None
    verification = verify(record)
    assert verification.dice_checked
    assert verification.outcome is not None


@every_file
def test_the_record_round_trips_and_says_the_same_words(name: str) -> None:
    record = read_record(TEXTS[name])
    text = record_text(record)
    assert read_record(text) == record
    assert record_text(read_record(text)) == text
    assert words(text) == words(TEXTS[name])


@every_file
def test_the_oracle_gives_the_same_answers_after_every_event(name: str) -> None:
    text = TEXTS[name]
    answers = list(ANSWERS.finditer(text))
    table = oracle.read(answers[0]["position"])
    for before, after in pairwise(answers):
        play(table, words(text[before.end() : after.start()])[-1])
        assert oracle.write(table) == after["position"]
        options = oracle.options(table, tuple(table.dice)) if table.dice else {}
        assert set(after["moves"].split(",")) == (set(options) or {"-"})
        assert after["stop"] == ("yes" if oracle.may_stop(table) else "no")
        assert after["phase"] == phase(table, options)
        assert after["outcome"].partition(" (")[0] == oracle.result(table).replace("*", "-")
    assert words(text)[-2:] == oracle.result(table).split()[-2:]


def play(table: oracle.Table, word: str) -> None:
    """Let one event happen as a record has it."""
    if word == "stop":
        oracle.stop(table)
    elif word == "=bust":
        oracle.end_turn(table)
    elif word.startswith("="):
        oracle.move(table, word.removeprefix("="))
    else:
        dice = word.rpartition(":")[2]
        oracle.roll(table, tuple(map(int, dice.split("-") if "-" in dice else dice)))


def phase(table: oracle.Table, options: dict[str, dict[int, int]]) -> str:
    if oracle.result(table) != "*":
        return "over"
    if table.dice:
        return "move" if options else "bust"
    if table.contest:
        return "start"
    return "choice" if table.runners else "roll"


def test_each_edition_is_played_by_its_own_rules() -> None:
    played = {read_record(text).edition for text in TEXTS.values()}
    assert played == {*EDITIONS, None}
    for record in map(read_record, TEXTS.values()):
        if record.edition is not None:
            rules = record.rules
            edition = EDITIONS[record.edition]
            assert rules == edition.rules(
                rules.players, rules.columns_to_win, rules.early, rules.sharing
            )


def test_all_numbers_of_players_and_all_combinations_of_variants_are_played() -> None:
    rules = [read_record(text).rules for text in TEXTS.values()]
    assert {each.players for each in rules} == {1, 2, 3, 4}
    combinations = {(each.early, each.sharing.value) for each in rules}
    sharings = ("free", "no-rest", "leapfrog")
    assert combinations == {(early, sharing) for early in (False, True) for sharing in sharings}
    assert {each.board.sides for each in rules} == {3, 4, 6, 12}
    assert {each.board.runners for each in rules} == {2, 3, 4}
    assert any(each.columns_to_win > Rules().columns_to_win for each in rules)


EXERCISED = {
    "a bust": r"=bust$",
    "a stop that V3 forbids": r"# phase=choice moves=- may_stop=no",
    "a tie in the roll-off": r"start 1:.*\n(?:.*\n)+?start \d:",
    "a bust in the first roll of a turn": r"^\d+\. \(\d\) \d+\n.*\n.*\n  =bust$",
    "a win by columns": r"outcome=won \d \(columns\)",
    "a win by most columns (W5)": r"outcome=won \d \(none-open\)",
    "a shared tie (W5)": r"outcome=shared \d \d( \d)? \(none-open\)",
    "dice with two digits": r"\d-1\d-",
    "the pick of T5": r"moves=(?:\S+,)?\d+,\d+\b(?!\+)",
    "two steps (T6)": r"=(\d+)\+\1$",
}


@pytest.mark.parametrize("pattern", EXERCISED.values(), ids=EXERCISED)
def test_the_playthroughs_together_exercise(pattern: Any) -> None:
    assert any(re.search(pattern, text, re.MULTILINE) for text in TEXTS.values())


def moves_made() -> Iterator[tuple[Any, Any]]:
    """Every move with the table before and after it."""
    for text in TEXTS.values():
        answers = list(ANSWERS.finditer(text))
        for before, after in pairwise(answers):
            if before["phase"] == "move":
                yield oracle.read(before["position"]), oracle.read(after["position"])


def test_the_playthroughs_leap_over_tokens() -> None:
    leaps = 0
    for before, after in moves_made():
        for column, space in after.runners.items():
            own = before.tokens[before.seat].get(column, 0)
            leaps += space - before.runners.get(column, own) > 2
    assert leaps > 0


def test_the_playthroughs_refuse_moves_that_bring_too_few_runners() -> None:
    restricted = 0
    for before, _ in moves_made():
        if before.settings.pop("early", None):
            strict = set(oracle.options(oracle.read(oracle.write(before)), tuple(before.dice)))
            restricted += strict != set(oracle.options(before, tuple(before.dice)))
    assert restricted > 0
