"""``cantstop serve`` as a person starts and stops it."""

import json
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.request
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from cantstop.cli import main, serve
from cantstop.server import run as serving
from patience import PATIENCE, PATIENT_SOCKET

STARTED = "Can't Stop is at http://127.0.0.1:"


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'tables.db'}"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[Any, Any, Any]]:
    def run(*arguments: str) -> tuple[Any, Any, Any]:
        with pytest.raises(SystemExit) as exit_:
            main(["serve", *arguments])
        captured = capsys.readouterr()
        return exit_.value.code or 0, captured.out, captured.err

    return run


def table(address: str) -> Any:
    """The id of a new table where a bot is at play."""
    seats = [{"kind": "bot", "bot": "careful"}, {"kind": "human", "name": "Anne", "salt": "a"}]
    request = urllib.request.Request(
        f"{address}api/tables",
        json.dumps({"mode": "hotseat", "seats": seats}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["id"]


def test_it_serves_until_ctrl_c_and_ends_cleanly(url: str) -> None:
    command = [sys.executable, "-m", "cantstop", "serve", "--port", "0", "--database", url]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith(STARTED)
        address = line.split()[4]
        with urllib.request.urlopen(address) as page:
            assert "<title>" in page.read().decode()
        with connect(
            f"ws{address.removeprefix('http')}api/tables/{table(address)}/socket", **PATIENT_SOCKET
        ) as socket:
            socket.send('{"t": "hello", "d": {}}')
            assert json.loads(socket.recv())["t"] == "state"
            process.send_signal(signal.SIGINT)
            with pytest.raises(ConnectionClosed) as closed:
                list(socket)
        _, errors = process.communicate(timeout=PATIENCE)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1012  # come back later
    assert (process.returncode, errors) == (0, "")


def test_it_says_where_it_is_and_opens_the_browser_if_asked(
    run: Callable[..., tuple[Any, Any, Any]], url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Any] = []

    class Now:
        def __init__(self, target: Any, args: Any, daemon: Any) -> None:
            self.start = lambda: target(*args)
            assert daemon

    monkeypatch.setattr(serve, "Thread", Now)
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr(serving, "run", lambda _app, listening, ready: (ready(), listening.close()))
    code, out, err = run("--port", "0", "--database", url, "--open")
    assert (code, err) == (0, "")
    assert out.startswith(STARTED)
    assert opened == [out.split()[4]]
    code, out, _ = run("--port", "0", "--database", url, "--lang", "en")
    assert out.startswith(STARTED)
    assert len(opened) == 1


def test_tables_are_kept_among_the_users_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert serve.default_database() == f"sqlite:///{tmp_path / 'cantstop' / 'tables.db'}"


def test_another_port_is_taken_if_the_usual_one_is_and_none_was_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with serving.listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(serving, "DEFAULT_PORT", port)
        with serving.listen("127.0.0.1", None) as other:
            assert other.getsockname()[1] not in (0, port)
        with pytest.raises(serving.PortTaken, match="already using port"):
            serving.listen("127.0.0.1", port)
    with serving.listen("127.0.0.1", None) as usual:
        assert usual.getsockname()[1] == port


@pytest.mark.parametrize(
    ("bound", "address"),
    [
        (("0.0.0.0", 80), "http://localhost:80/"),
        (("::", 8000, 0, 0), "http://localhost:8000/"),
        (("::1", 8000, 0, 0), "http://[::1]:8000/"),
        (("192.168.1.7", 8000), "http://192.168.1.7:8000/"),
    ],
)
def test_the_address_is_one_that_a_browser_can_open(bound: tuple[Any, ...], address: str) -> None:
    class Bound(socket.socket):
        def getsockname(self) -> Any:
            return bound

    with Bound() as listening:
        assert serving.address_of(listening) == address


def test_what_cannot_be_is_one_line_and_exit_code_2(
    run: Callable[..., tuple[Any, Any, Any]], url: str, tmp_path: Path
) -> None:
    def fails(*arguments: str) -> Any:
        code, out, err = run(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        return err

    assert "is not a database URL" in fails("--database", "mysql://x/y")
    assert "cannot be used" in fails("--database", f"sqlite:///{tmp_path}")
    assert "Cannot listen on" in fails("--database", url, "--host", "no.such.host.invalid")
    assert "Cannot listen on" in fails("--database", url, "--host", "x" * 70)
    with serving.listen("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        assert port in fails("--database", url, "--port", port)
    fails("--database", url, "--port", "99999")
    fails("--database", url, "--pace", "-1")
    fails("--database", url, "--limits", "-1")
    fails("--database", url, "--log", "xml")
    assert "is not the address of a proxy" in fails("--database", url, "--proxy", "proxy.example")
    file = sqlite3.connect(url.removeprefix("sqlite:///"))
    file.execute("UPDATE alembic_version SET version_num = 'zzzz'")
    file.commit()
    file.close()
    assert "newer version (zzzz)" in fails("--database", url)
