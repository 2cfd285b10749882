"""The browser client's modules in a page, for tools that compare what they do with Python."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from playwright.sync_api import Page

from cantstop.language import LANGUAGES
from cantstop.server.static.engine_files import engine_files
from cantstop.server.static.languages import browser_messages
from cantstop.server.static.pages import WEB

PAGE = b"<body><script type=module src=script.js></script>"
READY = '\ndocument.body.append(document.createElement("output"));\n'


class _Files(SimpleHTTPRequestHandler):
    """Made files by their names, and the client's modules."""

    def __init__(self, *args: object, made: Mapping[str, bytes], **more: object) -> None:
        self._made = made
        super().__init__(*args, **more)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        """A made file, or a module."""
        name = self.path.partition("?")[0].lstrip("/").removeprefix("static/")
        content = self._made.get(name)
        if content is None:
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(name or "index.html"))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


@contextmanager
def modules_in(page: Page, script: str) -> Iterator[None]:
    """Run a script in a page, from a server on loopback that has the modules beside it."""
    files = engine_files()
    made = {
        "": PAGE,
        "script.js": (script + READY).encode(),
        **{name: bundle.content for name, bundle in files.items()},
        **{bundle.address(name): bundle.content for name, bundle in files.items()},
        **{
            f"words/{code}/app.json": json.dumps(browser_messages(code)).encode()
            for code in LANGUAGES
        },
    }
    handler = partial(_Files, made=made, directory=str(WEB))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            page.goto(f"http://127.0.0.1:{server.server_port}/")
            page.locator("output").wait_for(state="attached")
            yield
        finally:
            server.shutdown()
            thread.join()
