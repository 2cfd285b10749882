"""The client's modules in bundles, and the forms of import and export that it may use."""

import re
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from cantstop.server.static.bundle import (
    INSIGHT_STYLES,
    STYLES,
    CannotBundle,
    build_bundles,
    extra_script,
    first_script,
    insight_script,
    read_modules,
    rest_script,
    style_sheet,
)
from cantstop.server.static.pages import WEB


@pytest.fixture
def bundle(tmp_path: Path) -> Callable[..., Any]:
    def write(**modules: Any) -> Any:
        for name, source in modules.items():
            (tmp_path / f"{name}.js").write_text(source, "utf-8")
        return first_script(read_modules(tmp_path))

    return write


def test_imports_become_lookups_and_exports_become_entries(bundle: Callable[..., Any]) -> None:
    bundled = bundle(
        main='import { one as first } from "./numbers.js";\nfirst();\n',
        numbers="export function one() {}\nexport const two = 2;\nexport default class Three {}\n",
    )
    assert 'const { one: first } = $use("numbers.js");' in bundled
    assert "return { one, two, default: Three };" in bundled
    assert "import {" not in bundled
    assert "export" not in bundled


def test_a_module_that_is_loaded_later_stays_later(bundle: Callable[..., Any]) -> None:
    bundled = bundle(main='const page = await import("./page.js");\n', page="export const a = 1;\n")
    assert 'await $later("page.js")' in bundled


def test_comments_stay_at_home(bundle: Callable[..., Any]) -> None:
    bundled = bundle(main="/**\n * Why.\n */\n// how\nstart();\n")
    assert "Why" not in bundled
    assert "how" not in bundled
    assert "start();" in bundled


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
def test_a_form_that_the_bundler_does_not_know_is_named(
    bundle: Callable[..., Any], source: str
) -> None:
    with pytest.raises(CannotBundle, match=r"main\.js: "):
        bundle(main=source)


def test_a_changed_module_is_bundled_anew(bundle: Callable[..., Any]) -> None:
    assert "one();" in bundle(main="one();\n")
    assert "two();" in bundle(main="two();\n")


def test_what_the_first_pages_do_not_import_comes_later(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    for name, source in {
        "main.js": 'import { a } from "./a.js";\nawait import("./pages/table.js");\n',
        "a.js": "export const a = 1;\n",
        "b.js": "export const b = 1;\n",
        "pages/table.js": 'import { b } from "../b.js";\n',
        "pages/other.js": 'import { a } from "../a.js";\n',
    }.items():
        (tmp_path / name).write_text(source, "utf-8")
    assert bundled_modules(first_script(read_modules(tmp_path))) == [
        "a.js",
        "b.js",
        "pages/table.js",
    ]
    assert bundled_modules(rest_script(read_modules(tmp_path))) == ["pages/other.js"]


def insight_modules(tmp_path: Path, main: str) -> Any:
    (tmp_path / "insight").mkdir()
    for name, source in {
        "main.js": main,
        "pages/other.js": 'import { a } from "../a.js";\n',
        "insight/page.js": 'import { a } from "../a.js";\nimport { bars } from "../bars.js";\n'
        'const sheet = "/static/insight.css";\n',
        "bars.js": "export const bars = 1;\n",
        "insight/chart.js": "export const chart = 1;\n",
        "a.js": "export const a = 1;\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(source, "utf-8")
    return read_modules(tmp_path)


def test_insight_is_a_script_of_its_own_that_is_loaded_on_demand(tmp_path: Path) -> None:
    modules = insight_modules(tmp_path, 'await import("./insight/page.js");\n')
    assert bundled_modules(first_script(modules)) == []
    assert bundled_modules(rest_script(modules)) == ["a.js", "pages/other.js"]
    only_there = ["bars.js", "insight/chart.js", "insight/page.js"]
    assert bundled_modules(insight_script(modules)) == only_there


def test_what_a_game_does_without_is_loaded_on_demand_and_what_two_scripts_need_before_them(
    tmp_path: Path,
) -> None:
    modules = insight_modules(tmp_path, 'await import("./pages/rules.js");\n')
    rules = 'import { bars } from "../bars.js";\nimport { text } from "../text.js";\n'
    (tmp_path / "pages" / "rules.js").write_text(rules, "utf-8")
    (tmp_path / "text.js").write_text("export const text = 1;\n", "utf-8")
    modules = read_modules(tmp_path)
    assert bundled_modules(extra_script(modules)) == ["pages/rules.js", "text.js"]
    assert bundled_modules(rest_script(modules)) == ["a.js", "bars.js", "pages/other.js"]
    assert bundled_modules(insight_script(modules)) == ["insight/chart.js", "insight/page.js"]
    assert '"pages/rules.js"' in first_script(modules).partition("const $modules")[0]


def test_a_first_page_that_would_bring_insight_along_is_named(tmp_path: Path) -> None:
    modules = insight_modules(tmp_path, 'import { chart } from "./insight/chart.js";\n')
    with pytest.raises(CannotBundle, match=r"insight/chart\.js"):
        first_script(modules)


def test_insight_names_its_style_sheet_by_its_content(web: Path, tmp_path: Path) -> None:
    client = Path(copytree(web, tmp_path / "web"))
    (client / "insight").mkdir()
    (client / "insight" / "page.js").write_text('const sheet = "/static/insight.css";\n', "utf-8")
    bundles = build_bundles(client)
    named = f'"/static/insight.css?{bundles["insight.css"].query}"'
    assert named in bundles["insight.js"].content.decode()


def bundled_modules(script: Any) -> Any:
    return re.findall(r'^"(.+)": \(\) => {$', script, re.MULTILINE)


def test_every_module_and_style_sheet_of_the_client_is_in_its_bundle() -> None:
    client = read_modules(WEB)
    scripts = (
        *(first_script(client), rest_script(client)),
        *(extra_script(client), insight_script(client)),
    )
    bundled = [name for script in scripts for name in bundled_modules(script)]
    modules = {path.relative_to(WEB).as_posix() for path in WEB.rglob("*.js")}
    assert sorted(bundled) == sorted(modules - {"main.js", "sw.js", "device/offline.js"})
    sheets = {f"style/{path.name}" for path in (WEB / "style").glob("*.css")}
    assert sheets == {*STYLES, *INSIGHT_STYLES}
    assert ".board" in style_sheet(WEB)


def test_a_changed_module_changes_the_name_of_its_bundle(web: Path) -> None:
    def name() -> Any:
        return build_bundles(web)["app.js"].query

    before = name()
    (web / "more.js").write_text("export const more = 1;\n", "utf-8")
    assert name() != before
    (web / "more.js").unlink()
    assert name() == before
