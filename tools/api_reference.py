"""Writes the reference from docstrings and signatures, and the programs into the cookbook.

    python tools/api_reference.py             writes the pages
    python tools/api_reference.py --check     fails if they are not those of the sources

The pages are plain Markdown, so that a forge shows them as the site does, and no generator of
sites is needed to read them. A name that several packages export is described on the page of the
first one, and the others refer to it.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import griffe

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs" / "reference"

PACKAGES = {
    "cantstop": "What ``import cantstop`` gives",
    "cantstop.rules": "The game itself",
    "cantstop.dice": "Where dice come from",
    "cantstop.record": "Games written down",
    "cantstop.draw": "Pictures of boards",
    "cantstop.odds": "Exact chances",
    "cantstop.language": "Sentences in five languages",
    "cantstop.engine": "Turns solved, hints, analyses",
    "cantstop.solver": "Whole games solved",
    "cantstop.bots": "Players",
    "cantstop.arena": "Matches of bots",
    "cantstop.review": "Finished games looked at again",
    "cantstop.ratings": "Two ratings of people, without luck and with it",
    "cantstop.drills": "Positions to practise with",
    "cantstop.rl": "Environments for learners",
    "cantstop.client": "Tables on a server",
    "cantstop.extras": "What is not in the core",
}
"""The public packages, in the order of the pages, with what each is for."""

COOKBOOK = ROOT / "docs" / "cookbook.md"

_PROGRAM = re.compile(r'^(```python title="([^"]+)"\n).*?^```\n', re.MULTILINE | re.DOTALL)

WIDEST = 88
"""Characters of a signature on one line."""

_EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)
"""From a prompt to the next empty line."""


def fenced(text: str) -> str:
    """The text with fences around its examples, whose prompts Markdown takes for quotations."""
    return _EXAMPLE.sub(lambda example: f"```pycon\n{example[0]}\n```", text)


def one_a_line(text: str) -> str:
    """A signature with a line for each parameter.

    >>> print(one_a_line("f(a: dict[str, int], b: int = 1) -> None"))
    f(
        a: dict[str, int],
        b: int = 1,
    ) -> None
    """
    depth, parts, begin = 0, [], text.index("(") + 1
    start = begin
    for place, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if place >= begin and ((sign == "," and depth == 1) or (sign == ")" and depth == 0)):
            parts.append(f"    {text[start:place].strip()},\n")
            start = place + 1
            if sign == ")":
                return text[:begin] + "\n" + "".join(parts) + text[place:]
    return text


def public_names(package: griffe.Module) -> list[str]:
    """What a package exports: its ``__all__``, or else its own names without an underscore."""
    if package.exports is not None:
        return [str(name) for name in package.exports]
    return [
        name
        for name, member in package.members.items()
        if not name.startswith("_") and not member.is_alias
    ]


def public_members(owner: griffe.Object) -> dict[str, griffe.Object]:
    """What a class or module offers, with what it inherits from classes of ours, in order."""
    own = {
        name: target(member)
        for name, member in owner.members.items()
        if not name.startswith("_") and not (owner.is_module and member.is_alias)
    }
    inherited = owner.inherited_members if owner.is_class else {}
    theirs = {
        name: target(member) for name, member in inherited.items() if not name.startswith("_")
    }
    return {**own, **theirs}


def exported(package: griffe.Module, name: str) -> griffe.Object:
    """What a package's name stands for: not the module that has the same name."""
    found, path = target(package.members[name]), package.imports.get(name)
    again = f"{package.path}.{name}"
    if found.is_module and path is not None and path != again and path.count(".") > 1:
        owner, _, name = path.partition(".")[2].rpartition(".")
        return exported(cast("griffe.Module", package.package[owner]), name)
    if isinstance(found, griffe.Attribute) and found.parent is not None:
        other = found.parent.members.get(str(found.value))
        found = target(other) if other is not None and other.is_function else found
    return found


def target(member: griffe.Object | griffe.Alias) -> griffe.Object:
    """The object itself, wherever it is defined."""
    return member.final_target if isinstance(member, griffe.Alias) else member


def signature(found: griffe.Object, name: str) -> str:
    """How it is called, or what type it has."""
    decorated = {str(one.value).rpartition(".")[2] for one in getattr(found, "decorators", ())}
    if isinstance(found, griffe.Function) and "lazy" in decorated:  # read as an attribute
        return f"{name}: {found.returns}"
    if isinstance(found, griffe.Function | griffe.Class):
        text = str(cast("Any", found).signature(name=name)).replace(" = _nothing()", " = None")
        if len(text) > WIDEST:
            text = one_a_line(text)
        before = "async " if "async" in found.labels else ""
        kind = f"@{'classmethod' if 'classmethod' in decorated else 'staticmethod'}\n"
        return (kind if decorated & {"classmethod", "staticmethod"} else "") + before + text
    if isinstance(found, griffe.Attribute):
        kind = f": {found.annotation}" if found.annotation is not None else ""
        value = str(found.value) if found.value is not None else ""
        shown = f" = {value}" if value and len(value) < 60 and "_nothing" not in value else ""
        return f"{name}{kind}{'' if 'property' in found.labels else shown}"
    return name


