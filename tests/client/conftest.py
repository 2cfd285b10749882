"""One running server for all tests of the client, whose tables do not meet."""

from collections.abc import Iterator

import pytest

from live_server import LiveServer, live_server, quick_server  # noqa: F401 - a fixture


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(f"sqlite:///{tmp_path_factory.mktemp('client') / 'tables.db'}") as running:
        yield running
