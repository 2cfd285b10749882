"""Reading and writing lines: a terminal, a pipe, or a screen that knows ASCII alone."""

import io
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TextIO

import typer

from cantstop.language import Translator

Read = Callable[[str], str]
Write = Callable[[str], None]

WIDEST = 80

_SIMPLE_TERMINALS = ("", "dumb", "unknown")


@dataclass(frozen=True)
class Talk:
    """How to talk with the people here: in which language, asking how, writing where."""

    words: Translator
    read: Read
    """Is given a question and returns the line that was typed."""
    write: Write
    """Shows lines just as they are: drawings, and commands to be copied."""
    width: int | None = None
    """How long the lines of sentences may get; None in a pipe, where nothing breaks them."""

    def tell(self, text: str) -> None:
        """Show sentences."""
        self.write(wrapped(text, self.width))


_ASCII = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "–": "-",
                        "—": "-", "…": "...", "\N{NO-BREAK SPACE}": " ",
                        "\N{NARROW NO-BREAK SPACE}": " ", "ß": "ss"})  # fmt: skip


def console(words: Translator, ascii: bool = False) -> Talk:  # noqa: A002
    """Talking over this process's standard streams."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # odd bytes are nonsense to answer, not a crash
    fit: Callable[[str], str] = ascii_text if ascii else str
    width = min(shutil.get_terminal_size().columns, WIDEST) if sys.stdout.isatty() else None

    def write(text: str) -> None:
        typer.echo(fit(text))

    def read(prompt: str) -> str:
        return _read(fit(prompt))

    return Talk(words, read, write, width)


def is_modern(environment: Mapping[str, str]) -> bool:
    """Whether the streams are a terminal that an app can draw on."""
    return (
        _is_terminal(sys.stdin)
        and _is_terminal(sys.stdout)
        and environment.get("TERM", "dumb") not in _SIMPLE_TERMINALS
        and (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    )


def _is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal; one that was closed before the start is not even there."""
    return stream is not None and stream.isatty()


def _read(prompt: str) -> str:
    if _is_terminal(sys.stdin):
        return input(prompt)
    typer.echo(prompt, nl=False)
    line = sys.stdin.readline() if sys.stdin is not None else ""
    if not line:
        raise EOFError
    typer.echo(line.rstrip("\n"))  # nobody typed it, so the transcript needs it
    return line


def wrapped(text: str, width: int | None) -> str:
    """Text with long lines broken between words, each with its own indentation."""
    if width is None:
        return text
    return "\n".join(_wrapped_line(line, width) for line in text.split("\n"))


def _wrapped_line(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.fill(
        line,
        width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def ascii_text(text: str) -> str:
    """The nearest text in ASCII: letters lose their accents, quotation marks their curls.

    >>> ascii_text("« Règles »…")
    '" Regles "...'
    """
    plain = unicodedata.normalize("NFKD", text.translate(_ASCII))
    kept = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return kept.encode("ascii", "replace").decode("ascii")
