"""Brings the translations' catalogues up to date with the messages in the sources.

There are two for each language: ``cantstop`` has the messages of the Python modules, ``web`` those
of the browser client.
"""

import ast
import inspect
import io
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from compile_catalogues import ROOT, compile_catalogues

SOURCES = ROOT / "src" / "cantstop"
CATALOGUES = SOURCES / "language" / "catalogues"
DOMAINS = {"cantstop": "cantstop", "web": "the browser client"}
LANGUAGES = ("de", "fr", "it", "nl")

# How many of a call's first arguments are messages. Errors hand their template to __init__.
CALLS = {"say": 1, "say_count": 2, "message": 1, "Phrase": 1, "BadFile": 1, "__init__": 1}

# Calls whose help people read; what they name values by is said word by word.
HELP = ("Option", "Argument")

# Spaces at which a line must not break: French ones before : ; ! ? % and inside quotation marks,
# German ones before an ellipsis and a percent sign. Nobody types them, so they are set here.
NO_BREAK = {
    "fr": re.compile("(?<=«) | (?=[:;!?%»])"),
    "de": re.compile(" (?=[…%])"),
}

# The header lines that gettext reads; dates and the like would differ from run to run.
HEADERS = ("Language:", "Plural-Forms:", "MIME-Version:", "Content-Type:")


@cache
def template(domain: str) -> Catalog:
    """Every message in the sources, with the files that it is in."""
    catalogue = Catalog(charset="utf-8")
    for path, found in web_messages() if domain == "web" else python_messages():
        catalogue.add(found, locations=[(path.relative_to(ROOT).as_posix(), 1)])
    return catalogue


def web_messages() -> Iterator[tuple[Path, str]]:
    """The first argument of every call of ``t``, in the order of the files."""
    for path in sorted(SOURCES.glob("web/**/*.js")):
        with path.open("rb") as source:
            for _, text, _, _ in extract(
                "javascript", source, {"t": None}, options={"parse_template_string": True}
            ):
                assert isinstance(text, str)
                yield path, text


def python_messages() -> Iterator[tuple[Path, str | tuple[str, str]]]:
    """What Python's modules say, in the order of the files."""
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted(SOURCES.rglob("*.py"))}
    calls = CALLS | dict.fromkeys(_errors(list(trees.values())), 1)
    for path, tree in trees.items():
        for found in _messages(tree, calls):
            yield path, found


def _errors(trees: list[ast.Module]) -> set[str]:
    """The names of ``CantStopError`` and of every class that descends from it."""
    bases = {
        node.name: {base.id for base in node.bases if isinstance(base, ast.Name)}
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    found = {"CantStopError"}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return found


def _messages(tree: ast.Module, calls: dict[str, int]) -> Iterator[str | tuple[str, str]]:
    """The messages of a module, in the order of its lines."""
    places = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            texts = [
                argument.value
                for argument in node.args[: calls.get(_name(node.func), 0)]
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            ]
            if texts:
                places.append((node.lineno, node.col_offset, texts))
            if _name(node.func) in HELP:
                places += [(node.lineno, node.col_offset, [text]) for text in _help(node)]
        if isinstance(node, ast.FunctionDef) and _is_command(node):
            places += [(node.lineno, 0, [text]) for text in _paragraphs(node)]
    for _, _, texts in sorted(places):
        yield (texts[0], texts[1]) if len(texts) == 2 else texts[0]


def _help(call: ast.Call) -> Iterator[str]:
    """What ``--help`` says of a parameter, and the words of its pattern."""
    for keyword in call.keywords:
        if isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str):
            if keyword.arg == "help":
                yield keyword.value.value
            elif keyword.arg == "metavar":
                yield from re.findall("[A-Z]{2,}", keyword.value.value)


def _is_command(function: ast.FunctionDef) -> bool:
    """Whether a function is a command: those have an option for the language."""
    return any(
        isinstance(one.annotation, ast.Name) and one.annotation.id == "Lang"
        for one in function.args.args
    )


def _paragraphs(function: ast.FunctionDef) -> Iterator[str]:
    """What ``--help`` says of a command; examples are the same in every language."""
    for part in inspect.cleandoc(ast.get_docstring(function) or "").split("\n\n"):
        text = " ".join(part.split())
        if not re.match("(Examples?|Online): ", text):
            yield text


def _name(function: ast.expr) -> str:
    match function:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
    return ""


def updated(domain: str, language: str) -> str:
    """A catalogue with the messages of today: translations are kept, similar ones made fuzzy."""
    path = _path(domain, language)
    catalogue = Catalog(language)
    if path.exists():
        with path.open("rb") as text:
            catalogue = read_po(text, locale=language)
    catalogue.update(template(domain))
    for entry in catalogue:
        if isinstance(entry.string, str):
            entry.string = typeset(entry.string, domain, language)
        elif entry.string is not None:
            entry.string = tuple(typeset(text, domain, language) for text in entry.string)
    catalogue.fuzzy = False  # or the header would be left out of the compiled catalogue
    catalogue.header_comment = f"# The messages of {DOMAINS[domain]}: {language}"
    written = io.BytesIO()
    write_po(
        written, catalogue, width=100, sort_by_file=True, include_lineno=False, ignore_obsolete=True
    )
    header, _, messages = written.getvalue().decode().partition("\n\n")
    kept = [
        line
        for line in header.splitlines()
        if not line.startswith('"') or line.lstrip('"').startswith(HEADERS)
    ]
    return "\n".join([*kept, "", messages])


def typeset(text: str, domain: str, language: str) -> str:
    """A translation with its no-break spaces.

    French wants a narrow one before ; ! and ? where the type is fine enough for it: a browser, but
    not a terminal, whose font or encoding may lack the character.
    """

    def space(found: re.Match[str]) -> str:
        narrow = domain == "web" and text[found.end() : found.end() + 1] in (";", "!", "?")
        return "\N{NARROW NO-BREAK SPACE}" if narrow else "\N{NO-BREAK SPACE}"

    return NO_BREAK[language].sub(space, text) if language in NO_BREAK else text


def _path(domain: str, language: str) -> Path:
    return CATALOGUES / language / "LC_MESSAGES" / f"{domain}.po"


if __name__ == "__main__":
    for domain in DOMAINS:
        for language in LANGUAGES:
            path = _path(domain, language)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(updated(domain, language), "utf-8")
    compile_catalogues()
