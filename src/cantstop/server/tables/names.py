"""Names of players: what can be shown and seen, and which names can be taken for each other."""

import re
import unicodedata
from collections.abc import Iterable

from cantstop.server.errors import BadName

LONGEST_NAME = 24
MOST_MARKS = 3
"""Accents on one letter: no language needs more."""

_EMOJI_STYLES = dict.fromkeys((0xFE0E, 0xFE0F))
"""The selectors that say whether an emoji is coloured: left out."""

_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U0001d159\U000e0100-\U000e01ef]"
)
"""Letters, marks and symbols that show nothing; controls, bidi controls among them, and formats
are not printable in the first place."""

_SHAPES = {
    "a": "\u0430\u03b1\u0251",
    "c": "\u0441",
    "d": "\u0501",
    "e": "\u0435",
    "g": "\u0261",
    "h": "\u04bb",
    "i": "\u0456\u03b9\u0131",
    "j": "\u0458\u0237",
    "k": "\u03ba",
    "l": "I1|!\u0406\u0399\u04cf",
    "o": "0\u043e\u03bf",
    "p": "\u0440\u03c1",
    "q": "\u051b",
    "s": "\u0455",
    "u": "\u03c5",
    "v": "\u03bd",
    "w": "\u051d",
    "x": "\u0445",
    "y": "\u0443",
    "A": "\u0410\u0391",
    "B": "\u0412\u0392",
    "C": "\u0421",
    "E": "\u0415\u0395",
    "H": "\u041d\u0397",
    "J": "\u0408",
    "K": "\u041a\u039a",
    "M": "\u041c\u039c",
    "N": "\u039d",
    "O": "\u041e\u039f",
    "P": "\u0420\u03a1",
    "S": "\u0405",
    "T": "\u0422\u03a4",
    "X": "\u0425\u03a7",
    "Y": "\u0423\u03a5",
    "Z": "\u0396",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2212",
    "'": "\u2018\u2019\u02bc`\u00b4",
}
"""The most common letters and signs, of Cyrillic and Greek above all, that look like others."""

_TO_SHAPE = {ord(letter): shape for shape, letters in _SHAPES.items() for letter in letters}


def clean_name(text: str) -> str:
    """The name with its spaces collapsed; one that cannot be shown, or seen, is refused.

    >>> clean_name("  Anne   Marie ")
    'Anne Marie'
    """
    shown = unicodedata.normalize("NFC", text).translate(_EMOJI_STYLES)
    name = " ".join(shown.split())
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable() or not _is_visible(name):
        raise BadName("A name has 1 to {most} printable characters.", most=LONGEST_NAME)
    return name


def _is_visible(name: str) -> bool:
    """Whether every character can be seen, and no letter disappears under its accents."""
    kinds = [unicodedata.category(letter)[0] for letter in name]
    return (
        any(kind in "LNPS" for kind in kinds)
        and kinds[0] != "M"
        and "M" * (MOST_MARKS + 1) not in "".join(kinds)
        and not _INVISIBLE.search(name)
    )


def distinct_name(text: str, others: Iterable[str]) -> str:
    """A name for a player at a table where others sit, as ``clean_name`` has it.

    A second Bob is called “Bob 2”; a name that only looks like another one is refused.

    >>> distinct_name("Bob", ["Anne", "Bob"])
    'Bob 2'
    """
    name, taken = clean_name(text), list(others)
    shapes = {name_shape(other) for other in taken}
    if name in taken:
        numbered = (f"{name[: LONGEST_NAME - 2].rstrip()} {number}" for number in range(2, 10))
        name = next(other for other in numbered if name_shape(other) not in shapes)
    if name_shape(name) in shapes:
        raise BadName("Somebody at this table has a name that looks like “{name}”.", name=name)
    return name


def name_shape(name: str) -> str:
    """What a name looks like: names of one shape can be taken for each other.

    >>> name_shape("Anne") == name_shape("\u0410nn\u0435")  # two of the letters are Cyrillic
    True
    >>> name_shape("Anne") == name_shape("Anna")
    False
    """
    plain = unicodedata.normalize("NFKC", name).translate(_TO_SHAPE).casefold()
    return "".join(plain.split()).replace("rn", "m").replace("vv", "w")
