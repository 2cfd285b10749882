"""The client's modules in chunks, and the forms of import and export that it may use."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from cantstop.server.static.bundle import APP, APP_STYLES, Chunks, build_client, words_name
from cantstop.server.static.content import Bundle
from cantstop.server.static.languages import catalogues
from cantstop.server.static.modules import ROUTES, CannotBundle, read_modules, read_pages
from cantstop.server.static.pages import WEB
from pocket_bytes import first_hints, packed_sizes

FIRST = {
    "main.js": 'import { a } from "./a.js";\nawait import("./pages/table.js");\n',
    "a.js": 'export const a = t("First");\n',
    "pages/start.js": "export const start = 1;\n",
    "pages/table.js": 'import { b } from "../b.js";\nexport const table = b;\n',
    "b.js": "export const b = 1;\n",
    "core/styles.js": "export const styles = 1;\n",
    "words/i18n.js": "export const words = 1;\n",
    "core/parts.js": "export const parts = 1;\n",
}
"""The smallest client: what the start page and the table need."""

Write = Callable[..., Chunks]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a client of these modules besides the first ones, and reads its chunks."""

    def written(modules: dict[str, str]) -> Chunks:
        for name, source in {**FIRST, **modules}.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(source, "utf-8")
        return Chunks(read_modules(tmp_path))

    return written


def main(source: str) -> dict[str, str]:
    return {"main.js": FIRST["main.js"] + source}


def test_imports_become_lookups_and_exports_become_entries(write: Write) -> None:
    numbers = (
        "export function one() {}\nexport const two = 2;\nexport default class Three {}\n"
        "export async function four() {}\n"
    )
    chunks = write(
        {
            "b.js": 'import { one as first } from "./numbers.js";\nexport const b = first();\n',
            "numbers.js": numbers,
        }
    )
    bundled = chunks.entries(APP)
    assert 'const { one: first } = $use("numbers.js");' in bundled
    assert "return { one, two, default: Three, four };" in bundled
    assert "import {" not in bundled
    assert "export" not in bundled


def test_what_is_imported_dynamically_is_a_chunk_with_all_that_it_imports(write: Write) -> None:
    chunks = write(
        {
            **main('await import("./pages/rules.js");\nawait import("./insight/odds.js");\n'),
            "pages/rules.js": 'import { b } from "../b.js";\nimport { c } from "../c.js";\n',
            "insight/odds.js": 'import { c } from "../c.js";\nexport const odds = c;\n',
            "c.js": "export const c = 1;\n",
        }
    )
    assert chunks.contents.keys() == {APP, "pages-rules", "insight-odds"}
    assert sorted(chunks.contents[APP]) == sorted(FIRST)
    assert chunks.contents["pages-rules"] == ["c.js", "pages/rules.js"]
    assert chunks.contents["insight-odds"] == ["c.js", "insight/odds.js"]
    start = chunks.code(chunks.modules["main.js"].code)
    assert '$later("pages/rules.js", "pages-rules")' in start
    assert '$later("pages/table.js")' in start  # it is there already


def test_what_is_loaded_by_its_address_is_a_worker_or_data(tmp_path: Path, write: Write) -> None:
    address = 'new URL("./{}", import.meta.url)'
    write(
        {
            **main(f"new Worker({address.format('work.js')});\n"),
            "work.js": f'import {{ c }} from "./c.js";\nc({address.format("data.bin")});\n',
            "c.js": "export const c = fetch;\n",
        }
    )
    copytree(WEB / "style", tmp_path / "style")
    client = build_client(tmp_path, {}, {"data.bin": Bundle(b"data")})
    app, script = (client.bundles[name].content.decode() for name in ("app.js", "work.js"))
    data, worker = (client.bundles[name].address(name) for name in ("data.bin", "work.js"))
    assert f'c(new URL("{data}", import.meta.url).href);' in script
    assert '"c.js": () => {' in script
    assert f'new Worker(new URL("{worker}", import.meta.url).href);' in app
    assert "c.js" not in app


