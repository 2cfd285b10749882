"""The client's JavaScript modules as the bundler reads them: code, imports, styles, messages.

It knows the few forms of import and export that these modules use, and no others.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from posixpath import normpath

STANDALONE = ("device/offline.js", "sw.js")
"""Scripts that a browser loads on their own: not bundled."""
ROUTES = "routes.js"
"""The module with the table of all pages."""

_COMMENT = re.compile(
    r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n", re.MULTILINE | re.DOTALL
)
_INLINE_COMMENT = re.compile(r"/\*\* (?:(?!\*/).)*\*/ ?")
_TRAILING_COMMENT = re.compile(r"(?<=[;,{}()\]]) +// [^\"'`\n]*$", re.MULTILINE)
"""Behind code; without quotes, so that it cannot be a part of a string."""
_INDENT = re.compile(r"^[ \t\n]+", re.MULTILINE)
_IMPORT = re.compile(r'^import \{([^}]+)\} from "(\.[^"]+)";$', re.MULTILINE)
_DYNAMIC_IMPORT = re.compile(r'\bimport\("(\.[^"]+)"\)')
_ASSET = re.compile(r'\bnew URL\("(\.[^"]+)", import\.meta\.url\)')
"""A file that is loaded by its address: a worker's script, or data."""
_EXPORT = re.compile(r"^export (default )?((?:async )?function|class|const) (\w+)", re.MULTILINE)
_STYLE = re.compile(r'^useStyle\("([\w-]+)"\);\n', re.MULTILINE)
_MESSAGE = re.compile(r'\bt\(\s*("(?:[^"\\\n]|\\.)*")')
_PAGE = re.compile(r'\["(/[^"]*)", \(\) => import\("(\.[^"]+)"\)\]')
_UNSUPPORTED = re.compile(
    r"^(?:import|export)\b.*$"
    r"|^.*\$[A-Za-z].*$"
    r"|^[^`\n]*`(?:[^`\n]*`[^`\n]*`)*[^`\n]*$",  # a text of several lines would lose its indent
    re.MULTILINE,
)


class CannotBundle(ValueError):
    """A module imports, exports or names something in a way that the bundler does not know."""


@dataclass(frozen=True)
class Module:
    """A module's code with its imports and exports taken out, and what they were."""

    name: str
    code: str
    imports: tuple[str, ...]
    """The modules that it cannot do without."""
    later: tuple[str, ...]
    """The modules that it loads when they are needed."""
    assets: tuple[str, ...]
    """The files that it loads by their addresses: scripts of workers, and data."""
    exports: tuple[str, ...]
    styles: tuple[str, ...]
    """The names of its style sheets."""
    messages: frozenset[str]
    """What it says, in English."""

    @property
    def entry(self) -> str:
        """The module as an entry of a script."""
        return f'"{self.name}": () => {{\n{self.code}return {{ {", ".join(self.exports)} }};\n}},'


def read_modules(web: Path) -> Mapping[str, Module]:
    """The modules that are bundled, by their paths."""
    names = (path.relative_to(web).as_posix() for path in sorted(web.rglob("*.js")))
    return {
        name: _module(name, (web / name).read_text("utf-8"))
        for name in names
        if name not in STANDALONE
    }


def read_pages(web: Path) -> Mapping[str, str]:
    """The module of every page by its address, as the client's table of routes has them."""
    found = _PAGE.findall((web / ROUTES).read_text("utf-8"))
    return {address: _resolved(ROUTES, path) for address, path in found}


def with_imports(modules: Mapping[str, Module], names: Iterable[str]) -> Mapping[str, None]:
    """These modules and all that they import, directly or not; what is imported comes first."""
    found: dict[str, None] = {}
    begun: set[str] = set()

    def visit(name: str) -> None:
        if name not in begun:
            begun.add(name)
            for each in modules[name].imports:
                visit(each)
            found[name] = None

    for name in names:
        visit(name)
    return found


def _resolved(name: str, path: str) -> str:
    """What a module means by a relative path."""
    return normpath(PurePosixPath(name).parent / path)


def _module(name: str, source: str) -> Module:
    imports: list[str] = []
    later: list[str] = []
    assets: list[str] = []
    exports: list[str] = []

    def imported(match: re.Match[str]) -> str:
        imports.append(_resolved(name, match[2]))
        return f'const {{{match[1].replace(" as ", ": ")}}} = $use("{imports[-1]}");'

    def loaded(match: re.Match[str]) -> str:
        later.append(_resolved(name, match[1]))
        return f'$later("{later[-1]}")'

    def addressed(match: re.Match[str]) -> str:
        assets.append(_resolved(name, match[1]))
        return f'$address("{assets[-1]}")'

    def exported(match: re.Match[str]) -> str:
        exports.append(f"default: {match[3]}" if match[1] else match[3])
        return f"{match[2]} {match[3]}"

    code = _INLINE_COMMENT.sub("", _TRAILING_COMMENT.sub("", _COMMENT.sub("", source)))
    code = code.replace("export {};\n", "")
    if unsupported := _UNSUPPORTED.search(_EXPORT.sub("", _IMPORT.sub("", code))):
        raise CannotBundle(f"{name}: {unsupported[0]}")
    styles = tuple(_STYLE.findall(code))
    messages = frozenset(json.loads(text) for text in _MESSAGE.findall(code))
    code = _IMPORT.sub(imported, _STYLE.sub("", code))
    code = _ASSET.sub(addressed, _DYNAMIC_IMPORT.sub(loaded, code))
    code = _INDENT.sub("", _EXPORT.sub(exported, code))
    return Module(
        name,
        code,
        tuple(imports),
        tuple(later),
        tuple(assets),
        tuple(exports),
        styles,
        messages,
    )
