"""WebKit as far as measurements need it: a page of WebKitGTK's browser, driven by WebDriver.

Debian has it as webkit2gtk-driver, and a screen without a monitor as xvfb.
"""

import json
import os
import subprocess
import tempfile
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from waiting import until

PORT = 41999
DISPLAY = ":77"
START_SECONDS = 60
SCRIPT_SECONDS = 600
BROWSERS = Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")

_EVALUATE = """
const [given, done] = arguments;
(async () => (%s)(given))().then(
  (value) => done({ value }), (error) => done({ error: String(error) }));
"""


class WebKitPage:
    """A page; ``evaluate`` and ``goto`` are Playwright's."""

    def __init__(self, browser: Path) -> None:
        options = {"binary": str(browser), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self._session = ""
        found = self._call("", {"capabilities": wanted})
        self.version: str = found["capabilities"]["browserVersion"]
        self._session = f"/{found['sessionId']}"
        self._call("/timeouts", {"script": 1000 * SCRIPT_SECONDS})

    def goto(self, address: str) -> None:
        """Open a page, and wait until it is loaded."""
        self._call("/url", {"url": address})

    def evaluate(self, function: str, given: object = None) -> Any:  # noqa: ANN401
        """What a function of JavaScript returns, or promises."""
        found = self._call("/execute/async", {"script": _EVALUATE % function, "args": [given]})
        if "error" in found:
            raise RuntimeError(found["error"])
        return found.get("value")

    def picture(self) -> bytes:
        """What the page looks like, as PNG."""
        return b64decode(self._call("/screenshot"))

    def close(self) -> None:
        """End the browser."""
        self._call("", method="DELETE")

    def _call(self, path: str, body: object = None, *, method: str = "") -> Any:  # noqa: ANN401
        address = f"http://127.0.0.1:{PORT}/session{self._session}{path}"
        data = None if body is None else json.dumps(body).encode()
        request = Request(address, data, method=method or ("GET" if data is None else "POST"))
        try:
            with urlopen(request, timeout=SCRIPT_SECONDS) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            raise RuntimeError(error.read().decode()) from error


@contextmanager
def webkit_page() -> Iterator[WebKitPage | None]:
    """A page of the WebKit on this machine, or None where there is none."""
    browser, driver, screen = next(BROWSERS, None), which("WebKitWebDriver"), which("Xvfb")
    if browser is None or driver is None or screen is None:
        yield None
        return
    screen_command = [screen, DISPLAY, "-screen", "0", "1366x900x24"]
    with tempfile.TemporaryDirectory() as home:
        settings = {**os.environ, "HOME": home, "DISPLAY": DISPLAY, "LIBGL_ALWAYS_SOFTWARE": "1"}
        # root may not make the namespaces of its sandbox
        settings["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS"] = "1"
        programs = [
            subprocess.Popen(
                command, env=settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            for command in (screen_command, [driver, f"--port={PORT}"])
        ]
        try:
            until(_status, START_SECONDS, "WebKitWebDriver")
            page = WebKitPage(browser)
            yield page
            page.close()
        finally:
            for program in reversed(programs):
                program.terminate()
                program.wait()


def _status() -> int | None:
    """What the driver answers, once it does."""
    try:
        with urlopen(f"http://127.0.0.1:{PORT}/status", timeout=1) as answer:
            return int(answer.status)
    except OSError:  # it does not listen yet, or is slow to answer
        return None
