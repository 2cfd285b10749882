"""The client's modules and style sheets as a few bundles: a phone asks three times, not fifty.

``app.js`` holds what the start page and the table need at once, ``more.js`` what else there is to
play; it is loaded with the first click or key, or sooner if a page asks for it. ``extra.js``
holds the pages and lessons that a game does without, ``insight.js`` the review and its kin, and
``insight.css`` their styles: who only plays never loads them.
``app.css`` holds all other style sheets. The modules run without bundling as well; nothing is
installed or stored. The bundler knows the few forms of import and export that the client's modules
use, and no others.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from posixpath import normpath

ENTRY = "main.js"
FIRST_PAGES = ("main.js", "pages/start.js", "pages/table.js")
"""These and what they import are in the first script."""
STANDALONE = ("device/offline.js", "sw.js")
"""Scripts that a browser loads on their own: not bundled."""
EXTRA = (
    *("pages/daily.js", "pages/learn.js", "pages/new-game/page.js", "pages/replay.js"),
    *("pages/rules.js", "pages/verify.js", "table/panels/statistics.js", "table/tutorial.js"),
    "table/companion.js",
)
"""Modules that are loaded, with what only they import, when asked for."""
INSIGHT = "insight/"
"""The folder of the modules that are loaded, with what only they import, when asked for."""
STYLES = tuple(
    f"style/{name}.css"
    for name in ("base", "table", "board", "panels", "table-wide", "pages", "companion")
)
INSIGHT_STYLES = tuple(f"style/{name}.css" for name in ("insight", "review"))
INSIGHT_SHEET = "/static/insight.css"
"""The address by which a module names the style sheet; the bundle adds the content's hash."""

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
const $loads = {{}};
const $load = (script) => ($loads[script] ??= import(script).then(({{ default: modules }}) => {{
Object.assign($modules, modules($use, $later));
}}, (error) => {{
delete $loads[script];
throw error;
}}));
const $more = () => $load("{rest}");
const $later = async (name) => {{
if (!(name in $modules))
await Promise.all([
$more(),
{on_demand}.includes(name) && $load("{extra}"),
name.startsWith("{folder}") && $load("{insight}"),
]);
return $use(name);
}};
const $modules = {{
{modules}
}};
{start}
for (const sign of ["click", "keydown"])
addEventListener(sign, () => $more().catch(() => {{}}), {{ once: true, capture: true }});
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
    sheets = {
        "app.css": Bundle(style_sheet(web).encode()),
        "insight.css": Bundle(style_sheet(web, INSIGHT_STYLES).encode()),
    }
    hashed = f"{INSIGHT_SHEET}?{sheets['insight.css'].query}"
    insight = Bundle(insight_script(modules).replace(INSIGHT_SHEET, hashed).encode())
    rest = Bundle(rest_script(modules).encode())
    extra = Bundle(extra_script(modules).encode())
    script = first_script(
        modules,
        f"./more.js?{rest.query}",
        f"./insight.js?{insight.query}",
        f"./extra.js?{extra.query}",
    )
    return {
        "app.js": Bundle(script.encode()),
        "more.js": rest,
        "extra.js": extra,
        "insight.js": insight,
        **sheets,
    }


def first_script(
    modules: Mapping[str, Module],
    rest: str = "./more.js",
    insight: str = "./insight.js",
    extra: str = "./extra.js",
) -> str:
    """What is needed at once, as one script that runs as the start module does.

    ``rest``, ``insight`` and ``extra`` are the addresses of the other ones.
    """
    first = _first_modules(modules)
    if too_soon := sorted(name for name in first if name.startswith(INSIGHT)):
        raise CannotBundle(f"{too_soon[0]}: imported where it should be loaded on demand")
    entries = "\n".join(modules[name].entry for name in sorted(first - {ENTRY}))
    return _FIRST_FRAME.format(
        rest=rest,
        insight=insight,
        folder=INSIGHT,
        extra=extra,
        on_demand=json.dumps(EXTRA, separators=(",", ":")),
        modules=entries,
        start=modules[ENTRY].code,
    )


def rest_script(modules: Mapping[str, Module]) -> str:
    """Everything else, as one script that the first one loads."""
    return _later_script(modules, _rest_modules(modules))


def extra_script(modules: Mapping[str, Module]) -> str:
    """The pages and lessons that are loaded on demand only, as one script."""
    at_once = _first_modules(modules) | _rest_modules(modules)
    return _later_script(modules, _on_demand(modules) - at_once)


def insight_script(modules: Mapping[str, Module]) -> str:
    """The review and its kin, as one script."""
    at_once = _first_modules(modules) | _rest_modules(modules)
    return _later_script(modules, modules.keys() - at_once - _on_demand(modules))


def _later_script(modules: Mapping[str, Module], names: set[str]) -> str:
    return _REST_FRAME.format(modules="\n".join(modules[name].entry for name in sorted(names)))


def style_sheet(web: Path, names: Iterable[str] = STYLES) -> str:
    """Some of the client's style sheets, one after the other."""
    sheets = "\n".join((web / name).read_text("utf-8") for name in names)
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
    return _with_imports(modules, (name for name in FIRST_PAGES if name in modules))


def _rest_modules(modules: Mapping[str, Module]) -> set[str]:
    """The modules that are needed in the end by all, or by two of the scripts on demand."""
    first, extra = _first_modules(modules), _on_demand(modules)
    insight = _with_imports(modules, (name for name in modules if name.startswith(INSIGHT)))
    needed = (modules.keys() - first - insight - extra) | (insight & extra)
    return _with_imports(modules, needed) - first


def _on_demand(modules: Mapping[str, Module]) -> set[str]:
    """The extra modules and all that they import, directly or not."""
    return _with_imports(modules, (name for name in EXTRA if name in modules))


def _with_imports(modules: Mapping[str, Module], names: Iterable[str]) -> set[str]:
    """These modules and all that they import, directly or not."""
    found: set[str] = set()
    to_visit = list(names)
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
