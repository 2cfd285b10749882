"""One running server for all tests, whose tables do not meet.

It is on SQLite, as are the databases of ``url`` and ``new_url``. What SQL has a part in is tested
on both: ``each_url``, ``each_new_url`` and ``each_server`` are SQLite and PostgreSQL in turn.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cantstop.server import ServerOptions, create_app
from cantstop.server.limits import limiter
from cantstop.server.limits.policy import Limits
from cantstop.server.runtime import ratings
from cantstop.server.runtime.presence import Clocks
from cantstop.server.static.bundle import APP_STYLES, FIRST
from cantstop.server.static.modules import ROUTES, read_pages
from cantstop.server.static.pages import WEB
from live_server import quick_server  # noqa: F401 - a fixture
from postgresql import Postgres
from set_clock import SetClock

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
PAGE = '<!doctype html><title>Can’t Stop</title><script src="/static/app.js"></script>'


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A browser client of a few files."""
    folder = tmp_path_factory.mktemp("web")
    files = {f"style/{name}.css": "" for name in APP_STYLES}
    for name in (*FIRST, *read_pages(WEB).values(), "core/dom.js", "words/i18n.js"):
        files[name] = "export const made = 1;\n"
    files[ROUTES] = (WEB / ROUTES).read_text("utf-8")
    files["pages/error.js"] = files["pages/start.js"]
    files["main.js"] = 'import { routes } from "./routes.js";\n' + "// why\n" * 200
    files["index.html"] = PAGE
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    (folder / "manifest.webmanifest").write_text("{}", "utf-8")
    return folder


@pytest.fixture(scope="session", autouse=True)
def unpublished() -> None:
    """Servers of tests publish no ratings a minute after a game, while another test has its own."""
    ratings.SETTLE_SECONDS = 1e9


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL for this run of the tests; it does not wait for the disk either."""
    running = Postgres("fsync=off", "synchronous_commit=off")
    yield running
    running.close()


@pytest.fixture(scope="session")
def new_url(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], str]:
    """Makes an empty database and returns its URL."""
    return lambda: f"sqlite:///{tmp_path_factory.mktemp('database') / 'tables.db'}"


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def each_new_url(request: pytest.FixtureRequest, new_url: Callable[[], str]) -> Callable[[], str]:
    """Makes an empty database of each kind in turn."""
    if request.param == "postgresql":
        postgres: Postgres = request.getfixturevalue("postgres")
        return postgres.new_database
    return new_url


@pytest.fixture(scope="session")
def common_url(new_url: Callable[[], str]) -> str:
    """The database of the common server."""
    return new_url()


def patient_server(url: str, web: Path) -> TestClient:
    """A server for slow test machines."""
    clocks, limits = Clocks(600, 0, 0), Limits().times(0)
    return TestClient(create_app(ServerOptions(url, pace=0, web=web, clocks=clocks, limits=limits)))


@pytest.fixture(scope="session")
def server(common_url: str, web: Path) -> Iterator[TestClient]:
    """The server that tests have in common."""
    with patient_server(common_url, web) as running:
        yield running


@pytest.fixture(scope="session")
def each_server(each_new_url: Callable[[], str], web: Path) -> Iterator[TestClient]:
    """A server on each kind of database in turn, in common too."""
    with patient_server(each_new_url(), web) as running:
        yield running


@pytest.fixture
def url(new_url: Callable[[], str]) -> str:
    """A database of one's own, for a server of one's own."""
    return new_url()


@pytest.fixture
def time() -> SetClock:
    """A clock for servers of one's own."""
    return SetClock(NOON)


@pytest.fixture
def strict(
    url: str, web: Path, time: SetClock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TestClient]:
    """A server of one's own, with the usual limits; no time passes for them."""
    monkeypatch.setattr(limiter, "monotonic", lambda: 0.0)
    with TestClient(create_app(ServerOptions(url, pace=0, web=web, clock=time))) as running:
        yield running


@pytest.fixture
def each_url(each_new_url: Callable[[], str]) -> str:
    """A database of one's own of each kind in turn."""
    return each_new_url()
