"""A hint in words: what it says of a bust, and what not."""

import re

import pytest

from cantstop.engine.text import hint_reasons
from cantstop.language import LANGUAGES, Translator
from cantstop.rules import Position


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bust_that_cannot_be_takes_nothing_back(language: str) -> None:
    words = Translator(language)
    taken = words.say("A bust would take back {steps}.", steps="|").partition("|")[0]
    safe = list(hint_reasons(words, Position.parse("v1,players=2 -/- 1 6:1 -").hint()))
    risky = list(hint_reasons(words, Position.parse("v1,players=2 -/- 1 2:1,3:1,12:1 -").hint()))
    assert not any(line.startswith(taken) for line in safe)
    assert any(line.startswith(taken) for line in risky)
    for lines in (safe, risky):  # both ends of the turn, which add up
        kept, bust = re.findall(r"(\d+)[.,](\d)", lines[-1])[-2:]
        assert sum(int(whole) + int(tenth) / 10 for whole, tenth in (kept, bust)) == pytest.approx(
            100, abs=0.11
        )
