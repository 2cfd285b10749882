"""Counts the frames that animations drop on a page slowed down four times, as a phone would be.

Every animation of a dangerous roll, a bust and a win is played by the client's own functions. The
share of dropped frames is compared with that of the same page at rest, measured in turns: a busy
machine drops frames of both. What the page itself is to blame for is found without slowing it down:
tasks of the main thread whose own time, four times as long, does not leave room for a frame.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browser_player import CHROMIUM, CHROMIUM_ARGS, ServerProcess
from main_thread import traced

SLOWER = 4
ROUNDS = 5
FRAME = 1_000_000 / 60
"""Microseconds."""

# Frames while something happens, or for as long as it takes at rest.
FRAMES = """
async (act) => {
  const load = (name) => import(`/static/${name}.js`);
  const [{ shake, stamp }, { celebrate }, { createDice }] = await Promise.all(
    ["table/effects/animations", "table/effects/celebration", "board/dice"].map(load));
  const area = document.querySelector(".board-area");
  const dice = createDice();
  const acts = {
    rest: () => new Promise((done) => setTimeout(done, 1500)),
    roll: async () => {
      document.querySelector(".throw").append(dice.element);
      area.classList.add("suspense");
      await dice.settle([1, 2, 3, 4], true);
      area.classList.remove("suspense");
      dice.element.remove();
    },
    bust: async () => { shake(area); await stamp(area, "Bust!", "bust", 1200); },
    win: async () => {
      celebrate(["#ffd21f"]);
      await new Promise((done) => setTimeout(done, 3000));
    },
  };
  const times = [];
  let on = true;
  const frame = (now) => { times.push(now); if (on) requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  await acts[act]();
  on = false;
  const gaps = times.slice(1).map((time, at) => time - times[at]);
  const late = gaps.map((gap) => Math.max(0, Math.round(gap / (1000 / 60)) - 1));
  const dropped = late.reduce((sum, each) => sum + each, 0);
  return [gaps.length, dropped];
}
"""


def at_a_table(page: Page, url: str) -> CDPSession:
    """Begin a game, up to its first choice."""
    page.goto(url)
    page.locator("[data-way=bot]").click()
    page.locator(".table[data-live=true] .roll").click()
    page.locator(".move").first.click()
    page.locator(".table[data-phase=choice]").wait_for()
    return page.context.new_cdp_session(page)


def own_times(browser: Browser, page: Page, act: str) -> list[float]:
    """What each task of the main thread takes of a slower page's time, without other programs."""
    with traced(browser, page) as work:
        page.evaluate(FRAMES, act)
    return [SLOWER * task.get("tdur", 0) for task in work.tasks]


def main() -> None:
    """Print how many frames each animation draws and drops."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(f"sqlite:///{folder}/tables.db").start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        try:
            page = browser.new_page(viewport={"width": 390, "height": 844})
            tools = at_a_table(page, server.url)
            sums = {act: [0, 0] for act in ("rest", "roll", "bust", "win")}
            own: dict[str, list[float]] = {act: [] for act in sums}
            for _ in range(ROUNDS):
                for act, found in sums.items():
                    tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
                    drawn, dropped = page.evaluate(FRAMES, act)
                    found[0] += drawn
                    found[1] += dropped
                    tools.send("Emulation.setCPUThrottlingRate", {"rate": 1})
                    own[act] += own_times(browser, page, act)
            for act, (drawn, dropped) in sums.items():
                share = 100 * dropped / max(1, drawn + dropped)
                late, longest = sum(time > FRAME for time in own[act]), max(own[act], default=0)
                print(
                    f"{act:6} {drawn:5} frames drawn, {dropped:4} dropped ({share:.1f} %)", end=""
                )
                print(f", {late:3} tasks longer than a frame, the longest {longest / 1000:.1f} ms")
        finally:
            browser.close()
            server.kill()


if __name__ == "__main__":
    main()
