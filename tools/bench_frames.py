"""Counts the frames that animations drop on a page slowed down four times, as a phone would be.

Every animation of a dangerous roll, a bust and a win is played by the client's own functions. The
share of dropped frames is compared with that of the same page at rest, measured in turns: a busy
machine drops frames of both.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import CDPSession, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browser_player import CHROMIUM, CHROMIUM_ARGS, ServerProcess

SLOWER = 4
ROUNDS = 5

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
    """Begin a game, up to its first choice, and slow the page down."""
    page.goto(url)
    page.locator("[data-way=bot]").click()
    page.locator(".table[data-live=true] .roll").click()
    page.locator(".move").first.click()
    page.locator(".table[data-phase=choice]").wait_for()
    tools = page.context.new_cdp_session(page)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return tools


def main() -> None:
    """Print how many frames each animation draws and drops."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(f"sqlite:///{folder}/tables.db").start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        try:
            page = browser.new_page(viewport={"width": 390, "height": 844})
            at_a_table(page, server.url)
            sums = {act: [0, 0] for act in ("rest", "roll", "bust", "win")}
            for _ in range(ROUNDS):
                for act, found in sums.items():
                    drawn, dropped = page.evaluate(FRAMES, act)
                    found[0] += drawn
                    found[1] += dropped
            for act, (drawn, dropped) in sums.items():
                share = 100 * dropped / max(1, drawn + dropped)
                print(f"{act:6} {drawn:5} frames drawn, {dropped:4} dropped ({share:.1f} %)")
        finally:
            browser.close()
            server.kill()


if __name__ == "__main__":
    main()
