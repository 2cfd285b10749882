"""Measures the first use after an installation, and the second: a hint, and a bot at a web table.

    python tools/first_start.py                      this checkout
    python tools/first_start.py ENV/bin/cantstop     what is installed in another environment

Says how long a person waits for a hint, and for the strongest bot, which is played in Chromium as
soon as the server answers. Processor time is that of all processes together; a machine with other
work to do takes longer by the clock.
"""

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from shutil import which

from playwright.sync_api import Page, sync_playwright

from cantstop.rules import Position

POSITION = "v1,players=2 -/- 1 - -"
CHROMIUM = which("chromium") or "/usr/bin/chromium"
CHROMIUM_ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic"]
LIVE = ".table[data-live=true]"
LOOK_SECONDS = 0.05


def processor_seconds() -> float:
    """What all programs that have ended took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ask_for_a_hint(command: list[str], env: dict[str, str]) -> str:
    """The seconds until the answer."""
    before, begin = processor_seconds(), time.perf_counter()
    hint = [*command, "hint", POSITION, "--dice", "2345", "--lang", "en"]
    subprocess.run(hint, env=env, stdout=subprocess.DEVNULL, check=True)
    seconds = time.perf_counter() - begin
    return f"{seconds:.1f} s, {processor_seconds() - before:.1f} s of a processor"


def play_the_champion(page: Page, url: str, begin: float) -> str:
    """Sit down, take a turn, and see when the bot makes its first move."""
    page.goto(f"{url}/new?way=bot")
    page.locator("[data-field=bot-1]").click()
    page.locator("dialog [data-bot=champion]").click()
    page.locator(".start-game").click()
    for phase, button in (("roll", ".roll"), ("move", ".move"), ("choice", ".stop")):
        page.locator(f"{LIVE}[data-phase={phase}]").wait_for()
        page.locator(button).first.click()
    table = page.url.rpartition("/t/")[2]
    asked = time.perf_counter()
    while True:
        view = page.request.get(f"{url}/api/tables/{table}").json()["view"]
        position = Position.parse(view["position"])
        if position.seat == 1 and any(position.runners):
            break
        page.wait_for_timeout(1000 * LOOK_SECONDS)
    now = time.perf_counter()
    return f"the bot moves {now - begin:.1f} s after the start, {now - asked:.1f} s after it is to"


def start_the_server(command: list[str], env: dict[str, str], folder: Path) -> str:
    """Start the server, and play at once."""
    begin = time.perf_counter()
    database = f"sqlite:///{folder / 'tables.db'}"
    server = subprocess.Popen(
        [*command, "serve", "--lang", "en", "--port", "0", "--database", database],
        env=env,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found, "the server says where it is"
        ready = time.perf_counter() - begin
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
            page = browser.new_page(locale="en", reduced_motion="reduce")
            page.set_default_timeout(120_000)
            played = play_the_champion(page, found[0].rstrip("/"), begin)
            browser.close()
    finally:
        server.terminate()
        server.wait()
    return f"the page is there after {ready:.1f} s, {played}"


def main() -> None:
    """Both, twice."""
    command = sys.argv[1:] or [sys.executable, "-m", "cantstop"]
    for what in ("hint", "web table"):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            env = {**os.environ, "XDG_DATA_HOME": str(folder / "data")}
            for word in ("first", "second"):
                if what == "hint":
                    print(f"{what}, {word}: {ask_for_a_hint(command, env)}", flush=True)
                else:
                    print(f"{what}, {word}: {start_the_server(command, env, folder)}", flush=True)


if __name__ == "__main__":
    main()
