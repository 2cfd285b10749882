"""Measures the table page in Chromium: how much it loads, how soon it is usable, how a click feels.

A phone is emulated by Chromium itself: a slower processor, and a network with latency and limited
bandwidth, as its developer tools do. A bare picture, loaded in the same run under the same
conditions, shows what network and machine take by themselves. The processor time of the page
tells what a busy machine hides: how much work there is.
"""

import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from playwright.sync_api import (
    Browser,
    BrowserContext,
    CDPSession,
    Page,
    StorageState,
    sync_playwright,
)

CHROMIUM = which("chromium") or "/usr/bin/chromium"
CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    # each window would have a page of the browser's own, which takes processor time from ours
    "--disable-features=OptimizationHints,PaintHolding,WebUIOmniboxPopup,WebUIOmniboxAimPopup",
]
RUNS = 7
USABLE = ".table[data-live=true]"

# Tells when the table that waits for its player has been painted.
WATCH = """
const watch = new MutationObserver(() => {
  if (!document.querySelector(".table[data-live=true]")) return;
  watch.disconnect();
  requestAnimationFrame(() => setTimeout(() => console.info("usable", performance.now())));
});
watch.observe(document, { subtree: true, childList: true, attributes: true });
"""

# Clicks on Roll; returns the milliseconds until the pressed button has been painted.
CLICK = """
() => new Promise((done) => {
  const button = document.querySelector(".roll");
  const start = performance.now();
  button.click();
  const painted = () => button.classList.contains("pressed")
    ? requestAnimationFrame(() => done(performance.now() - start))
    : requestAnimationFrame(painted);
  painted();
})
"""


@dataclass(frozen=True)
class Phone:
    """What a phone is slower at."""

    name: str
    latency: float
    megabits: float
    processor: float


# WebPageTest's LTE, and the “Fast 4G” of Chromium's developer tools.
PHONES = (
    Phone("LTE phone", latency=70, megabits=12, processor=4),
    Phone("fast 4G phone", latency=165, megabits=8.1, processor=4),
)
DESK = Phone("desk", latency=0, megabits=1000, processor=1)


