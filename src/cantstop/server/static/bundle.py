"""The client's modules, style sheets and messages in as few files as a page needs.

``app.js`` and ``app.css`` hold what the start page and the table need up to the first roll. Every
module that another one loads by a dynamic import is a chunk: a script of its own with all that it
imports beyond ``app.js``, with the style sheets that these modules use and the messages that they
say. Two chunks may hold the same module; the first one that is loaded provides it. So a page is
there after one round of requests, and what nobody asks for is never loaded. Nothing is installed
or stored, and the addresses hold a hash of the content.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cantstop.server.static.content import Bundle, short_hash
from cantstop.server.static.modules import CannotBundle, Module, read_modules, with_imports

ENTRY = "main.js"
STYLES, WORDS, PARTS = "core/styles.js", "words/i18n.js", "core/parts.js"
"""The modules that the first script itself uses, to load chunks."""
FIRST = (ENTRY, "pages/start.js", "pages/table.js", STYLES, WORDS, PARTS)
"""These and what they import are in the first script."""
APP = "app"
"""The chunk that every page has."""
APP_STYLES = (
    *("base", "dialogs"),
    *("table", "players", "turn", "board", "panels", "tray-note", "table-wide"),
    *("start", "game-list"),
)
"""The style sheets of the first page, in the order of their precedence."""

_STYLE_COMMENT = re.compile(r"/\*(?:(?!\*/).)*\*/", re.DOTALL)
_INDENT = re.compile(r"^[ \t\n]+", re.MULTILINE)
_LATER = re.compile(r'\$later\("([^"]+)"\)')
_ADDRESS = re.compile(r'\$address\("([^"]+)"\)')

# Names with a $ belong to the bundle: modules may not use them.
_APP_FRAME = """\
const $chunks = {chunks};
const $at = (name) => new URL(name, import.meta.url).href;
const $made = {{}};
const $use = (name) => ($made[name] ??= $modules[name]());
const $loads = {{}};
const $load = (chunk) => ($loads[chunk] ??= $fetch(chunk).catch((error) => {{
delete $loads[chunk];
throw new ($use("{parts}").PartMissing)(chunk, {{ cause: error }});
}}));
const $fetch = async (chunk) => {{
const [script, ...sheets] = $chunks[chunk];
const [{{ default: modules }}] = await Promise.all([
import($at(script)),
$use("{words}").addMessages(chunk),
...sheets.map((sheet) => $use("{styles}").loadSheet($at(sheet))),
]);
Object.assign($modules, modules($use, $later));
}};
const $later = async (name, chunk) => {{
if (!(name in $modules)) await $load(chunk);
return $use(name);
}};
const $modules = {{
{modules}
}};
$use("{words}").setCatalogues({catalogues});
{start}"""
_WORKER_FRAME = """\
const $made = {{}};
const $use = (name) => ($made[name] ??= $modules[name]());
const $modules = {{
{modules}
}};
{start}"""
_CHUNK_FRAME = """\
export default ($use, $later) => ({{
{modules}
}});
"""


class Chunks:
    """Which modules are in which script."""

    def __init__(self, modules: Mapping[str, Module]) -> None:
        self.modules = modules
        app = with_imports(modules, FIRST)
        loaded = {name for module in modules.values() for name in module.later}
        self.names = {name: _chunk_name(name) for name in sorted(loaded) if name not in app}
        """The chunk of each module that is loaded on demand."""
        self.contents: Mapping[str, list[str]] = {
            APP: [*app],
            **{
                chunk: [each for each in with_imports(modules, [name]) if each not in app]
                for name, chunk in self.names.items()
            },
        }
        """Their modules, each after those that it imports."""
        named = {name for module in modules.values() for name in module.assets}
        self.workers: Mapping[str, list[str]] = {
            name: [*with_imports(modules, [name])] for name in sorted(named) if name in modules
        }
        """The modules of each worker's script, by the module that it begins with."""
        self.addresses: dict[str, str] = {}
        """Where what is loaded by its address is, by name; relative to the scripts."""
        used = set().union(*self.contents.values(), *self.workers.values())
        if lost := [name for name in modules if name not in used and modules[name].code]:
            raise CannotBundle(f"{lost[0]}: nothing imports it")
        if late := self.styles(APP):
            raise CannotBundle(f"style/{late[0]}.css: needed at once, so it belongs to APP_STYLES")

    def entries(self, chunk: str, *, besides: Collection[str] = ()) -> str:
        """The modules of a chunk as entries of its script."""
        return self._entries(name for name in self.contents[chunk] if name not in besides)

    def worker(self, first: str) -> str:
        """The script of a worker, which has all that it needs."""
        others = self._entries(name for name in self.workers[first] if name != first)
        return _WORKER_FRAME.format(modules=others, start=self.code(self.modules[first].code))

    def _entries(self, names: Iterable[str]) -> str:
        return "\n".join(self.code(self.modules[name].entry) for name in sorted(names))

    def code(self, source: str) -> str:
        """Code in which every dynamic import names its chunk too, and addresses are known."""

        def named(match: re.Match[str]) -> str:
            chunk = self.names.get(match[1])
            return f'$later("{match[1]}", "{chunk}")' if chunk else match[0]

        def addressed(match: re.Match[str]) -> str:
            return f"new URL({_json(self.addresses.get(match[1], match[1]))}, import.meta.url).href"

        return _ADDRESS.sub(addressed, _LATER.sub(named, source))

    def styles(self, chunk: str) -> list[str]:
        """The style sheets that come with a chunk, what others build on first."""
        found = dict.fromkeys(
            name for module in self.contents[chunk] for name in self.modules[module].styles
        )
        return [name for name in found if name not in APP_STYLES]

    def messages(self, chunk: str, catalogue: Mapping[str, str]) -> dict[str, str]:
        """What a chunk says, from English to the language of a catalogue."""
        said = set().union(*(self.modules[name].messages for name in self.contents[chunk]))
        if chunk != APP:
            said -= set().union(*(self.modules[name].messages for name in self.contents[APP]))
        return {source: catalogue[source] for source in sorted(said) if source in catalogue}


