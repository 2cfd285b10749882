"""``--help`` in plain words: no names of Python types, and ranges as people write them."""

import re

import typer
from typer.core import TyperCommand

_TYPE = re.compile(r" <(?:list\[)?(?:str|int|float|path|Path|bool)\]?>")
_CHOICES = re.compile(r"<([^<>|]+(?:\|[^<>|]+)+)>")
_BOTH = re.compile(r"(-?[\d.]+)<=x<=(-?[\d.]+)")
_LEAST = re.compile(r"x>=(-?[\d.]+)")


def plain(text: str) -> str:
    """A line of help without jargon.

    >>> plain("[COLUMN]... <list[str]>"), plain("--dice <secure|sealed>")
    ('[COLUMN]...', '--dice secure|sealed')
    >>> plain("The port.  [0<=x<=65535]"), plain("Seconds.  [default: 0.8; x>=0]")
    ('The port.  [0 to 65535]', 'Seconds.  [default: 0.8; 0 or more]')
    """
    text = _CHOICES.sub(r"\1", _TYPE.sub("", text))
    return _LEAST.sub(r"\1 or more", _BOTH.sub(r"\1 to \2", text))


class PlainHelpCommand(TyperCommand):
    """A command whose help says nothing of types."""

    def format_options(self, ctx: typer.Context, formatter: object) -> None:  # type: ignore[override]
        """Write arguments and options, each line made plain."""
        plain_formatter = _PlainFormatter(formatter)
        super().format_options(ctx, plain_formatter)  # type: ignore[arg-type]


class _PlainFormatter:
    """Stands before a formatter of help and makes plain what it is given."""

    def __init__(self, formatter: object) -> None:
        self._formatter = formatter

    def __getattr__(self, name: str) -> object:
        return getattr(self._formatter, name)

    def write_dl(self, rows: list[tuple[str, str]], *args: int) -> None:
        """A list of options, each with its explanation."""
        written = [(plain(name), plain(about)) for name, about in rows]
        self._formatter.write_dl(written, *args)  # type: ignore[attr-defined]