def test_comments_stay_at_home(write: Write) -> None:
    cast = '/** @type {import("./x.js").X} */'
    address = 'const a = ["; // kept", "://kept"];'
    source = f"/**\n * Why.\n */\n// how\nexport const b = {cast} (1); // when\n{address}\n"
    chunks = write({"b.js": source})
    assert "const b = (1);\n" in chunks.entries(APP)
    assert address in chunks.entries(APP)
    assert not re.search("Why|how|when|type", chunks.entries(APP))


@pytest.mark.parametrize(
    "source",
    [
        'import everything from "./page.js";\n',
        'import * as page from "./page.js";\n',
        'export { a } from "./page.js";\n',
        "export let changing = 1;\n",
        "const $use = 1;\n",
        "const text = `one\n  two`;\n",
    ],
)
def test_a_form_that_the_bundler_does_not_know_is_named(write: Write, source: str) -> None:
    with pytest.raises(CannotBundle, match=r"main\.js: "):
        write(main(source))


def test_a_module_that_nothing_imports_is_named(write: Write) -> None:
    with pytest.raises(CannotBundle, match=r"lost\.js"):
        write({"lost.js": "export const lost = 1;\n"})


def test_a_style_sheet_that_is_needed_at_once_and_comes_later_is_named(write: Write) -> None:
    with pytest.raises(CannotBundle, match=r"style/late\.css"):
        write({"b.js": 'useStyle("late");\nexport const b = 1;\n'})


def test_a_style_sheet_comes_with_the_modules_that_use_it(write: Write) -> None:
    chunks = write(
        {
            **main('await import("./page.js");\n'),
            "page.js": 'import { c } from "./c.js";\n\nuseStyle("page");\nc();\n',
            "c.js": 'useStyle("zebra");\nuseStyle("base");\nexport const c = 1;\n',
        }
    )
    assert chunks.styles("page") == ["zebra", "page"]  # the base is there already
    assert "useStyle" not in chunks.entries("page")


def test_messages_come_with_the_modules_that_say_them(write: Write) -> None:
    chunks = write(
        {
            **main('await import("./page.js");\n'),
            "page.js": 't("First");\nt(\n  "Say “{what}”",\n  { what },\n);\n'
            't("Unknown");\nset("Not");\n',
        }
    )
    catalogue = {"First": "Erst", "Say “{what}”": "Sag „{what}“", "Not": "Nicht"}
    assert chunks.messages(APP, catalogue) == {"First": "Erst"}
    assert chunks.messages("page", catalogue) == {"Say “{what}”": "Sag „{what}“"}


def test_scripts_name_each_other_by_their_content(web: Path, tmp_path: Path) -> None:
    client = Path(copytree(web, tmp_path / "web"))
    before = build_client(client, {"de": {}})
    (client / "pages" / "rules.js").write_text('useStyle("rules");\nexport const b = 2;\n', "utf-8")
    (client / "style" / "rules.css").write_text("/* why */\n.rules {\n  color: red;\n}\n", "utf-8")
    after = build_client(client, {"de": {}})
    files = ("pages-rules.js", "style/rules.css")
    script, sheet = (after.address(name).removeprefix("/static/") for name in files)
    assert f"/static/{script}" != before.address("pages-rules.js")
    assert f'"pages-rules":["{script}","{sheet}"]' in after.bundles["app.js"].content.decode()
    assert after.address("app.js") != before.address("app.js")
    assert after.address("app.css") == before.address("app.css")
    assert after.address("pages-new-game-page.js") == before.address("pages-new-game-page.js")
    assert after.bundles["style/rules.css"].content == b".rules {\ncolor: red;\n}\n"


