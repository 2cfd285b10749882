"""All modules of the client in one script: a phone on a slow line asks once, not fifty times.

The modules stay what they are and run unpacked as well; nothing is built, installed or stored.
Packing knows the few forms of import and export that the client's modules use, and no others.
"""

import re
from functools import lru_cache
from pathlib import Path, PurePosixPath
from posixpath import normpath

START = "main.js"
APART = ("offline.js", "sw.js")
"""Scripts that a browser loads by themselves."""
STYLES = tuple(
    f"style/{name}.css" for name in ("base", "table", "board", "talk", "around", "wide", "pages")
)

_COMMENT = re.compile(
    r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n", re.MULTILINE | re.DOTALL
)
_IMPORT = re.compile(r'^import \{([^}]+)\} from "(\.[^"]+)";$', re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\.[^"]+)"\)')
_EXPORT = re.compile(r"^export (default )?((?:async )?function|class|const) (\w+)", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*$|^.*\$[A-Za-z].*$", re.MULTILINE)

# Names with a $ are the frame's own, so that no module can mean something else by them.
_FRAME = """\
const $made = {{}};
const $use = (name) => ($made[name] ??= $modules[name]());
const $later = async (name) => $use(name);
const $modules = {{
{modules}
}};
{start}"""


class CannotPack(ValueError):
    """A module imports, exports or names something in a way that packing does not know."""


def packed_script(web: Path) -> str:
    """The client's modules as one script, which runs as the start module does."""
    paths = (path for path in sorted(web.rglob("*.js")) if path.name not in APART)
    sources = {path.relative_to(web).as_posix(): path.read_text("utf-8") for path in paths}
    return _pack(tuple(sources.items()))


def packed_style(web: Path) -> str:
    """The client's style sheets, one after the other."""
    return "\n".join((web / name).read_text("utf-8") for name in STYLES)


@lru_cache(maxsize=1)
def _pack(sources: tuple[tuple[str, str], ...]) -> str:
    """The pack of these sources; it is made again when one of them has changed."""
    code = {name: _without_modules(name, source) for name, source in sources}
    start, _ = code.pop(START)
    wrapped = (
        f'"{name}": () => {{\n{body}return {{ {", ".join(exports)} }};\n}},'
        for name, (body, exports) in code.items()
    )
    return _FRAME.format(modules="\n".join(wrapped), start=start)


def _without_modules(name: str, source: str) -> tuple[str, list[str]]:
    """A module's code without its imports and exports, and what it exports."""
    exports: list[str] = []

    def found(path: str) -> str:
        return normpath(PurePosixPath(name).parent / path)

    def exported(match: re.Match[str]) -> str:
        exports.append(f"default: {match[3]}" if match[1] else match[3])
        return f"{match[2]} {match[3]}"

    def imported(match: re.Match[str]) -> str:
        return f'const {{{match[1].replace(" as ", ": ")}}} = $use("{found(match[2])}");'

    code = _COMMENT.sub("", source).replace("export {};\n", "")
    if other := _OTHER.search(_EXPORT.sub("", _IMPORT.sub("", code))):
        raise CannotPack(f"{name}: {other[0]}")
    code = _IMPORT.sub(imported, code)
    code = _LATER.sub(lambda match: f'$later("{found(match[1])}")', code)
    return _EXPORT.sub(exported, code), exports
