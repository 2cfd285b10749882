"""What a chat shows of a link to a table: title, sentence and picture, and nothing private."""

from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from starlette.testclient import TestClient

from cantstop.server import ServerOptions, create_app
from cantstop.server.limits.policy import Limits
from table_client import OPEN, bot, human, open_table, sit_down


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server with the real page."""
    database = f"sqlite:///{tmp_path_factory.mktemp('preview') / 'tables.db'}"
    with TestClient(create_app(ServerOptions(database, limits=Limits().times(0)))) as running:
        yield running


class Tags(HTMLParser):
    """The Open Graph tags of a page, as a browser would read them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.other: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "meta" and (name := given.get("property")):
            self.found[name] = given["content"] or ""
        elif tag not in ("html", "head", "meta", "title", "link", "script", "body", "div"):
            self.other.append(tag)


def tags(server: TestClient, table: str, **asked: str) -> Tags:
    answer = server.get(f"/t/{table}", headers=asked)
    assert answer.status_code == 200
    return Tags(answer.text)


def test_an_invitation_says_who_invites(server: TestClient) -> None:
    opened = open_table(server, human("Anne", salt="a"), OPEN)
    shown = tags(server, opened["id"]).found
    assert shown["og:title"] == "Anne invites you to Can't Stop"
    assert shown["og:description"].startswith("A seat is free")
    assert shown["og:url"] == f"http://testserver/t/{opened['id']}"
    picture = server.get(shown["og:image"].removeprefix("http://testserver"))
    assert picture.headers["content-type"] == "image/png"
    assert picture.headers["cross-origin-resource-policy"] == "cross-origin"
    sit_down(server, opened["id"], "Bob", salt="b")
    shown = tags(server, opened["id"]).found
    assert shown["og:title"] == "Anne – Bob · Can’t Stop"
    assert shown["og:description"].startswith("The game is on")


def test_it_speaks_the_readers_language(server: TestClient) -> None:
    opened = open_table(server, human("Anne", salt="a"), OPEN)
    shown = tags(server, opened["id"], **{"Accept-Language": "de"}).found
    assert shown["og:title"] == "Anne lädt dich zu Can’t Stop ein"


def test_a_name_is_text_and_never_markup(server: TestClient) -> None:
    name = "\"><b>&'x"
    opened = open_table(server, human(name, salt="a"), OPEN)
    page = tags(server, opened["id"])
    assert page.found["og:title"] == f"{name} invites you to Can't Stop"
    assert "b" not in page.other


def test_nothing_private_is_told(server: TestClient) -> None:
    opened = open_table(server, human("Anne", salt="anne-salt"), bot(), OPEN)
    page = server.get(f"/t/{opened['id']}").text
    assert opened["secret"] not in page
    assert "anne-salt" not in page


@pytest.mark.parametrize("path", ["/t/nowhere", "/t/k7QmZr3pW9xA", "/t/..%2Fx", "/"])
def test_where_there_is_no_table_there_is_no_preview(server: TestClient, path: str) -> None:
    answer = server.get(path)
    assert "og:" not in answer.text
