"""The examples for hosts call the command as it is today."""

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cantstop.cli import main, serve
from cantstop.server import run as serving
from cantstop.server import supervisor as workers

DEPLOY = Path(__file__).parent.parent / "deploy"


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text, re.MULTILINE)
    assert match is not None, pattern
    return match[1]


def of_the_unit() -> list[str]:
    text = (DEPLOY / "cantstop.service").read_text("utf-8").replace("\\\n", " ")
    return shlex.split(found(r"^ExecStart=(.*)$", text))[1:]


def of_the_image() -> list[str]:
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    parts = [found(rf"^{part} (.*)$", text) for part in ("ENTRYPOINT", "CMD")]
    return [word for part in parts for word in json.loads(part)][1:]


@pytest.mark.parametrize("arguments", [of_the_unit(), of_the_image()], ids=["unit", "image"])
def test_they_start_a_server(arguments: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    monkeypatch.setattr(serving, "check_database", lambda _url: None)
    monkeypatch.setattr(serving, "listen", lambda host, port: (host, port))
    monkeypatch.setattr(serving, "address_of", str)
    monkeypatch.setattr(serving, "run", lambda service, *_: started.append(service))
    monkeypatch.setattr(workers, "run_workers", lambda _count, service, *_: started.append(service))
    assert arguments[0] == serve.serve.__name__
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 0
    assert [service.log.value for service in started] == ["json"]


def test_the_image_has_every_file_that_the_build_needs() -> None:
    image = (DEPLOY / "Dockerfile").read_text("utf-8")
    let_in = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").split()
    settings = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text("utf-8"))
    hatch = settings["tool"]["hatch"]
    needed = [
        *("pyproject.toml", "constraints.txt", "README.md", "src"),
        *settings["project"]["license-files"],
        hatch["build"]["hooks"]["custom"]["path"],
        hatch["metadata"]["hooks"]["custom"]["path"],
    ]
    copied = " ".join(re.findall(r"^COPY (?!--from)(.*) \S+$", image, re.MULTILINE)).split()
    assert set(needed) <= set(copied)
    assert {f"!{path}" for path in needed} <= set(let_in)


@pytest.mark.parametrize("proxy", ["nginx.conf", "Caddyfile"])
def test_proxies_let_go_of_idle_connections_before_the_server_does(proxy: str) -> None:
    text = (DEPLOY / proxy).read_text("utf-8")
    kept = found(r"^\s*keepalive(?:_timeout)? (\d+)s", text)
    assert int(kept) < serving.KEEP_ALIVE_SECONDS
