"""Counts the frames that animations drop on a page slowed down four times, as a phone would be.

Every animation of a dangerous roll, a bust and a win is played by the client's own functions; then
some turns of a game against a bot, by taps. The share of dropped frames is compared with that of
the same page at rest, measured in turns: a busy machine drops frames of both. What the page itself
is to blame for is found without slowing it down: tasks of the main thread whose own time, four
times as long, does not leave room for a frame.
"""

import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from browser_player import CHROMIUM, CHROMIUM_ARGS, ServerProcess
from main_thread import traced

SLOWER = 4
ROUNDS = 5
EVENTS = 40
"""Of the game in each round: rolls, moves, stops, busts."""
FRAME = 1_000_000 / 60
"""Microseconds."""

# Counts the frames while something happens.
COUNT = """
async (happens) => {
  const times = [];
  let on = true;
  const frame = (now) => { times.push(now); if (on) requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  await happens();
  on = false;
  const gaps = times.slice(1).map((time, at) => time - times[at]);
  const late = gaps.map((gap) => Math.max(0, Math.round(gap / (1000 / 60)) - 1));
  const dropped = late.reduce((sum, each) => sum + each, 0);
  return [gaps.length, dropped];
}
"""

# Frames of an animation, or for as long as it takes at rest.
ANIMATION = """
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
  return COUNT(acts[act]);
}
""".replace("COUNT", f"({COUNT})")

# Frames of a game: rolls and moves by taps, and a stop after three of these.
GAME = """
(events) => COUNT(async () => {
  const table = () => document.querySelector(".table").dataset;
  let steps = 0;
  for (const end = Number(table().n) + events; Number(table().n) < end; ) {
    await new Promise((done) => setTimeout(done, 100));
    if (table().stage === "over") return;
    if (table().live !== "true") continue;
    const moving = table().phase === "move";
    const stops = table().phase === "choice" && steps >= 3;
    steps = moving ? steps + 1 : stops ? 0 : steps;
    document.querySelector(moving ? ".move" : stops ? ".stop" : ".roll").click();
  }
})
""".replace("COUNT", f"({COUNT})")


@dataclass
class Frames:
    """What became of the frames while something happened."""

    drawn: int = 0
    dropped: int = 0
    tasks: list[float] = field(default_factory=list)
    """What each task of the main thread takes of a slower page's time, without other programs."""

    def __str__(self) -> str:
        share = 100 * self.dropped / max(1, self.drawn + self.dropped)
        late, longest = sum(time > FRAME for time in self.tasks), max(self.tasks, default=0)
        return (
            f"{self.drawn:5} frames drawn, {self.dropped:4} dropped ({share:.1f} %), "
            f"{late:3} tasks longer than a frame, the longest {longest / 1000:.1f} ms"
        )


@dataclass
class Phone:
    """A page at a table, with the tools that slow it down."""

    browser: Browser
    page: Page
    tools: CDPSession

    def measure(self, script: str, arg: object, found: Frames) -> None:
        """Let it happen twice: on a slower page, and with every task's own time."""
        self.tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        drawn, dropped = self.page.evaluate(script, arg)
        found.drawn += drawn
        found.dropped += dropped
        self.tools.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        with traced(self.browser, self.page) as work:
            self.page.evaluate(script, arg)
        found.tasks += [SLOWER * task.get("tdur", 0) for task in work.tasks]


def at_a_table(browser: Browser, url: str) -> Phone:
    """Begin a game, up to its first choice."""
    page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(url)
    page.locator("[data-way=bot]").tap()
    page.locator(".table[data-live=true] .roll").tap()
    page.locator(".move").first.tap()
    page.locator(".table[data-phase=choice]").wait_for()
    page.wait_for_load_state("networkidle")
    return Phone(browser, page, page.context.new_cdp_session(page))


def main() -> None:
    """Print how many frames each animation draws and drops."""
    found = {act: Frames() for act in ("rest", "roll", "bust", "win", "game")}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(f"sqlite:///{folder}/tables.db").start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        try:
            for _ in range(ROUNDS):
                phone = at_a_table(browser, server.url)
                phone.measure(GAME, EVENTS, found["game"])
                phone.page.context.close()
                phone = at_a_table(browser, server.url)
                for act in ("rest", "roll", "bust", "win"):
                    phone.measure(ANIMATION, act, found[act])
                phone.page.context.close()
        finally:
            browser.close()
            server.kill()
    for act, frames in found.items():
        print(f"{act:6} {frames}")


if __name__ == "__main__":
    main()
