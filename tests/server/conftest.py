"""One running server on a real database file for all tests: their tables do not meet."""

import pytest
from starlette.testclient import TestClient

from cantstop.server import create_app, database
from cantstop.server.limits import Limits
from cantstop.server.packing import STYLES

PAGE = '<!doctype html><title>Can’t Stop</title><script src="/static/app.js"></script>'


@pytest.fixture(scope="session", autouse=True)
def quick_disk():
    """What a disk does when the power fails is not what these tests are about."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_PRAGMAS", (*database._PRAGMAS, "synchronous = OFF"))
        yield


@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="session")
def web(tmp_path_factory):
    """A browser client of a few files."""
    folder = tmp_path_factory.mktemp("web")
    for name in STYLES:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("", "utf-8")
    (folder / "index.html").write_text(PAGE, "utf-8")
    (folder / "main.js").write_text("// the client\n" * 200, "utf-8")
    (folder / "manifest.webmanifest").write_text("{}", "utf-8")
    return folder


@pytest.fixture(scope="session")
def common_url(tmp_path_factory):
    """The database of the common server."""
    return f"sqlite:///{tmp_path_factory.mktemp('common') / 'tables.db'}"


@pytest.fixture(scope="session")
def server(common_url, web):
    """The server that tests have in common; it is patient, since test machines may be slow."""
    app = create_app(common_url, pace=0, web=web, patience=600, limits=Limits().times(0))
    with TestClient(app) as running:
        yield running


@pytest.fixture
def url(tmp_path):
    """A database of one's own, for a server of one's own."""
    return f"sqlite:///{tmp_path / 'tables.db'}"
