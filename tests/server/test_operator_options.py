"""What an operator gives a server: a page of their own to link to, a secret of their own."""

import os
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cantstop.cli.app import main
from cantstop.cli.serve import _read_secret
from cantstop.server import ServerOptions, create_app


@pytest.mark.parametrize(
    ("imprint", "expected"),
    [
        ("https://example.org/imprint?a=1&b=2", 'href="https://example.org/imprint?a=1&amp;b=2">'),
        (None, None),
    ],
)
def test_the_page_names_it(tmp_path: Path, imprint: str | None, expected: str | None) -> None:
    options = ServerOptions(f"sqlite:///{tmp_path}/tables.db", imprint=imprint)
    with TestClient(create_app(options)) as server:
        page = server.get("/").text
    assert ('rel="privacy-policy"' in page) == (imprint is not None)
    assert expected is None or expected in page


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "example.org", "https://a b", 'http://"']
)
def test_what_is_no_address_of_a_page_is_refused(
    tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path}/tables.db"
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--imprint", address, "--database", url, "--lang", "en"])
    assert ended.value.code == 2
    assert "is not the address of a page" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX has them")
@pytest.mark.parametrize(("mode", "warned"), [(0o600, False), (0o640, True), (0o604, True)])
def test_a_secret_that_others_can_read_is_warned_about(
    tmp_path: Path, mode: int, warned: bool, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "secret"
    file.write_text("0" * 64, "utf-8")
    file.chmod(mode)
    assert _read_secret(file) == bytes(32)
    assert ("Others can read" in caplog.text) == warned
