"""The client's modules and style sheets as three bundles: a phone asks three times, not fifty.

``app.js`` holds what the start page and the table need at once, ``more.js`` everything else; it is
loaded when the first page is there, or sooner if somebody asks for it. ``app.css`` holds the style
sheets. The modules run without bundling as well; nothing is installed or stored. The bundler knows
the few forms of import and export that the client's modules use, and no others.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from posixpath import normpath

ENTRY = "main.js"
FIRST_PAGES = ("main.js", "pages/start.js", "pages/table.js")
"""These and what they import are in the first script."""
STANDALONE = ("device/offline.js", "sw.js")
"""Scripts that a browser loads on their own: not bundled."""
STYLES = tuple(
    f"style/{name}.css" for name in ("base", "table", "board", "panels", "table-wide", "pages")
)

_COMMENT = re.compile(
    r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n", re.MULTILINE | re.DOTALL
)
_STYLE_COMMENT = re.compile(r"/\*(?:(?!\*/).)*\*/", re.DOTALL)
_INDENT = re.compile(r"^[ \t\n]+", re.MULTILINE)
_IMPORT = re.compile(r'^import \{([^}]+)\} from "(\.[^"]+)";$', re.MULTILINE)
_DYNAMIC_IMPORT = re.compile(r'\bimport\("(\.[^"]+)"\)')
_EXPORT = re.compile(r"^export (default )?((?:async )?function|class|const) (\w+)", re.MULTILINE)
_UNSUPPORTED = re.compile(
    r"^(?:import|export)\b.*$"
    r"|^.*\$[A-Za-z].*$"
    r"|^[^`\n]*`(?:[^`\n]*`[^`\n]*`)*[^`\n]*$",  # a text of several lines would lose its indent
    re.MULTILINE,
)

# Names with a $ belong to the bundle: modules may not use them.
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


class CannotBundle(ValueError):
    """A module imports, exports or names something in a way that the bundler does not know."""


@dataclass(frozen=True)
class Bundle:
    """A file that is built from many."""

    content: bytes

    @cached_property
    def query(self) -> str:
        """The content's hash as a query: what is at an address that ends so never changes."""
        return f"v={hashlib.sha256(self.content).hexdigest()[:16]}"


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


def build_bundles(web: Path) -> Mapping[str, Bundle]:
    """The bundles of the client in that folder, by their file names."""
    modules = read_modules(web)
    rest = Bundle(rest_script(modules).encode())
    script = Bundle(first_script(modules, f"./more.js?{rest.query}").encode())
    return {"app.js": script, "more.js": rest, "app.css": Bundle(style_sheet(web).encode())}


def first_script(modules: Mapping[str, Module], rest: str = "./more.js") -> str:
    """What is needed at once, as one script that runs as the start module does.

    ``rest`` is the address of the other one.
    """
    first = _first_modules(modules)
    entries = "\n".join(modules[name].entry for name in sorted(first - {ENTRY}))
    return _FIRST_FRAME.format(rest=rest, modules=entries, start=modules[ENTRY].code)


def rest_script(modules: Mapping[str, Module]) -> str:
    """Everything else, as one script that the first one loads."""
    entries = (modules[name].entry for name in sorted(modules.keys() - _first_modules(modules)))
    return _REST_FRAME.format(modules="\n".join(entries))


def style_sheet(web: Path) -> str:
    """The client's style sheets, one after the other."""
    sheets = "\n".join((web / name).read_text("utf-8") for name in STYLES)
    return _INDENT.sub("", _STYLE_COMMENT.sub("", sheets))


def read_modules(web: Path) -> Mapping[str, Module]:
    """The modules that are bundled, by their paths."""
    names = (path.relative_to(web).as_posix() for path in sorted(web.rglob("*.js")))
    return {
        name: _module(name, (web / name).read_text("utf-8"))
        for name in names
        if name not in STANDALONE
    }


def _first_modules(modules: Mapping[str, Module]) -> set[str]:
    """The first modules and all that they import, directly or not."""
    found: set[str] = set()
    to_visit = [name for name in FIRST_PAGES if name in modules]
    while to_visit:
        name = to_visit.pop()
        if name not in found:
            found.add(name)
            to_visit += modules[name].imports
    return found


def _module(name: str, source: str) -> Module:
    """A module ready to be bundled."""
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
    if unsupported := _UNSUPPORTED.search(_EXPORT.sub("", _IMPORT.sub("", code))):
        raise CannotBundle(f"{name}: {unsupported[0]}")
    code = _IMPORT.sub(imported, code)
    code = _DYNAMIC_IMPORT.sub(lambda match: f'$later("{found(match[1])}")', code)
    code = _INDENT.sub("", _EXPORT.sub(exported, code))
    return Module(name, code, tuple(imports), tuple(exports))
