"""A player who sits at a browser, for tests: opens pages, clicks, plays whole games."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import which
from typing import Any, Self

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from patience import PATIENCE

CHROMIUM = which("chromium-headless-shell") or which("chromium") or "/usr/bin/chromium"
"""The browser without its own windows, menus and bars takes two thirds of the time."""
CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # each window would have a page of the browser's own behind its address bar
    "--disable-features=HttpsUpgrades,MediaRouter,OptimizationHints,PaintHolding"
    ",WebUIOmniboxPopup,WebUIOmniboxAimPopup",
]

MILLISECONDS = 1000 * PATIENCE
WHOLE_GAME = 10 * MILLISECONDS
NO_WORKERS = "delete window.Worker"
"""A script that makes a browser one that cannot work anything out itself."""
KEEPS_THE_APP: dict[str, Any] = {"service_workers": "allow"}
"""A profile in which the app installs itself, for the tests of what it does then."""
KEPT = "() => caches.match(new URL('.', location.href).href)"
"""Whether it has: the page comes last. It may be asked at any page."""

# Notes every bad toast: it goes by itself, and the clock of a page cannot be stopped here, because
# its connection to the server needs it.
NOTE_TOASTS = """() => {
  window.toasts = [];
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll(".toast.bad"))
      window.toasts.push(textContent);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""

AT_ONCE = """() => {
  const known = JSON.parse(localStorage.getItem("cantstop.prefs") ?? "{}");
  localStorage.setItem("cantstop.prefs", JSON.stringify({ ...known, pace: "at-once" }));
}"""
AGAINST = """([bot, win]) => {
  const known = JSON.parse(localStorage.getItem("cantstop.prefs") ?? "{}");
  const seats = [{ kind: "human", name: "", bot: "chick" }, { kind: "bot", name: "", bot }];
  const edition = win === 3 ? "classic" : "custom";
  const settings = { ...known.settings, bot: { ...known.settings?.bot, seats, edition, win } };
  localStorage.setItem("cantstop.prefs", JSON.stringify({ ...known, settings }));
}"""
expect.set_options(timeout=MILLISECONDS)

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
"""No line to the server has been silent since a time that is yet to come."""

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}

# Plays at the table on the page for as long as it is this browser's turn, with the buttons that a
# person has: the first move of each roll, and a stop after ``enough`` moves. It says why it ended.
ROBOT = """
async ({ enough, turns }) => {
  const table = () => document.querySelector(".table");
  const changed = () => new Promise((done) => {
    const watch = new MutationObserver(() => { watch.disconnect(); done(); });
    watch.observe(document.querySelector("#app"), { subtree: true, attributes: true, childList: true });
  });
  let made = 0;
  let left = turns;
  for (;;) {
    const now = table()?.dataset;
    if (now?.stage === "over") return "over";
    if (now?.live !== "true") { await changed(); continue; }
    if (now.phase === "roll" && left === 0) return "turns";
    if (now.phase === "move") {
      document.querySelector(".move").click();
      made += 1;
    } else if (now.phase === "choice" && made >= enough && document.querySelector(".stop[aria-disabled=false]")) {
      document.querySelector(".stop").click();
      made = 0;
      left -= 1;
    } else {
      if (now.phase === "roll") made = 0;
      document.querySelector(".roll").click();
    }
    if (table()?.dataset.live === "true") await changed();
  }
}
"""  # noqa: E501

UNTIL = """
async (arg) => {{
  for (const end = Date.now() + {patience}; !(await ({condition})(arg)); ) {{
    if (Date.now() > end) throw new Error("waited too long");
    await new Promise((done) => setTimeout(done, 20));
  }}
}}
"""


