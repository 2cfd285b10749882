"""All modules of the client in one script, and the forms of import and export that it may use."""

import re

import pytest

from cantstop.server.static.bundle import (
    STYLES,
    CannotPack,
    packed_rest,
    packed_script,
    packed_style,
)
from cantstop.server.static.pages import WEB


@pytest.fixture
def pack(tmp_path):
    def write(**modules):
        for name, source in modules.items():
            (tmp_path / f"{name}.js").write_text(source, "utf-8")
        return packed_script(tmp_path)

    return write


def test_imports_become_lookups_and_exports_become_entries(pack):
    packed = pack(
        main='import { one as first } from "./numbers.js";\nfirst();\n',
        numbers="export function one() {}\nexport const two = 2;\nexport default class Three {}\n",
    )
    assert 'const { one: first } = $use("numbers.js");' in packed
    assert "return { one, two, default: Three };" in packed
    assert "import {" not in packed
    assert "export" not in packed


def test_a_module_that_is_loaded_later_stays_later(pack):
    packed = pack(main='const page = await import("./page.js");\n', page="export const a = 1;\n")
    assert 'await $later("page.js")' in packed


def test_comments_stay_at_home(pack):
    packed = pack(main="/**\n * Why.\n */\n// how\nstart();\n")
    assert "Why" not in packed
    assert "how" not in packed
    assert "start();" in packed


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
def test_a_form_that_packing_does_not_know_is_named(pack, source):
    with pytest.raises(CannotPack, match=r"main\.js: "):
        pack(main=source)


def test_a_changed_module_is_packed_anew(pack):
    assert "one();" in pack(main="one();\n")
    assert "two();" in pack(main="two();\n")


def test_what_the_first_pages_do_not_import_comes_later(tmp_path):
    (tmp_path / "pages").mkdir()
    for name, source in {
        "main.js": 'import { a } from "./a.js";\nawait import("./pages/table.js");\n',
        "a.js": "export const a = 1;\n",
        "b.js": "export const b = 1;\n",
        "pages/table.js": 'import { b } from "../b.js";\n',
        "pages/rules.js": 'import { a } from "../a.js";\n',
    }.items():
        (tmp_path / name).write_text(source, "utf-8")
    assert packed_modules(packed_script(tmp_path)) == ["a.js", "b.js", "pages/table.js"]
    assert packed_modules(packed_rest(tmp_path)) == ["pages/rules.js"]


def packed_modules(script):
    return re.findall(r'^"(.+)": \(\) => {$', script, re.MULTILINE)


def test_every_module_and_style_sheet_of_the_client_is_in_its_pack():
    packed = packed_modules(packed_script(WEB)) + packed_modules(packed_rest(WEB))
    modules = {path.relative_to(WEB).as_posix() for path in WEB.rglob("*.js")}
    assert sorted(packed) == sorted(modules - {"main.js", "sw.js", "device/offline.js"})
    assert {f"style/{path.name}" for path in (WEB / "style").glob("*.css")} == set(STYLES)
    assert ".board" in packed_style(WEB)