@contextmanager
def serving(environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """The server in a process of its own; returns its address."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{Path(folder) / 'tables.db'}"
        command = [sys.executable, "-m", "cantstop", "serve", "--port", "0", "--database", database]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        try:
            assert process.stdout is not None
            found = re.search(r"http://[^/]+", process.stdout.readline())
            assert found is not None
            yield found[0]
        finally:
            process.terminate()
            process.wait()


def on_phone(browser: Browser, phone: Phone, seat: StorageState) -> tuple[BrowserContext, Page]:
    """A page with an empty cache on a phone."""
    context = browser.new_context(
        viewport={"width": 360, "height": 740},
        device_scale_factor=2,
        is_mobile=True,
        has_touch=True,
        storage_state=seat,
        service_workers="block",
    )
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    network = {
        "offline": False,
        "latency": phone.latency,
        "downloadThroughput": phone.megabits * 125_000,
        "uploadThroughput": phone.megabits * 125_000,
    }
    tools.send("Network.emulateNetworkConditions", network)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": phone.processor})
    return context, page


def time_to_usable(browser: Browser, phone: Phone, seat: StorageState, url: str) -> float:
    """Milliseconds from the navigation until Roll can be pressed."""
    context, page = on_phone(browser, phone, seat)
    page.add_init_script(WATCH)
    # a locator would have the slow processor do work of its own
    with page.expect_console_message(lambda message: message.text.startswith("usable")) as usable:
        page.goto(url, wait_until="commit")
    context.close()
    return float(usable.value.text.split()[1])


def processor_time(browser: Browser, seat: StorageState, url: str) -> float:
    """Milliseconds that the page's processor is busy until Roll can be pressed, without a brake."""
    context, page = on_phone(browser, DESK, seat)
    tools = context.new_cdp_session(page)
    tools.send("Performance.enable")
    before = _busy(tools)
    page.add_init_script(WATCH)
    with page.expect_console_message(lambda message: message.text.startswith("usable")):
        page.goto(url, wait_until="commit")
    took = _busy(tools) - before
    context.close()
    return took


def _busy(tools: CDPSession) -> float:
    metrics = tools.send("Performance.getMetrics")["metrics"]
    return 1000 * next(float(each["value"]) for each in metrics if each["name"] == "ProcessTime")


def time_of_a_picture(browser: Browser, phone: Phone, seat: StorageState, url: str) -> float:
    """Milliseconds that one small file takes."""
    context, page = on_phone(browser, phone, seat)
    page.goto(url)
    took = float(page.evaluate("() => performance.getEntriesByType('navigation')[0].loadEventEnd"))
    context.close()
    return took


def load_sizes(browser: Browser, seat: StorageState, url: str) -> list[int]:
    """The bytes of every answer on the first load."""
    context = browser.new_context(storage_state=seat, service_workers="block")
    page, sizes = _weighed(context)
    page.goto(url)
    page.locator(USABLE).wait_for()
    page.wait_for_load_state("networkidle")
    context.close()
    return sizes


def newcomer_sizes(browser: Browser, url: str, language: str) -> list[int]:
    """The bytes of every answer from the start page to a table that waits for its first roll."""
    context = browser.new_context(base_url=url, locale=language)
    page, sizes = _weighed(context)
    page.goto("/")
    page.wait_for_load_state("networkidle")
    page.locator("[data-way=bot]").click()
    page.locator(USABLE).wait_for()
    page.wait_for_load_state("networkidle")
    context.close()
    return sizes


def _weighed(context: BrowserContext) -> tuple[Page, list[int]]:
    """A page, and a list that gets the bytes of every answer to it."""
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    sizes: list[int] = []
    tools.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    return page, sizes


def click_times(browser: Browser, url: str) -> list[float]:
    """Milliseconds until a click is acknowledged on screen, at a desk."""
    page = browser.new_context(base_url=url, reduced_motion="reduce").new_page()
    page.goto("/")
    found = []
    for _ in range(RUNS):
        page.goto("/")
        page.locator("[data-way=hotseat]").click()
        page.locator(USABLE).wait_for()
        found.append(float(page.evaluate(CLICK)))
    return found


def described(times: list[float]) -> str:
    """Median and best of some milliseconds."""
    return f"{statistics.median(times):6.0f} ms (best {min(times):.0f})"


def opened_table(browser: Browser, url: str) -> tuple[str, StorageState]:
    """The address of a new table, and what a browser with a seat there has stored."""
    opener = browser.new_context(base_url=url)
    page = opener.new_page()
    page.goto("/")
    page.locator("[data-way=bot]").click()
    page.locator(USABLE).wait_for()
    table, seat = page.url, opener.storage_state()
    opener.close()
    return table, seat


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        yield browser
        browser.close()


def main() -> None:
    """Print everything."""
    with serving() as url, browsing() as browser:
        table, seat = opened_table(browser, url)
        for language in ("en", "de"):
            sizes = newcomer_sizes(browser, url, language)
            print(
                f"start page to the first roll ({language}): {sum(sizes) / 1000:.1f} kB "
                f"in {len(sizes)} answers"
            )
        sizes = load_sizes(browser, seat, table)
        print(f"table page, first load: {sum(sizes) / 1000:.1f} kB in {len(sizes)} answers")
        busy = [processor_time(browser, seat, table) for _ in range(RUNS)]
        print(f"processor time of the page {described(busy)}")
        for phone in PHONES:
            print(
                f"{phone.name} ({phone.latency:.0f} ms, {phone.megabits:g} Mbit/s, "
                f"{phone.processor:g} times slower), {RUNS} runs:"
            )
            bare = [
                time_of_a_picture(browser, phone, seat, f"{url}/static/icons/icon.svg")
                for _ in range(RUNS)
            ]
            usable = [time_to_usable(browser, phone, seat, table) for _ in range(RUNS)]
            print(f"  a bare picture  {described(bare)}")
            print(f"  table usable    {described(usable)}")
            print(f"  ratio           {statistics.median(usable) / statistics.median(bare):6.1f}")
        print(f"click acknowledged  {described(click_times(browser, url))}")


if __name__ == "__main__":
    main()
