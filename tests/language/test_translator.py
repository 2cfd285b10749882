"""Saying messages in one language."""

from fractions import Fraction

import pytest

from cantstop.language import LANGUAGES, Translator
from cantstop.record import RecordError
from cantstop.rules import IllegalAction, InvalidText, Phrase

FRENCH = Translator("fr")


def test_a_message_is_translated_and_its_fields_filled_in() -> None:
    assert FRENCH.say("{name} starts.", name="Zoé") == "Zoé commence."


def test_a_message_that_no_catalogue_has_is_said_in_english() -> None:
    assert FRENCH.say("Not in any {place}.", place="catalogue") == "Not in any catalogue."


def test_braces_stay_where_there_are_no_fields() -> None:
    assert Translator().say("{ready}") == "{ready}"


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ["columns 6 won", "column 6 won", "columns 6 won"]),
        ("fr", ["colonne 6 gagnée", "colonne 6 gagnée", "colonnes 6 gagnées"]),
        ("de", ["Spalten 6 gewonnen", "Spalte 6 gewonnen", "Spalten 6 gewonnen"]),
    ],
)
def test_counts_follow_the_plural_rules_of_the_language(language: str, texts: list[str]) -> None:
    translator = Translator(language)
    said = [
        translator.say_count("column {columns} won", "columns {columns} won", count, columns=6)
        for count in (0, 1, 2)
    ]
    assert said == texts


@pytest.mark.parametrize(
    ("language", "all_three", "any_of_three"),
    [
        ("en", "6, 7 and 8", "6, 7 or 8"),
        ("fr", "6, 7 et 8", "6, 7 ou 8"),
        ("nl", "6, 7 en 8", "6, 7 of 8"),
        ("it", "6, 7 e 8", "6, 7 o 8"),
        ("de", "6, 7 und 8", "6, 7 oder 8"),
    ],
)
def test_lists_are_joined_in_the_way_of_the_language(
    language: str, all_three: str, any_of_three: str
) -> None:
    translator = Translator(language)
    assert translator.join([6, 7, 8]) == all_three
    assert translator.either([6, 7, 8]) == any_of_three


def test_short_lists_need_no_comma() -> None:
    assert Translator().join([6, 8]) == "6 and 8"
    assert Translator().join([6]) == "6"
    assert Translator().join([]) == ""


def test_braces_in_a_list_are_only_text() -> None:
    assert Translator().join(["{a}", "{b}"]) == "{a} and {b}"


def test_chances_have_the_decimal_sign_of_the_language() -> None:
    chance = Fraction(104, 1296)
    assert Translator().percent(chance) == "8.0%"
    assert FRENCH.percent(chance) == "8,0\N{NO-BREAK SPACE}%"
    assert Translator("it").percent(Fraction(1, 3)) == "33,3%"
    assert Translator().percent(Fraction(1)) == "100.0%"


def test_an_error_is_translated_with_the_errors_and_phrases_in_it() -> None:
    error = RecordError(
        7, InvalidText("“{text}” cannot be a {kind}: it takes 1 to 64 letters, digits, “-” or “_”.",
                       text="é", kind=Phrase("salt"))
    )  # fmt: skip
    said = Translator("de").error(error)
    assert said.startswith("Zeile 7: „é“ taugt nicht als Salz:")


def test_an_error_without_fields_is_translated() -> None:
    assert Translator("nl").error(IllegalAction("The game is over.")) == "Het spel is afgelopen."


@pytest.mark.parametrize("language", LANGUAGES)
def test_english_errors_read_the_same_with_and_without_a_translator(language: str) -> None:
    error = IllegalAction("{move} is not a legal move here; these are: {moves}.", move=1, moves=2)
    said = Translator(language).error(error)
    assert (said == str(error)) is (language == "en")
