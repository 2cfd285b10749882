"""The console: lines read from and written to a terminal or a pipe, in Unicode or in ASCII."""

import io
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TextIO

from cantstop.language import Translator
from cantstop.untrusted import printable

Read = Callable[[str], str]
Write = Callable[[str], None]

MAX_WIDTH = 80
MAX_ANSWER = 1000
"""Characters of a line that is read from a pipe; what is longer is read as several."""

EXIT_OK = 0
EXIT_INTERRUPTED = 130

_SIMPLE_TERMINALS = ("", "dumb", "unknown")


@dataclass(frozen=True)
class Console:
    """Reads and writes lines of text, in the language of the people here."""

    words: Translator
    read: Read
    """Shows a prompt and returns the line that was typed."""
    write: Write
    """Writes lines unchanged: drawings, and commands to be copied."""
    width: int | None = None
    """The longest line of a sentence; None in a pipe, where lines are not wrapped."""

    def print(self, text: str) -> None:
        """Write sentences, wrapped."""
        self.write(wrap(text, self.width))

    def print_lines(self, lines: Iterable[str]) -> None:
        """Write lines of sentences, each wrapped."""
        for line in lines:
            self.print(line)


_ASCII = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "–": "-",
                        "—": "-", "…": "...", "\N{NO-BREAK SPACE}": " ",
                        "\N{NARROW NO-BREAK SPACE}": " ", "ß": "ss", "✓": "x", "→": ">",
                        "·": "."})  # fmt: skip


def standard_console(words: Translator, ascii: bool = False) -> Console:  # noqa: A002
    """The console of this process's standard streams."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # invalid bytes are a wrong answer, not a crash
    encode: Callable[[str], str] = ascii_text if ascii else str
    width = min(shutil.get_terminal_size().columns, MAX_WIDTH) if sys.stdout.isatty() else None

    def write(text: str) -> None:
        _print(encode(text))

    def read(prompt: str) -> str:
        return _read(printable(encode(prompt)))

    return Console(words, read, write, width)


def supports_tui(environment: Mapping[str, str]) -> bool:
    """Whether the standard streams are a terminal that the Textual app can draw on."""
    return (
        _is_terminal(sys.stdin)
        and _is_terminal(sys.stdout)
        and environment.get("TERM", "dumb") not in _SIMPLE_TERMINALS
        and (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    )


def _is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal; it is None if it was closed before the start."""
    return stream is not None and stream.isatty()


def _read(prompt: str) -> str:
    if _is_terminal(sys.stdin):
        return input(prompt)
    _print(prompt, end="")
    line = sys.stdin.readline(MAX_ANSWER) if sys.stdin is not None else ""
    if not line:
        raise EOFError
    _print(line.rstrip("\n"))  # echoed, because no terminal did it
    return line


def _print(text: str, end: str = "\n") -> None:
    print(printable(text), end=end, flush=True)  # noqa: T201


def wrap(text: str, width: int | None) -> str:
    """Break long lines between words; continuation lines keep the indentation and add to it."""
    if width is None:
        return text
    return "\n".join(_wrap_line(line, width) for line in text.split("\n"))


def _wrap_line(line: str, width: int) -> str:
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
