"""All modules of the client in two scripts: a phone on a slow line asks once, not fifty times.

The first script holds what the start page and the table need at once, the second everything else;
it comes when the first page is there, or sooner if somebody asks for it. The modules stay what they
are and run unpacked as well; nothing is built, installed or stored. Packing knows the few forms of
import and export that the client's modules use, and no others.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from posixpath import normpath

START = "main.js"
FIRST = ("main.js", "pages/start.js", "pages/table.js")
"""What these import, and they themselves, are in the first script."""
APART = ("device/offline.js", "sw.js")
"""Scripts that a browser loads by themselves."""
STYLES = tuple(
    f"style/{name}.css" for name in ("base", "table", "board", "panels", "table-wide", "pages")
)

_COMMENT = re.compile(
    r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n", re.MULTILINE | re.DOTALL
)
_STYLE_COMMENT = re.compile(r"/\*(?:(?!\*/).)*\*/", re.DOTALL)
_INDENT = re.compile(r"^[ \t\n]+", re.MULTILINE)
_IMPORT = re.compile(r'^import \{([^}]+)\} from "(\.[^"]+)";$', re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\.[^"]+)"\)')
_EXPORT = re.compile(r"^export (default )?((?:async )?function|class|const) (\w+)", re.MULTILINE)
_OTHER = re.compile(
    r"^(?:import|export)\b.*$"
    r"|^.*\$[A-Za-z].*$"
    r"|^[^`\n]*`(?:[^`\n]*`[^`\n]*`)*[^`\n]*$",  # a text of several lines would lose its indent
    re.MULTILINE,
)

# Names with a $ are the frames' own, so that no module can mean something else by them.
_FIRST_FRAME = """\
const $made = {{}};
const $use = (name) => ($made[name] ??= $modules[name]());
let $rest;
const $more = () => ($rest ??= import("{rest}").then(({{ default: modules }}) => {{
Object.assign($modules, modules($use, $later));
}}, (error) => {{
$rest = undefined;
throw error;
}}));
const $later = async (name) => {{
if (!(name in $modules)) await $more();
return $use(name);
}};
const $modules = {{
{modules}
}};
{start}
$more().catch(() => {{}});
"""
_REST_FRAME = """\
export default ($use, $later) => ({{
{modules}
}});
"""


class CannotPack(ValueError):
    """A module imports, exports or names something in a way that packing does not know."""


@dataclass(frozen=True)
class Module:
    """A module's code with its imports and exports taken out, and what they were."""

    name: str
    code: str
    imports: tuple[str, ...]
    exports: tuple[str, ...]

    @property
    def entry(self) -> str:
        """The module as an entry of a frame."""
        return f'"{self.name}": () => {{\n{self.code}return {{ {", ".join(self.exports)} }};\n}},'


def packed_script(web: Path, rest: str = "./more.js") -> str:
    """What is needed at once, as one script that runs as the start module does.

    ``rest`` is the address of the other one.
    """
    modules = _modules(web)
    first = _reached(modules)
    entries = "\n".join(modules[name].entry for name in sorted(first - {START}))
    return _FIRST_FRAME.format(rest=rest, modules=entries, start=modules[START].code)


def packed_rest(web: Path) -> str:
    """Everything else, as one script that the first one loads."""
    modules = _modules(web)
    entries = (modules[name].entry for name in sorted(modules.keys() - _reached(modules)))
    return _REST_FRAME.format(modules="\n".join(entries))


def packed_style(web: Path) -> str:
    """The client's style sheets, one after the other."""
    sheets = "\n".join((web / name).read_text("utf-8") for name in STYLES)
    return _INDENT.sub("", _STYLE_COMMENT.sub("", sheets))


def _modules(web: Path) -> Mapping[str, Module]:
    paths = (
        path for path in sorted(web.rglob("*.js")) if path.relative_to(web).as_posix() not in APART
    )
    sources = {path.relative_to(web).as_posix(): path.read_text("utf-8") for path in paths}
    return {name: _module(name, source) for name, source in sources.items()}


def _reached(modules: Mapping[str, Module]) -> set[str]:
    """The first modules and all that they import, directly or not."""
    found: set[str] = set()
    ahead = [name for name in FIRST if name in modules]
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += modules[name].imports
    return found


@lru_cache(maxsize=256)
def _module(name: str, source: str) -> Module:
    """A module ready to be packed; this is done again when its source has changed."""
    imports: list[str] = []
    exports: list[str] = []

    def found(path: str) -> str:
        return normpath(PurePosixPath(name).parent / path)

    def imported(match: re.Match[str]) -> str:
        imports.append(found(match[2]))
        return f'const {{{match[1].replace(" as ", ": ")}}} = $use("{imports[-1]}");'

    def exported(match: re.Match[str]) -> str:
        exports.append(f"default: {match[3]}" if match[1] else match[3])
        return f"{match[2]} {match[3]}"

    code = _COMMENT.sub("", source).replace("export {};\n", "")
    if other := _OTHER.search(_EXPORT.sub("", _IMPORT.sub("", code))):
        raise CannotPack(f"{name}: {other[0]}")
    code = _IMPORT.sub(imported, code)
    code = _LATER.sub(lambda match: f'$later("{found(match[1])}")', code)
    code = _INDENT.sub("", _EXPORT.sub(exported, code))
    return Module(name, code, tuple(imports), tuple(exports))
