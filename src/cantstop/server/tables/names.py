"""What people are called at a table: one short printable line, whatever was typed."""

import unicodedata

from cantstop.server.errors import BadName

LONGEST = 24


def clean_name(text: str) -> str:
    """The name with its spaces collapsed; one that cannot be shown is refused.

    >>> clean_name("  Anne   Marie ")
    'Anne Marie'
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not 1 <= len(name) <= LONGEST or not name.isprintable():
        raise BadName("A name has 1 to {most} printable characters.", most=LONGEST)
    return name