def text_of(found: griffe.Object) -> Iterator[str]:
    """The docstring: its paragraphs, then parameters, results and errors as lists."""
    if found.docstring is None:
        return
    for section in found.docstring.parse("google", warnings=False):
        if section.kind is griffe.DocstringSectionKind.text:
            yield fenced(str(section.value).replace("``", "`"))
        elif section.kind is griffe.DocstringSectionKind.examples:
            for kind, text in section.value:
                example = kind is griffe.DocstringSectionKind.examples
                yield f"```pycon\n{text}\n```" if example else text
        else:
            yield f"**{section.title or section.kind.value.capitalize()}**"
            yield "\n".join(
                f"- {_named(item)}{' '.join(item.description.split())}".replace("``", "`")
                for item in section.value
            )


def _named(item: Any) -> str:  # noqa: ANN401
    name = getattr(item, "name", "") or (item.annotation if not hasattr(item, "name") else "")
    return f"`{name}`: " if name else ""


def described(found: griffe.Object, name: str, level: int) -> Iterator[str]:
    """A heading, the signature and the docstring; then the same for each member."""
    yield f"{'#' * level} {name}"
    if not found.is_module:
        yield f"```python\n{signature(found, name.rpartition('.')[2])}\n```"
    yield from text_of(found)
    if found.is_class or found.is_module:
        for member_name, member in public_members(found).items():
            if not member.is_module:
                yield from described(member, f"{name}.{member_name}", level + 1)


def pages() -> dict[str, str]:
    """The text of each page, by the name of its file."""
    root = cast("griffe.Module", griffe.load("cantstop", search_paths=[str(ROOT / "src")]))
    found: dict[str, str] = {}
    seen: dict[str, tuple[str, str]] = {}
    for package_name, title in PACKAGES.items():
        _, _, inside = package_name.partition(".")
        package = cast("griffe.Module", root[inside] if inside else root)
        file = f"{inside or 'cantstop'}.md"
        parts = [f"# {package_name}", f"{title}.".replace("``", "`"), *text_of(package)]
        for name in public_names(package):
            member = exported(package, name)
            if f"{member.path}.md" in found or member.path in PACKAGES:
                short = member.path.rpartition(".")[2]
                parts += [f"## {name}", f"A package of its own: [{member.path}]({short}.md)."]
            elif member.path in seen:
                where, what = seen[member.path]
                anchor = re.sub(r"[^\w-]", "", what.lower())
                parts += [f"## {name}", f"See [{what}]({where}#{anchor})."]
            else:
                seen[member.path] = file, name
                parts += described(member, name, 2)
        found[file] = "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"
    return found


def index() -> str:
    """The page that lists the packages."""
    rows = [
        f"| [{package}](reference/{package.rpartition('.')[2]}.md) | {title} |".replace("``", "`")
        for package, title in PACKAGES.items()
    ]
    return "\n".join(
        [
            "# Reference",
            "",
            "Every public name, with its signature and docstring. [The library](library.md) shows"
            " how the parts fit together.",
            "",
            "| package | |",
            "|---|---|",
            *rows,
            "",
        ]
    )


def cookbook() -> str:
    """The cookbook with its programs as they are in the files that it names."""
    text = COOKBOOK.read_text("utf-8")
    return _PROGRAM.sub(
        lambda found: f"{found[1]}{(ROOT / found[2]).read_text('utf-8')}```\n", text
    )


def main() -> None:
    """Write the pages, or compare them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    check = parser.parse_args().check
    wanted = {PAGES / name: text for name, text in pages().items()}
    wanted |= {PAGES.with_suffix(".md"): index(), COOKBOOK: cookbook()}
    others = set(PAGES.glob("*.md")) - set(wanted)
    if check:
        stale = [
            path
            for path, text in wanted.items()
            if not path.exists() or path.read_text("utf-8") != text
        ]
        if stale or others:
            names = ", ".join(path.name for path in (*stale, *others))
            sys.exit(f"The reference is not that of the sources ({names}): make reference")
        return
    PAGES.mkdir(exist_ok=True)
    for path in others:
        path.unlink()
    for path, text in wanted.items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
