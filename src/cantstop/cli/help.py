"""``--help`` in plain words and in the reader's language, made from a command's signature."""

import re
import shutil
import textwrap
from collections.abc import Iterable, Sequence

from cantstop.cli.parser import Command, Option, Parameter
from cantstop.language import Translator, message

_WIDEST = 90
_NAMES = 26
"""Columns for the names; the explanation of a longer one begins on the next line."""

_LABEL = re.compile(r"(Examples?:|Online:)\s+(.*)")
_LABELS = (message("Example:"), message("Examples:"), message("Online:"))
_WORDS = (message("OPTIONS"), message("COMMAND"))
_WORD = re.compile(r"[A-Z]{2,}")


def command_help(words: Translator, command: Command) -> str:
    """All about one command."""
    usage = ["cantstop", command.name, "[OPTIONS]", *map(_usage, command.arguments)]
    arguments = [(_metavar(words, one.metavar), _about(words, one)) for one in command.arguments]
    options = [_option_row(words, one) for one in command.options.values()]
    return "\n".join(
        [
            words.say("Usage: {line}", line=_metavar(words, " ".join(usage))),
            *_paragraphs(words, command.paragraphs),
            *_section(words.say("Arguments:"), arguments),
            *_section(words.say("Options:"), [*options, _help_row(words)]),
        ]
    )


def overview(words: Translator, root: Command, commands: Iterable[Command]) -> str:
    """All commands, each with its one sentence."""
    options = [_option_row(words, one) for one in root.options.values()]
    rows = [(one.name, words.say(one.paragraphs[0])) for one in commands]
    usage = _metavar(words, "cantstop [OPTIONS] [COMMAND] ...")
    return "\n".join(
        [
            words.say("Usage: {line}", line=usage),
            *_paragraphs(words, root.paragraphs),
            *_section(words.say("Commands:"), rows),
            *_section(words.say("Options:"), [*options, _help_row(words)]),
        ]
    )


def _usage(argument: Parameter) -> str:
    shown = argument.metavar
    return shown if argument.is_required or shown.startswith("[") else f"[{shown}]"


def _help_row(words: Translator) -> tuple[str, str]:
    return "-h, --help", words.say("Show this help.")


def _option_row(words: Translator, option: Parameter) -> tuple[str, str]:
    assert isinstance(option.about, Option)
    name = f"{option.about.short}, {option.name}" if option.about.short else option.name
    if not option.is_flag:
        name += " " + _metavar(words, option.metavar)
    return name, _about(words, option)


def _about(words: Translator, one: Parameter) -> str:
    """What a parameter is for, with its default and its bounds."""
    about, notes = one.about, []
    if isinstance(about, Option):
        if one.default is not None and not one.is_flag:
            notes.append(words.say("default: {value}", value=one.default))
        if about.most is not None and about.most < 10**9:
            notes.append(words.say("{least} to {most}", least=about.least, most=about.most))
        elif about.least is not None:
            notes.append(words.say("{least} or more", least=about.least))
    text = words.say(about.help)
    return f"{text} ({'; '.join(notes)})" if notes else text


def _metavar(words: Translator, text: str) -> str:
    """A pattern such as ``NAME|bot:NAME``, its words in the reader's language."""
    return _WORD.sub(lambda found: words.say(found[0]), text)


def _paragraphs(words: Translator, paragraphs: Sequence[str]) -> list[str]:
    lines = []
    for text in paragraphs:
        found = _LABEL.fullmatch(text)
        shown = f"{words.say(found[1])} {found[2]}" if found else words.say(text)
        lines += ["", *_wrapped(shown, 2)]
    return lines


def _section(title: str, rows: Sequence[tuple[str, str]]) -> list[str]:
    if not rows:
        return []
    lines = ["", title]
    for name, about in rows:
        text = _wrapped(about, _NAMES + 2)
        if len(name) <= _NAMES - 2:
            text[0] = f"  {name}".ljust(_NAMES + 2) + text[0].lstrip()
        else:
            text.insert(0, f"  {name}")
        lines += text
    return lines


def _wrapped(text: str, indent: int) -> list[str]:
    width = min(shutil.get_terminal_size().columns, _WIDEST) - 1
    space = " " * indent
    return textwrap.wrap(
        text,
        max(width, indent + 20),
        initial_indent=space,
        subsequent_indent=space,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [space]
