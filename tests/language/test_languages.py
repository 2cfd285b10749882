"""Which language a person gets."""

from typing import Any

import pytest

from cantstop.language import LANGUAGES, pick_language
from cantstop.rules import InvalidText


def test_there_are_five_languages_with_their_own_names() -> None:
    assert list(LANGUAGES) == ["en", "fr", "nl", "it", "de"]
    assert LANGUAGES["de"] == "Deutsch"


@pytest.mark.parametrize("option", ["fr", "FR", "fr_CH.UTF-8", "fr-CA", " fr "])
def test_the_option_wins_over_the_environment(option: str) -> None:
    assert pick_language(option, {"LANGUAGE": "de", "LANG": "nl_NL.UTF-8"}) == "fr"


def test_an_unknown_option_is_an_error_that_names_the_choices() -> None:
    with pytest.raises(InvalidText, match=r"“tlh”.*en, fr, nl, it, de"):
        pick_language("tlh", {"LANG": "fr_FR.UTF-8"})


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "it_IT.UTF-8"}, "it"),
        ({"LC_MESSAGES": "nl_BE", "LANG": "it_IT.UTF-8"}, "nl"),
        ({"LC_ALL": "de_AT", "LC_MESSAGES": "nl_BE", "LANG": "it_IT.UTF-8"}, "de"),
        ({"LANGUAGE": "es:fr:de", "LC_ALL": "it_IT"}, "fr"),
        ({"LANGUAGE": "", "LC_ALL": "", "LANG": "fr"}, "fr"),
        ({"LANGUAGE": "es", "LANG": "fr"}, "en"),
        ({"LC_ALL": "C", "LANG": "fr_FR"}, "en"),
        ({"LANG": "POSIX"}, "en"),
    ],
)
def test_the_first_variable_that_is_set_decides_and_english_is_left(
    environment: dict[str, Any], language: str
) -> None:
    assert pick_language(None, environment) == language
