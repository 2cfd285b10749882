"""Bots by name."""

from itertools import product

import pytest

from cantstop.bots import BOTS, bot_named
from cantstop.language import LANGUAGES, Translator
from cantstop.rules import InvalidText


@pytest.mark.parametrize("text", ["random", "random:0", "careful", "careful:3", "bold", "bold:12"])
def test_a_bots_name_makes_the_same_bot_again(text: str) -> None:
    assert bot_named(text).name == text
    assert bot_named(bot_named(text).name).name == text


@pytest.mark.parametrize("text", ["Careful", " careful ", "CAREFUL"])
def test_capitals_and_spaces_do_not_matter(text: str) -> None:
    assert bot_named(text).name == "careful"


@pytest.mark.parametrize("text", ["", "deep", ":3"])
def test_an_unknown_name_is_an_error_that_lists_the_bots(text: str) -> None:
    with pytest.raises(InvalidText, match="there are: chick, magpie, tortoise"):
        bot_named(text)


@pytest.mark.parametrize(
    "text",
    ["careful:", "careful:0", "careful:x", "careful:-1", "careful:100", "careful:²", "careful:1:2"],
)
def test_a_bad_number_is_an_error_that_says_what_is_possible(text: str) -> None:
    with pytest.raises(InvalidText, match=r"“careful:” comes a whole number from 1 to 99"):
        bot_named(text)


def test_every_bot_explains_itself_in_every_language() -> None:
    for language, (name, entry) in product(LANGUAGES, BOTS.items()):
        about = Translator(language).say(entry.about)
        assert (f"{name}:" in about) is (entry.most is not None), (name, language)
        assert (about == entry.about) is (language == "en"), (name, language)
