"""Lines on a terminal and in a pipe."""

import io
import sys

import pytest

from cantstop.language import Translator
from cantstop.terminal.console import ascii_text, standard_console, wrap


def test_a_pipe_shows_what_it_answered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("roll\nstop"))
    console = standard_console(Translator())
    assert console.read("roll or stop? ").strip() == "roll"
    assert console.read("roll or stop? ").strip() == "stop"
    with pytest.raises(EOFError):
        console.read("roll or stop? ")
    assert capsys.readouterr().out == "roll or stop? roll\nroll or stop? stop\nroll or stop? "


def test_bytes_that_are_no_text_are_nonsense_not_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n"), "utf-8"))
    assert standard_console(Translator()).read("? ").strip() == "��"


def test_long_lines_are_broken_between_words_with_their_indentation() -> None:
    text = "short\n  1) " + "word " * 8
    assert wrap(text, 24) == "short\n  1) word word word word\n    word word word word"


def test_what_fits_is_left_alone() -> None:
    drawing = "│  ·  │\n╰─ 2 ─╯"
    assert wrap(drawing, 7) == drawing
    assert wrap("word " * 50, None) == "word " * 50


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("“Zoë” – très drôle…", '"Zoe" - tres drole...'),
        ("«\N{NO-BREAK SPACE}règles\N{NO-BREAK SPACE}»", '" regles "'),
        ("„Groß“", '"Gross"'),
        ("日本", "??"),
    ],
)
def test_ascii_text_keeps_what_can_be_kept(text: str, plain: str) -> None:
    assert ascii_text(text) == plain


def test_an_ascii_console_writes_nothing_else(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    console = standard_console(Translator("fr"), ascii=True)
    console.write("« Règles »")
    console.read("Prêt ? ")
    assert capsys.readouterr().out.isascii()
