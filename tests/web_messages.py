"""What the browser client says in a language, for tests: read from its catalogue."""

from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

CATALOGUES = Path(__file__).parents[1] / "src/cantstop/language/catalogues"


@cache
def catalogue(language: str) -> Catalog:
    """The client's messages in that language, by the English ones."""
    with (CATALOGUES / language / "LC_MESSAGES/web.po").open("rb") as text:
        return read_po(text, locale=language)


def translated(language: str, english: str) -> str:
    """One message in that language."""
    message = catalogue(language).get(english)
    assert message is not None, english
    return str(message.string)