@dataclass
class ServerProcess:
    """The real server in a process of its own; it can be killed and started again."""

    database: str
    pace: float = 0.001
    port: int = 0
    absence: float = 0
    more: tuple[str, ...] = ()
    """Other options."""
    starts: datetime | None = None
    """What its clock says when it starts; that of this machine unless given."""
    _process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> Self:
        options = ["--database", self.database, "--port", str(self.port), "--pace", str(self.pace)]
        options += ["--limits", "0", "--absence", str(self.absence), *self.more]
        # the server's own tests measure its coverage; here that would only slow it down
        env = {name: value for name, value in os.environ.items() if "COVERAGE" not in name}
        starts = "now" if self.starts is None else self.starts.isoformat()
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("serve.py")), starts, *options],
            stdout=subprocess.PIPE,
            text=True,
            env=env,
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.search(r"127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                return self
        raise AssertionError("The server did not start.")

    def kill(self) -> None:
        """``kill -9``."""
        assert self._process is not None
        self._process.kill()
        self._end()

    def stop(self) -> None:
        """Stop it as an operator does."""
        assert self._process is not None
        self._process.terminate()
        self._end()

    def _end(self) -> None:
        assert self._process is not None
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


def wait_until_there(found: Locator, timeout: float = MILLISECONDS) -> None:
    """Wait for it; ``expect`` would write down the whole page whenever it is not there yet."""
    found.wait_for(state="attached", timeout=timeout)


@dataclass
class Player:
    """One browser profile with one page, and everything that went wrong on it."""

    page: Page
    url: str
    pages: str = ""
    """What stands before the path of a page: nothing, or the ``#`` of the app as static files."""
    troubles: list[str] = field(default_factory=list)

    @classmethod
    def at(cls, browser: Browser, url: str, **profile: Any) -> Self:
        """A fresh profile; movement is short, so that tests are quick.

        The app does not install itself in it unless asked to: each profile would load all of it,
        while the test goes on, and from some moment on pages would come from what is kept.
        """
        settings: dict[str, Any] = {
            "viewport": DESKTOP,
            "reduced_motion": "reduce",
            "locale": "en",
            "service_workers": "block",
            **profile,
        }
        context: BrowserContext = browser.new_context(base_url=url, **settings)
        context.set_default_timeout(MILLISECONDS)
        player = cls(context.new_page(), url)
        player.page.on("pageerror", lambda error: player.troubles.append(str(error)))
        player.page.on("console", lambda message: player._hear(message.type, message.text))
        return player

    def _hear(self, kind: str, text: str) -> None:
        if kind == "error" and "Content Security Policy" in text:
            self.troubles.append(text)

    def go(self, path: str) -> Self:
        """Open a page of the app, by its path or its whole address."""
        if self.pages:
            self.page.goto("about:blank")  # or the next page would be within the same document
        self.page.goto(path if "://" in path else f"{self.pages}{path}")
        wait_until_there(self.find("h1").first)
        return self

    def wait_for(self, condition: str, arg: object = None) -> None:
        """Wait until a function of the page answers yes, now or by its promise.

        Playwright's own `wait_for_function` is no use here: it takes a promise for a yes, and it
        evaluates text on every look but the first, which the page's security policy forbids.
        """
        self.page.evaluate(UNTIL.format(condition=condition, patience=MILLISECONDS), arg)

    def find(self, selector: str, *, has_text: str | None = None) -> Locator:
        return self.page.locator(selector, has_text=has_text)

    @property
    def address(self) -> str:
        """Where the page is now; ``page.url`` may be older."""
        return str(self.page.evaluate("location.href"))

    def close(self) -> None:
        if not self.page.is_closed():  # a route may be waiting for an answer
            self.page.unroute_all(behavior="wait")
        self.page.context.close()
        assert not self.troubles

    def stop_the_clock(self) -> Self:
        """What this page shows for a while from now on, it shows for good."""
        self.page.clock.install(time=LONG_AGO)
        self.page.clock.pause_at(LONG_AGO + timedelta(seconds=1))
        return self

    def open_review(self, record: Path) -> Self:
        """Choose the file of a record, and wait for its review."""
        self.go("/review").find("input[type=file], .another:not([hidden])").first.wait_for()
        if self.find(".another:visible").count():
            self.find(".another").click()
        self.find("input[type=file]").set_input_files(record)
        return self.more_figures()

    def more_figures(self) -> Self:
        """What is behind the story of a review: the players, the chart, every moment."""
        expect(self.find(".told-review")).to_be_visible()
        if not self.find(".more-figures[open]").count():
            self.find(".more-figures > summary").click()
        expect(self.find(".review")).to_be_visible()
        return self

    # At a table

    @property
    def table(self) -> Locator:
        return self.find(".table")

    @property
    def table_id(self) -> str:
        return self.page.url.partition("/t/")[2].partition("?")[0]

    def sees(self, **facts: object) -> Self:
        """Wait until the table is in that state: ``sees(stage="playing")``."""
        wanted = "".join(f'[data-{name}="{str(value).lower()}"]' for name, value in facts.items())
        wait_until_there(self.find(f".table{wanted}"))
        return self

    def sees_the_end(self) -> Self:
        """Wait until the game that others play, or that goes on by itself, is over."""
        wait_until_there(self.find(".table[data-stage=over]"), WHOLE_GAME)
        return self

    def take_turn(self) -> None:
        """One roll, which cannot bust, one move and a stop."""
        self.sees(phase="roll", live=True).find(".roll").click()
        self.sees(phase="move", live=True).find(".move").first.click()
        self.sees(phase="choice", live=True).find(".stop").click()

    def keep_playing(self, *, enough: int = 2) -> Self:
        """Play whenever it is this browser's turn, while the test goes on."""
        self.page.evaluate(f"(how) => void ({ROBOT})(how)", {"enough": enough, "turns": -1})
        return self

    def play(self, *, turns: int = -1, enough: int = 2) -> str:
        """Play a number of turns, or to the end of the game."""
        ended: str = self.page.evaluate(ROBOT, {"enough": enough, "turns": turns})
        return ended
