"""Firefox as far as measurements need it: a page in which functions are evaluated.

Playwright drives a Firefox of its own only. Any other one listens to Marionette, its own protocol:
lists of JSON over a socket, each after its length.
"""

import json
import socket
import subprocess
import tempfile
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import Any

from waiting import until

START_SECONDS = 120
PREFERENCES = {
    "marionette.port": 0,  # any that is free
    "privacy.reduceTimerPrecision": False,
    "app.update.auto": False,
    "datareporting.policy.dataSubmissionEnabled": False,
}

# a part of the script, since the policy of a page forbids to evaluate text
_EVALUATE = """
const [given, done] = arguments;
(async () => (%s)(given))().then(
  (value) => done({ value }), (error) => done({ error: String(error) }));
"""


class FirefoxPage:
    """A page; ``evaluate`` is Playwright's."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), START_SECONDS)
        self._stream = self._socket.makefile("rb")
        self._number = 0
        self._read()  # who is there
        found = self._call("WebDriver:NewSession", {})
        self.version: str = found["capabilities"]["browserVersion"]
        self._call("WebDriver:SetTimeouts", {"script": 1000 * START_SECONDS})
        self._call("WebDriver:Navigate", {"url": "about:blank"})

    def goto(self, address: str) -> None:
        """Open a page, and wait until it is loaded."""
        self._call("WebDriver:Navigate", {"url": address})

    def picture(self) -> bytes:
        """What the page looks like, as PNG."""
        return b64decode(self._call("WebDriver:TakeScreenshot", {"full": False})["value"])

    def evaluate(self, function: str, given: object = None) -> Any:  # noqa: ANN401
        """What a function of JavaScript returns, or promises."""
        asked = {"script": _EVALUATE % function, "args": [given], "sandbox": None}
        found = self._call("WebDriver:ExecuteAsyncScript", asked)["value"]
        if "error" in found:
            raise RuntimeError(found["error"])
        return found.get("value")

    def _call(self, command: str, parameters: dict[str, Any]) -> Any:  # noqa: ANN401
        self._number += 1
        text = json.dumps([0, self._number, command, parameters]).encode()
        self._socket.sendall(b"%d:%b" % (len(text), text))
        _, _, error, result = self._read()
        if error is not None:
            raise RuntimeError(error["message"])
        return result

    def _read(self) -> Any:  # noqa: ANN401
        length = b""
        while (byte := self._stream.read(1)) != b":":
            length += byte
        return json.loads(self._stream.read(int(length)))


@contextmanager
def firefox_page() -> Iterator[FirefoxPage | None]:
    """A page of the Firefox on this machine, or None where there is none."""
    command = which("firefox-esr") or which("firefox")
    if command is None:
        yield None
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = (f'user_pref("{key}", {json.dumps(one)});' for key, one in PREFERENCES.items())
        (folder / "user.js").write_text("\n".join(lines), "utf-8")
        browser = subprocess.Popen(
            [command, "--headless", "--marionette", "--no-remote", "--profile", name],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={"HOME": name, "PATH": "/usr/bin:/bin"},
        )
        try:
            file = folder / "MarionetteActivePort"
            yield FirefoxPage(until(lambda: _port(file), START_SECONDS, "Firefox"))
        finally:
            browser.terminate()
            browser.wait()


def _port(file: Path) -> int | None:
    """Where it listens, once it does."""
    text = file.read_text("utf-8") if file.is_file() else ""
    return int(text) if text else None
