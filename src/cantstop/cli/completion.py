"""What a shell offers when Tab is pressed: commands, options, and the values of options.

A shell's script asks ``cantstop --complete SHELL LINE`` with the line up to the cursor.
"""

import os
import shlex
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from cantstop.bots import BOTS
from cantstop.cli.parser import Command, Parameter
from cantstop.files import user_data_folder, write_atomically
from cantstop.language import LANGUAGES
from cantstop.rules import EDITIONS, InvalidText
from cantstop.terminal.options import Variant

_BOT_SEAT = "bot:"
_FREE_SEAT = "open"

Offer = list[tuple[str, str]]
"""Values, each with a word about it."""

SCRIPTS = {
    "bash": """\
_cantstop() {
    local IFS=$'\\n'
    COMPREPLY=($(cantstop --complete bash "${COMP_LINE:0:COMP_POINT}" 2>/dev/null))
}
complete -o default -F _cantstop cantstop
""",
    "zsh": """\
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_cantstop() {
    local -a found
    found=(${(f)"$(cantstop --complete zsh "${(j: :)words[1,CURRENT]}" 2>/dev/null)"})
    (( $#found )) && compadd -- $found || _files
}
compdef _cantstop cantstop
""",
    "fish": """\
function __cantstop_complete
    set -l found (cantstop --complete fish (commandline -cp | string collect) 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c cantstop -f -a '(__cantstop_complete)'
""",
    "powershell": """\
Register-ArgumentCompleter -Native -CommandName cantstop -ScriptBlock {
    param($word, $line, $cursor)
    $text = $line.ToString()
    if ($word -eq '') { $text += ' ' }
    cantstop --complete powershell $text
}
""",
}
"""What each shell has to read."""


def complete_language(incomplete: str) -> Offer:
    """The languages, by their codes."""
    return _starting(incomplete, list(LANGUAGES.items()))


def complete_edition(incomplete: str) -> Offer:
    """The printed editions."""
    return _starting(incomplete, [(name, edition.title) for name, edition in EDITIONS.items()])


def complete_variant(incomplete: str) -> Offer:
    """The optional rules."""
    return _starting(incomplete, [(variant.value, variant.name) for variant in Variant])


def complete_bot(incomplete: str) -> Offer:
    """The bots that have names."""
    return _starting(incomplete, _bots())


def complete_seat(incomplete: str) -> Offer:
    """The bots as seats, and a free one; a person's name is theirs to choose."""
    bots = [(_BOT_SEAT + name, about) for name, about in _bots()]
    return _starting(incomplete, [*bots, (_FREE_SEAT, "cantstop open")])


def _bots() -> Offer:
    return [
        (name, "" if entry.level is None else f"{entry.level}/{entry.rating}")
        for name, entry in BOTS.items()
    ]


def _starting(incomplete: str, values: Offer) -> Offer:
    return [(value, about) for value, about in values if value.startswith(incomplete.lower())]


def completions(shell: str, line: str, root: Command, commands: Iterable[Command]) -> list[str]:
    """What can follow a line, as a shell wants to read it."""
    *before, last = _words(line)
    offer = _offer(before[1:], last, root, {one.name: one for one in commands})
    if shell == "fish":
        return [f"{value}\t{about}" for value, about in offer]
    values = [value for value, _ in offer]
    if shell == "bash":  # for which a word begins behind a colon or an equals sign
        done = max(last.rfind(":"), last.rfind("=")) + 1
        values = [value[done:] for value in values]
    return values


def _words(line: str) -> list[str]:
    """The words of a line, the last of them unfinished, and empty behind a space."""
    try:
        words = shlex.split(line)
    except ValueError:  # a quotation mark that is still open
        words = line.split()
    return [*words, ""] if not line or line[-1].isspace() else words


def _offer(before: list[str], last: str, root: Command, commands: Mapping[str, Command]) -> Offer:
    named = next((word for word in before if word in commands), None)
    command = root if named is None else commands[named]
    waiting = command.options.get(before[-1]) if before else None
    if waiting is not None and not waiting.is_flag:
        return _values(waiting, last)
    name, equals, value = last.partition("=")
    if equals and name in command.options:
        return [(f"{name}={one}", about) for one, about in _values(command.options[name], value)]
    if last.startswith("-"):
        options = [(one.name, one.about.help) for one in command.options.values()]
        return _starting(last, [*options, ("--help", "")])
    if named is None:
        return _starting(last, [(one.name, one.paragraphs[0]) for one in commands.values()])
    return [offer for one in command.arguments for offer in _values(one, last)]


def _values(parameter: Parameter, incomplete: str) -> Offer:
    if parameter.about.complete is not None:
        return parameter.about.complete(incomplete)
    return _starting(incomplete, [(choice, "") for choice in parameter.choices])


def shell_of(environment: Mapping[str, str]) -> str:
    """The user's shell."""
    name = Path(environment.get("SHELL", "")).stem
    if name in SCRIPTS:
        return name
    if sys.platform == "win32":
        return "powershell"
    raise InvalidText(
        "Which shell is it? Give its name: {choices}.", choices=", ".join(sorted(SCRIPTS))
    )


def script_for(shell: str) -> str:
    """What a shell has to read, which is one of those that we know."""
    if shell not in SCRIPTS:
        raise InvalidText(
            "There is no completion for “{shell}”; there is for: {choices}.",
            shell=shell,
            choices=", ".join(sorted(SCRIPTS)),
        )
    return SCRIPTS[shell]


def install(shell: str, environment: Mapping[str, str] = os.environ) -> Path:
    """Have a shell read its script from now on; returns the file that was changed."""
    script = script_for(shell)
    try:
        return _install(shell, script, environment)
    except OSError as error:
        raise InvalidText(
            "{name} cannot be written: {reason}.", name=error.filename, reason=error.strerror
        ) from None


def _install(shell: str, script: str, environment: Mapping[str, str]) -> Path:
    home = Path.home()
    if shell == "fish":
        folder = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
        file = folder / "fish" / "completions" / "cantstop.fish"
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, script)
        return file
    if shell == "powershell":
        raise InvalidText("In PowerShell, run: cantstop --show-completion powershell >> $PROFILE")
    kept = user_data_folder() / f"completion.{shell}"
    kept.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(kept, script)
    file = home / (".zshrc" if shell == "zsh" else ".bashrc")
    line = os.fsencode(f"source {shlex.quote(str(kept))}\n")
    settings = file.read_bytes() if file.exists() else b""  # in whatever encoding they are
    if line not in settings:
        write_atomically(file, b"".join([settings.rstrip(), b"\n" if settings else b"", line]))
    return file
