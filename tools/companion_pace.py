"""Measures how long a turn takes with entered dice, by taps on a phone and by keys at a desk.

    python tools/companion_pace.py

The person is scripted: 0.6 s for each press, 3 s to throw the dice and look at them, 2 s for each
decision. What the page, the browser and the server take comes on top, with all motion shown.
"""

import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser_player import CHROMIUM, CHROMIUM_ARGS, Player, ServerProcess
from web.test_companion import GAME, TOUCH, Hand, Keys, open_companion

PRESS, THROW, DECIDE = 0.6, 3.0, 2.0
IN_MOTION = {"reduced_motion": "no-preference"}


class Unhurried(Hand):
    """Takes a person's time."""

    def throw(self, dice: str) -> None:
        time.sleep(THROW)
        super().throw(dice)

    def pick(self, move: str) -> None:
        time.sleep(DECIDE)
        super().pick(move)

    def stop(self) -> None:
        time.sleep(DECIDE)
        super().stop()


class Tapping(Unhurried):
    """With a finger."""

    def tap(self, selector: str) -> None:
        time.sleep(PRESS)
        super().tap(selector)


class Typing(Unhurried, Keys):
    """With a keyboard."""

    def press(self, key: str) -> None:
        time.sleep(PRESS)
        super().press(key)


def seconds_of_turns(hand: Hand) -> list[float]:
    """How long each turn of a whole game takes."""
    turns, since = [], time.monotonic()
    for step in GAME:
        hand.play(step)
        if step == "stop" or step.endswith("bust"):
            turns.append(time.monotonic() - since)
            since = time.monotonic()
    return turns


def main() -> None:
    """Play the game twice."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(f"sqlite:///{folder}/tables.db").start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        try:
            for name, kind, profile in (("taps", Tapping, TOUCH), ("keys", Typing, {})):
                player = Player.at(browser, server.url, **profile, **IN_MOTION)
                turns = seconds_of_turns(kind(open_companion(player)))
                player.close()
                each = "  ".join(f"{turn:.1f}" for turn in turns)
                print(f"{name}: {len(turns)} turns, {each} s; the longest {max(turns):.1f} s")
        finally:
            browser.close()
            server.kill()


if __name__ == "__main__":
    main()