@dataclass(frozen=True)
class Client:
    """All that a browser may load of the client."""

    bundles: Mapping[str, Bundle]
    """By their names."""
    chunks: Mapping[str, Sequence[str]]
    """The bundles of each chunk: script and style sheets."""
    names: Mapping[str, str]
    """The chunk of each module that is loaded on demand."""

    @cached_property
    def by_address(self) -> Mapping[str, Bundle]:
        """By their addresses below ``/static/``, which no other release has."""
        return {bundle.address(name): bundle for name, bundle in self.bundles.items()}

    def address(self, name: str) -> str:
        """Where a bundle is, with its hash."""
        return f"/static/{self.bundles[name].address(name)}"


def build_client(
    web: Path,
    catalogues: Mapping[str, Mapping[str, str]],
    assets: Mapping[str, Bundle] | None = None,
) -> Client:
    """The bundles of the client in that folder.

    ``catalogues`` has its messages by language, and ``assets`` the data that it loads.
    """
    chunks = Chunks(read_modules(web))
    bundles: dict[str, Bundle] = dict(assets or {})
    chunks.addresses |= {name: bundle.address(name) for name, bundle in bundles.items()}
    for first in chunks.workers:
        name = f"{_chunk_name(first)}.js"
        bundles[name] = Bundle(chunks.worker(first).encode())
        chunks.addresses[first] = bundles[name].address(name)
    words = {
        language: _word_bundles(chunks, language, catalogue)
        for language, catalogue in catalogues.items()
    }
    files = {
        chunk: [f"{chunk}.js", *(f"style/{name}.css" for name in chunks.styles(chunk))]
        for chunk in chunks.names.values()
    }
    bundles |= {
        "app.css": Bundle(style_sheet(web, APP_STYLES).encode()),
        **{
            f"style/{name}.css": Bundle(style_sheet(web, [name]).encode())
            for chunk in files
            for name in chunks.styles(chunk)
        },
        **{
            f"{chunk}.js": Bundle(_CHUNK_FRAME.format(modules=chunks.entries(chunk)).encode())
            for chunk in files
        },
    }
    addresses = {
        chunk: [bundles[name].address(name) for name in names] for chunk, names in files.items()
    }
    script = _APP_FRAME.format(
        words=WORDS,
        styles=STYLES,
        parts=PARTS,
        chunks=_json(addresses),
        catalogues=_json({language: f".{part[APP].hash}" for language, part in words.items()}),
        modules=chunks.entries(APP, besides=[ENTRY]),
        start=chunks.code(chunks.modules[ENTRY].code),
    )
    bundles["app.js"] = Bundle(script.encode())
    for language, parts in words.items():
        bundles |= {words_name(language, chunk): part for chunk, part in parts.items()}
    return Client(bundles, {APP: ["app.css", "app.js"], **files}, chunks.names)


def words_name(language: str, chunk: str) -> str:
    """The bundle with what a chunk says in a language; without a chunk, the folder of all."""
    return f"words/{language}/{chunk}.json" if chunk else f"words/{language}/"


def style_sheet(web: Path, names: Iterable[str]) -> str:
    """Some of the client's style sheets, one after the other."""
    sheets = "\n".join((web / "style" / f"{name}.css").read_text("utf-8") for name in names)
    return _INDENT.sub("", _STYLE_COMMENT.sub("", sheets))


def _word_bundles(
    chunks: Chunks, language: str, catalogue: Mapping[str, str]
) -> Mapping[str, Bundle]:
    """A language's messages by chunk; all have one hash, so that scripts need to know only one."""
    parts = {chunk: _json(chunks.messages(chunk, catalogue)).encode() for chunk in chunks.contents}
    version = short_hash(language.encode() + b"".join(parts.values()))
    return {chunk: Bundle(content, version) for chunk, content in parts.items()}


def _chunk_name(module: str) -> str:
    return module.removesuffix(".js").replace("/", "-")


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
