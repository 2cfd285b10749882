"""The catalogues are complete: every message of the sources, translated, with its fields."""

import gettext
import string
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

import catalogues
from cantstop.language import LANGUAGES
from cantstop.language.translator import Translator

ROOT = Path(__file__).parents[2]
TRANSLATED = [language for language in LANGUAGES if language != "en"]


@cache
def catalogue(language: str) -> Any:
    path = ROOT / "src/cantstop/language/catalogues" / language / "LC_MESSAGES/cantstop.po"
    with path.open("rb") as text:
        return read_po(text, locale=language)


def texts(value: Any) -> Any:
    return list(value) if isinstance(value, tuple | list) else [value]


def ids(messages: Any) -> set[Any]:
    return {tuple(texts(message.id)) for message in messages if message.id}


def fields(text: str) -> list[Any]:
    return sorted({name for _, name, _, _ in string.Formatter().parse(text) if name is not None})


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_of_the_sources_is_there_and_no_other(language: str) -> None:
    assert ids(catalogue(language)) == ids(catalogues.template("cantstop"))
    assert not catalogue(language).obsolete


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_is_translated_and_none_is_a_guess(language: str) -> None:
    messages = [message for message in catalogue(language) if message.id]
    assert [message.id for message in messages if not all(texts(message.string))] == []
    assert [message.id for message in messages if message.fuzzy] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_have_the_fields_of_their_source(language: str) -> None:
    for message in catalogue(language):
        if not message.id:
            continue
        for translation in texts(message.string):
            # a singular may say “one” where the plural gives the number
            allowed = [fields(text) for text in texts(message.id)]
            assert fields(translation) in allowed, message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_keep_the_spaces_around_a_question(language: str) -> None:
    for message in catalogue(language):
        for source, translation in zip(texts(message.id), texts(message.string), strict=True):
            if source:
                assert source[-1].isspace() == translation[-1].isspace(), source
                assert not translation[0].isspace(), source


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalogue_is_that_of_today(language: str) -> None:
    path = ROOT / "src/cantstop/language/catalogues" / language / "LC_MESSAGES/cantstop.mo"
    with path.open("rb") as compiled:
        found = {tuple(texts(m.id)): texts(m.string) for m in read_mo(compiled) if m.id}
    due = {tuple(texts(m.id)): texts(m.string) for m in catalogue(language) if m.id}
    assert found == due, "run tools/compile_catalogues.py"


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("domain", catalogues.DOMAINS)
def test_bringing_a_catalogue_up_to_date_again_changes_nothing(domain: str, language: str) -> None:
    path = ROOT / f"src/cantstop/language/catalogues/{language}/LC_MESSAGES/{domain}.po"
    assert catalogues.updated(domain, language) == path.read_text("utf-8")


@pytest.mark.parametrize(
    ("domain", "language", "typed", "due"),
    [
        ("cantstop", "fr", "« {text} » : oui ; non ! 5 %", "«¬{text}¬»¬: oui¬; non¬! 5¬%"),
        ("web", "fr", "« {text} » : oui ; non ! Qui ?", "«¬{text}¬»¬: oui⍽; non⍽! Qui⍽?"),
        ("web", "de", "Gleich … {percent} % : fertig", "Gleich¬… {percent}¬% : fertig"),
        ("web", "it", "Ecco … 5 %", "Ecco … 5 %"),
    ],
)
def test_spaces_where_no_line_may_break_are_set_by_the_tool(
    domain: str, language: str, typed: str, due: str
) -> None:
    spaces = str.maketrans({"¬": "\N{NO-BREAK SPACE}", "⍽": "\N{NARROW NO-BREAK SPACE}"})
    assert catalogues.typeset(typed, domain, language) == due.translate(spaces)


def test_the_languages_are_those_of_the_package() -> None:
    assert sorted(catalogues.LANGUAGES) == sorted(TRANSLATED)
    assert isinstance(Translator("fr").catalogue, gettext.GNUTranslations)


def test_messages_are_found_in_every_way_to_write_one() -> None:
    found = ids(catalogues.template("cantstop"))
    assert ("roll",) in found  # marked where it is kept
    assert ("Line {line}: {problem}",) in found  # in the __init__ of an error
    assert ("salt",) in found  # a phrase in an error's field
    assert ("{name} starts.",) in found  # said
    assert ("column {columns} won", "columns {columns} won") in found  # counted
    assert ("{path} already exists; continue it with --resume.",) in found  # a grandchild of errors
