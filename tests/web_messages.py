"""What the browser client and the library say in a language, for tests: from their catalogues."""

from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

CATALOGUES = Path(__file__).parents[1] / "src/cantstop/language/catalogues"


@cache
def catalogue(language: str, domain: str = "web") -> Catalog:
    """The messages in that language, by the English ones: the client's, or the library's."""
    with (CATALOGUES / language / f"LC_MESSAGES/{domain}.po").open("rb") as text:
        return read_po(text, locale=language)


def translated(language: str, english: str, domain: str = "web") -> str:
    """One message in that language."""
    message = catalogue(language, domain).get(english)
    assert message is not None, english
    return str(message.string)
