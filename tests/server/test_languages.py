"""Which language a request gets, and the messages that the browser loads."""

import re
from gettext import GNUTranslations
from importlib.resources import files
from typing import Any

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from cantstop.bots import BOTS
from cantstop.language import LANGUAGES
from cantstop.server.static.languages import read_mo, translator_for
from cantstop.server.static.pages import WEB
from table_client import OPEN, human, open_table, sit_down


def language(header: str = "", query: str = "") -> Any:
    headers = [(b"accept-language", header.encode("latin-1"))]
    scope = {"type": "http", "headers": headers, "query_string": query.encode()}
    return translator_for(Request(scope)).language


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("", "en"),
        ("fr", "fr"),
        ("fr-CH, fr;q=0.9, en;q=0.8", "fr"),
        ("es, nl;q=0.5, it;q=0.7", "it"),
        ("de;q=0.1, *;q=0.5", "de"),
        ("xx-YY", "en"),
        ("DE-at", "de"),
        (";;;,,, q=1; é \x80", "en"),
        ("en;q=0.3;q=9, it", "it"),
    ],
)
def test_the_language_is_the_best_that_the_browser_names(header: str, code: str) -> None:
    assert language(header) == code


def test_an_address_can_ask_for_a_language_of_its_own() -> None:
    assert language("fr", "lang=it") == "it"
    assert language("fr", "lang=xx") == "fr"
    assert language("fr", "lang=") == "fr"


def test_errors_are_in_that_language(server: TestClient) -> None:
    table = open_table(server, human(), OPEN)["id"]
    sit_down(server, table, "Bob")
    messages = {
        server.post(
            f"/api/tables/{table}/seats", json={"name": "Carla"}, headers={"Accept-Language": code}
        ).json()["error"]["message"]
        for code in LANGUAGES
    }
    assert len(messages) == len(LANGUAGES)


@pytest.mark.parametrize("code", ["fr", "nl", "it", "de"])
def test_a_compiled_catalogue_is_read_as_gettext_reads_it(code: str) -> None:
    path = files("cantstop.language") / "catalogues" / code / "LC_MESSAGES" / "cantstop.mo"
    data = path.read_bytes()
    with path.open("rb") as compiled:
        catalogue = GNUTranslations(compiled)
    plain = {source: said for source, said in read_mo(data).items() if "\0" not in source}
    assert len(plain) > 50
    assert all(catalogue.gettext(source) == said for source, said in plain.items())


def test_catalogues_of_either_byte_order_can_be_read() -> None:
    def catalogue(order: Any) -> Any:
        def number(value: Any) -> Any:
            return value.to_bytes(4, order)

        source, said = b"Stop", b"Halt"
        table = number(4) + number(44), number(4) + number(48)
        head = [0x950412DE, 0, 1, 28, 36, 0, 0]
        return b"".join(map(number, head)) + b"".join(table) + source + said

    assert read_mo(catalogue("little")) == read_mo(catalogue("big")) == {"Stop": "Halt"}


def test_english_needs_no_messages_and_an_unknown_language_has_none(server: TestClient) -> None:
    assert server.get("/api/languages/en").json() == {"messages": {}}
    assert server.get("/api/languages/tlh").status_code == 404
    assert server.get("/api/languages/..").status_code == 404


def test_the_browser_gets_the_same_messages_in_every_other_language(server: TestClient) -> None:
    found = {
        code: server.get(f"/api/languages/{code}").json()["messages"]
        for code in ("fr", "nl", "it", "de")
    }
    for messages in found.values():
        assert messages.keys() == found["fr"].keys()
        assert all(messages.values())
    assert len(found["fr"]) > 50


def test_every_bot_has_a_name_for_people_in_the_client() -> None:
    names = (WEB / "words" / "sentences.js").read_text("utf-8")
    for bot in BOTS:
        assert re.search(rf'"?{bot}"?: t\("', names), bot
