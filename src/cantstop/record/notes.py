"""What people write into a record about its events: comments and signs."""

from dataclasses import dataclass

from cantstop.rules import InvalidText

SIGNS = ("!!", "!", "!?", "?!", "?", "??")
"""From brilliant to a blunder, as chess players write them."""


@dataclass(frozen=True)
class Comment:
    """A line of text after event ``n``; 0 is before the first one.

    >>> Comment(2, "7+7 was better")
    Comment(n=2, text='7+7 was better')
    """

    n: int
    text: str

    def __post_init__(self) -> None:
        if (
            not isinstance(self.text, str)
            or self.text != self.text.strip()
            or "\n" in self.text
            or "\r" in self.text
        ):
            raise InvalidText(
                "{text} is not a comment: it takes one line without spaces around it.",
                text=repr(self.text),
            )


@dataclass(frozen=True)
class Annotation:
    """A sign after event ``n``: ``!!``, ``!``, ``!?``, ``?!``, ``?`` or ``??``.

    >>> Annotation(2, "?!")
    Annotation(n=2, sign='?!')
    """

    n: int
    sign: str

    def __post_init__(self) -> None:
        if self.sign not in SIGNS:
            raise InvalidText(
                "{sign} is not a sign of annotation; there are: {signs}.",
                sign=repr(self.sign),
                signs=" ".join(SIGNS),
            )
