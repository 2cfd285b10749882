"""The browser client's files, and the headers that guard them."""

import os
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from cantstop.server.static.pages import WEB


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/new",
        "/t/abc123",
        "/rules",
        "/learn",
        "/games",
        "/daily",
        "/review",
        "/t/abc123/review",
        "/analysis",
        "/odds",
        "/drill",
        "/guide",
        "/guide/card",
    ],
)
def test_every_address_of_the_client_gets_its_page(server: TestClient, address: str) -> None:
    answer = server.get(address)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert "Can’t Stop" in answer.text


def test_an_address_that_is_none_gets_the_page_too_so_that_it_can_say_so(
    server: TestClient,
) -> None:
    answer = server.get("/nowhere/at/all")
    assert answer.status_code == 404
    assert "Can’t Stop" in answer.text


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("main.js", "text/javascript; charset=utf-8"),
        ("manifest.webmanifest", "application/manifest+json"),
        ("index.html", "text/html; charset=utf-8"),
    ],
)
def test_files_have_the_types_that_browsers_ask_for(
    server: TestClient, file: str, kind: str
) -> None:
    answer = server.get(f"/static/{file}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == kind


def test_a_browser_that_has_a_file_is_not_sent_it_again(server: TestClient) -> None:
    first = server.get("/static/main.js")
    known = {"If-None-Match": first.headers["etag"]}
    assert server.get("/static/main.js", headers=known).status_code == 304
    assert server.get("/static/main.js", headers={"If-None-Match": '"old"'}).status_code == 200


def test_large_files_are_compressed(server: TestClient) -> None:
    answer = server.get("/static/main.js")
    assert answer.headers["content-encoding"] == "gzip"
    assert (
        server.get("/static/main.js", headers={"Accept-Encoding": "identity"}).text == answer.text
    )


@pytest.mark.parametrize(
    "path", ["../tables.db", "..%2ftables.db", "%2e%2e/tables.db", "/etc/passwd"]
)
def test_nothing_outside_the_clients_folder_is_served(server: TestClient, path: str) -> None:
    assert server.get(f"/static/{path}").status_code == 404


@pytest.mark.parametrize("address", ["/", "/static/main.js", "/api/editions", "/api/tables/none"])
def test_every_answer_tells_the_browser_to_be_strict(server: TestClient, address: str) -> None:
    headers = server.get(address).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    # the engine's module is compiled; no text becomes a script
    assert policy.count("unsafe") == policy.count("'wasm-unsafe-eval'") == 1
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "camera=()" in headers["permissions-policy"]


def test_no_page_of_the_framework_with_scripts_from_elsewhere_is_served(server: TestClient) -> None:
    for address in ("/docs", "/redoc"):
        assert "Can’t Stop" in server.get(address).text
    assert "/api/tables/{table_id}" in server.get("/api/openapi.json").json()["paths"]


def test_the_real_client_is_in_the_package() -> None:
    assert (WEB / "index.html").is_file()


def test_a_file_that_changed_is_sent_although_its_time_and_size_did_not(
    server: TestClient, web: Path
) -> None:
    file = web / "changing.svg"
    file.write_text("<svg one/>", "utf-8")
    times = file.stat()
    known = {"If-None-Match": server.get("/static/changing.svg").headers["etag"]}
    file.write_text("<svg two/>", "utf-8")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert server.get("/static/changing.svg", headers=known).text == "<svg two/>"


def test_a_bundle_that_the_page_names_by_its_content_is_kept_for_good(server: TestClient) -> None:
    address, *_ = re.findall(r"/static/app\.\w+\.js", server.get("/").text)
    assert "immutable" in server.get(address).headers["cache-control"]
    assert server.get("/static/app.js").headers["cache-control"] == "no-cache"


def test_the_bundle_of_another_release_is_not_taken_for_this_one_s(server: TestClient) -> None:
    assert server.get("/static/app.01234567.js").status_code == 404


def test_a_running_server_keeps_the_bundles_that_it_has_built(
    server: TestClient, web: Path
) -> None:
    before = server.get("/").text
    page = web / "pages" / "start.js"
    known = page.read_text("utf-8")
    page.write_text("export const changed = 1;\n", "utf-8")
    assert server.get("/").text == before
    page.write_text(known, "utf-8")


def test_the_browser_fetches_what_the_client_needs_while_the_page_is_on_its_way(
    server: TestClient,
) -> None:
    assert early(server.get("/")) == ["/static/app.css", "/static/app.js"]
    assert early(server.get("/t/abc"))[2:] == ["/api/tables/abc"]
    assert early(server.get("/t/%22%3E%0D%0Aa,b"))[2:] == ["/api/tables/%22%3E%0D%0Aa%2Cb"]
    review = "/static/pages-review.js"
    assert early(server.get("/review"))[2:] == [review]
    assert early(server.get("/t/abc/review"))[2:] == [review, "/api/tables/abc"]
    french = server.get("/rules", headers={"Accept-Language": "fr"})
    assert early(french)[2:] == [
        "/static/words/fr/app.json",
        "/static/pages-rules.js",
        "/static/words/fr/pages-rules.json",
    ]
    assert early(server.get("/nowhere")) == early(server.get("/"))


def test_what_the_browser_is_told_to_fetch_is_there_for_good(server: TestClient) -> None:
    page = server.get("/rules", headers={"Accept-Language": "fr"})
    addresses = re.findall(r"<(/static/[^>]+)>", page.headers["link"])
    assert len(addresses) == 5
    for address in addresses:
        answer = server.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]


def test_a_bundle_is_sent_packed_to_who_can_unpack_it(server: TestClient) -> None:
    packed = server.get("/static/app.js")
    plain = server.get("/static/app.js", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.text == plain.text
    assert "accept-encoding" in plain.headers["vary"].lower()
    known = {"If-None-Match": packed.headers["etag"]}
    again = server.get("/static/app.js", headers=known)
    assert (again.status_code, again.content) == (304, b"")
    assert server.get("/static/app.js", headers={**known, "Accept-Encoding": ""}).text == plain.text


def early(page: Any) -> list[Any]:
    """What the page's header names, without the hashes."""
    links = (link.partition(">")[0][1:] for link in page.headers["link"].split(", "))
    return [re.sub(r"\.[0-9a-f]{8}(?=\.\w+$)", "", link) for link in links]