def test_other_words_have_another_address(web: Path) -> None:
    one, two = (build_client(web, {"de": {"First": said}}) for said in ("Erst", "Zuerst"))
    assert one.address("words/de/app.json") == two.address("words/de/app.json")  # nobody says it
    (web / "pages" / "start.js").write_text('export const a = t("First");\n', "utf-8")
    try:
        one, two = (build_client(web, {"de": {"First": said}}) for said in ("Erst", "Zuerst"))
    finally:
        (web / "pages" / "start.js").write_text("export const made = 1;\n", "utf-8")
    assert one.address("words/de/app.json") != two.address("words/de/app.json")
    assert json.loads(two.bundles["words/de/app.json"].content) == {"First": "Zuerst"}
    assert two.bundles["words/de/app.json"].hash in two.bundles["app.js"].content.decode()


class TestTheRealClient:
    chunks = Chunks(read_modules(WEB))

    def test_every_module_is_in_a_chunk_and_every_style_sheet_in_use(self) -> None:
        scripts = *self.chunks.contents.values(), *self.chunks.workers.values()
        bundled = set().union(*scripts)
        types = {"net/protocol.js"}
        alone = {"sw.js", "device/offline.js"}
        modules = {path.relative_to(WEB).as_posix() for path in WEB.rglob("*.js")}
        assert bundled == modules - types - alone
        used = {name for chunk in self.chunks.contents for name in self.chunks.styles(chunk)}
        assert {path.stem for path in (WEB / "style").glob("*.css")} == used | {*APP_STYLES}

    def test_no_two_style_sheets_style_the_same(self) -> None:
        """What is loaded on demand comes in any order: which sheet wins must not depend on it."""
        found: dict[str, set[str]] = {}
        for path in (WEB / "style").glob("*.css"):
            text = re.sub(
                r"/\*.*?\*/|@keyframes [^{]+\{(?:[^{}]+\{[^}]*\}\s*)+\}",
                "",
                path.read_text("utf-8"),
                flags=re.DOTALL,
            )
            for selectors in re.findall(r"([^{}@]+)\{[^{}]*\}", re.sub(r"@media[^{]+\{", "", text)):
                for selector in selectors.split(","):
                    sheet = APP if path.stem in APP_STYLES else path.stem
                    found.setdefault(" ".join(selector.split()).strip("} "), set()).add(sheet)
        assert {selector: names for selector, names in found.items() if len(names) > 1} == {}

    def test_what_the_first_roll_does_without_is_not_in_the_first_script(
        self,
    ) -> None:
        first = self.chunks.contents[APP]
        assert not [name for name in first if name.startswith(("insight/", "verify/"))]
        assert not {"table/panels/menu.js", "table/panels/game-over.js"} & {*first}

    def test_what_everybody_loads_first_leaves_room_for_the_rest_of_the_way(self) -> None:
        """tests/web/test_newcomer.py weighs the whole way on the wire: 75 kB at most."""
        bundles = build_client(WEB, catalogues()).bundles
        words = max(len(bundles[words_name(code, APP)].packed) for code in catalogues())
        assert sum(len(bundles[name].packed) for name in ("app.js", "app.css")) + words < 60_000

    def test_a_first_hint_is_light(self) -> None:
        first = first_hints(packed_sizes())
        assert first[2] <= 140_000
        assert first[3] <= 300_000
        assert first[4] <= 550_000

    def test_every_message_is_in_a_chunk_that_says_it(self) -> None:
        for catalogue in catalogues().values():
            found: dict[str, str] = {}
            for chunk in self.chunks.contents:
                found |= self.chunks.messages(chunk, catalogue)
            assert found == catalogue

    def test_every_page_is_a_module_of_the_client(self) -> None:
        pages = read_pages(WEB)
        assert {"/", "/t/{table_id}", "/t/{table_id}/review", "/rules"} <= pages.keys()
        assert set(pages.values()) <= self.chunks.modules.keys()
        table = (WEB / ROUTES).read_text("utf-8").partition("const PAGES")[2]
        assert table.partition("];")[0].count("import(") == len(pages)
