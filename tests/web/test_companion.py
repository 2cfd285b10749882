"""A table for the real game: dice by taps and by keys, undone at will, read from afar, reviewed."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import ViewportSize, expect

from browser_player import Player
from cantstop.language import LANGUAGES
from web.axe import severe_problems

PHONE_390: ViewportSize = {"width": 390, "height": 844}
TOUCH: dict[str, Any] = {"viewport": PHONE_390, "has_touch": True, "is_mobile": True}

# Anne wins columns 2 and 12 in her first turn and column 3 in her second; Bob busts between them.
GAME = (
    *("1166 =2+12", "1166 =2+12", "1166 =2+12", "stop"),
    *("3344 =6+8", "2255 =7+7", "1111 bust"),
    *("3456 =8+10", "stop"),
    *("1212 =3+3", "1212 =3+3", "1256 =3+11", "stop"),
)

# Whether the table has gone on from event n to a decision of any seat, or of one that throws dice.
GONE_ON = """(n) => {
  const table = document.querySelector(".table").dataset;
  return Number(table.n) > n && (table.stage === "over" || table.live === "true");
}"""
DECIDED = """(n) => {
  const table = document.querySelector(".table").dataset;
  const due = table.live === "true" && table.phase !== "move";
  return Number(table.n) > n && (table.stage === "over" || due);
}"""

# Keys so fast after each other that no machine is slow enough to come between them.
PRESS = """(keys) => {
  for (const key of keys)
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}"""

# Where a finger goes to: the keys stay where they are while dice are entered.
MIDDLES = """(all) => all.map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
})"""

SETTLE = 500
"""Milliseconds, more than those after the last die in which a press is one die too many."""

# What the Wake Lock API is asked for, where there is no screen to keep awake.
COUNT_LOCKS = """
window.locks = [];
Object.defineProperty(navigator, "wakeLock", { value: {
  async request(kind) {
    const lock = { kind, released: false, async release() { this.released = true; } };
    window.locks.push(lock);
    return lock;
  },
} });
"""


def open_companion(player: Player, *, seats: int = 3, edition: str = "classic") -> Player:
    player.go("/new?way=companion").find(f"[data-field=count-{seats}]").check()
    player.find(".name-field").fill("Anne")
    expect(player.find(".seat-row select")).to_have_count(0)  # nobody can be a bot
    for at, name in enumerate(["Bob", "Cleo", "Dora"][: seats - 1], 1):
        player.find(f"[data-field=name-{at}]").fill(name)
    player.find(f"[data-field=edition-{edition}]").check()
    player.find(".start-game").click()
    player.sees(stage="playing", live=True)
    expect(player.find(".die-key")).to_have_count(6)
    return player


class Hand:
    """A person who enters dice and decides, by a clock of the test's own.

    What one press is depends on the device.
    """

    def __init__(self, player: Player) -> None:
        self.player = player
        self.presses = 0
        player.page.clock.install()

    def tap(self, selector: str) -> None:
        self.player.find(selector).tap()
        self.presses += 1

    def throw(self, dice: str) -> None:
        expect(self.player.find(".die-key").last).to_be_visible()
        keys = self.player.find(".die-key").evaluate_all(MIDDLES)
        for face in dice:
            self.player.page.touchscreen.tap(*keys[int(face) - 1])
            self.presses += 1

    def settle(self) -> None:
        """What is pressed right after the last die would be one die too many."""
        self.player.page.clock.fast_forward(SETTLE)
        expect(self.player.find(".table:not([data-settling])")).to_be_attached()

    def pick(self, move: str) -> None:
        self.settle()
        self.tap(f".move[data-move='{move}']")

    def stop(self) -> None:
        self.tap(".stop")

    def undo(self) -> None:
        self.tap(".big.undo")

    def play(self, step: str) -> None:
        """Enter dice and use them, or stop; afterwards the next decision is due."""
        n = int(self.player.table.get_attribute("data-n") or "")
        if step == "stop":
            self.stop()
        else:
            dice, use = step.split()
            self.throw(dice)
            if use != "bust":
                self.player.sees(phase="move", live=True)
                self.pick(use[1:])
        self.player.wait_for(DECIDED, arg=n)


class Keys(Hand):
    """The same by the keyboard of a desk."""

    def press(self, key: str) -> None:
        self.player.page.keyboard.press(key)
        self.presses += 1

    def throw(self, dice: str) -> None:
        self.settle()
        for face in dice:
            self.press(face)

    def pick(self, move: str) -> None:
        self.settle()
        moves = self.player.find(".moves .move").evaluate_all("all => all.map(m => m.dataset.move)")
        self.press(str(moves.index(move) + 1))

    def stop(self) -> None:
        self.press("s")

    def undo(self) -> None:
        self.press("u")


def play_game_with_wrong_entries(hand: Hand) -> None:
    player = hand.player
    hand.throw("25")  # wrong, noticed at once
    hand.undo()
    hand.undo()
    expect(player.find(".entered .filled")).to_have_count(0)
    for step in GAME[:7]:  # to Bob's bust
        hand.play(step)
    expect(player.find(".status")).to_contain_text("Cleo")
    expect(player.find(".keypad .words")).to_have_text("No split of 1 1 1 1 can be used: bust.")
    for _ in range(2):  # back into Bob's turn: the bust with its roll, and the move before it
        n = int(player.table.get_attribute("data-n") or "")
        hand.undo()
        player.wait_for(GONE_ON, arg=n)
    player.sees(phase="move")
    expect(player.find(".status")).to_contain_text("Bob")
    hand.pick("7+7")
    player.sees(phase="choice", live=True)
    for step in GAME[6:]:
        hand.play(step)
    expect(player.find(".result")).to_contain_text("Anne wins the game!")


def look_back(player: Player) -> None:
    """The record and the whole review, and what is said of the dice."""
    expect(player.find(".afterwards .own-dice")).to_contain_text("nobody can verify them")
    expect(player.find(".tile", has_text="Check the dice")).to_have_count(0)
    record = player.page.request.get(f"/api/tables/{player.table_id}/record").text()
    assert '[Dice "entered"]' in record
    assert record.rstrip().endswith("won 1")
    assert "2. (2) 3344=6+8 2255=7+7 1111=bust" in record
    player.find(".review-link").click()
    expect(player.find(".told-review h1")).to_have_text("Anne wins. Was it luck?")
    player.more_figures()
    expect(player.find(".review")).to_contain_text("Anne")


def test_a_whole_game_of_three_by_taps_alone_with_its_review(sit: Callable[..., Player]) -> None:
    player = sit(**TOUCH)
    player.page.add_init_script(COUNT_LOCKS)
    open_companion(player)
    expect(player.find(".keypad .words")).to_contain_text("Your own dice")
    assert player.page.evaluate("locks.map((lock) => lock.released)") == [False]
    hand = Hand(player)
    play_game_with_wrong_entries(hand)
    player.wait_for("() => locks.every((lock) => lock.released)")
    # the last entry was wrong as well: the game goes on, and ends again
    player.find(".undo-end").tap()
    player.sees(stage="playing", phase="choice", live=True)
    hand.stop()
    expect(player.find(".result")).to_contain_text("Anne wins the game!")
    look_back(player)


def test_a_whole_game_of_three_by_keys_alone_with_its_review(sit: Callable[..., Player]) -> None:
    player = sit()
    open_companion(player)
    keys = Keys(player)
    keys.throw("24")
    player.page.keyboard.press("7")
    expect(player.find(".toast").last).to_contain_text("A die shows 1 to 6, not 7.")
    player.page.keyboard.press("r")  # nothing is rolled but by the players
    player.page.keyboard.press("q")
    expect(player.find(".entered .filled")).to_have_count(2)
    keys.press("Backspace")
    keys.undo()
    player.page.evaluate(PRESS, list("23451"))
    expect(player.find(".toast").last).to_contain_text("The dice are complete already")
    player.sees(phase="move", rolls=1, live=True)
    keys.undo()
    player.sees(phase="roll", rolls=0, live=True)
    play_game_with_wrong_entries(keys)
    look_back(player)


def test_no_moment_has_a_serious_problem_nor_overflows(sit: Callable[..., Player]) -> None:
    player = sit(**TOUCH)
    open_companion(player, seats=4)
    hand = Hand(player)
    for print_name in ("Large print", "Normal print"):
        assert severe_problems(player) == [], "dice"
        hand.play("1166 =2+12")
        assert severe_problems(player) == [], "stop or throw again"
        hand.throw("3344")
        player.sees(phase="move", live=True)
        assert severe_problems(player) == [], "moves"
        for width, height in ((320, 568), (390, 844), (1280, 800), (844, 390)):
            player.page.set_viewport_size({"width": width, "height": height})
            expect(player.find(".move").first).to_be_in_viewport(ratio=1)
            expect(player.find(".stop")).to_be_in_viewport(ratio=1)
        player.page.set_viewport_size(PHONE_390)
        hand.pick("7+7")
        player.sees(phase="choice", live=True)
        for width, height in ((320, 568), (390, 844), (1280, 800), (844, 390)):
            player.page.set_viewport_size({"width": width, "height": height})
            for selector in (".die-key:last-child", ".big.undo", ".stop", ".board"):
                expect(player.find(selector)).to_be_in_viewport(ratio=1)
            box = player.find(".die-key").first.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 44, (print_name, width, box)
        player.page.set_viewport_size(PHONE_390)
        hand.stop()
        player.sees(phase="roll", live=True)
        player.find(".print").tap()
        expect(player.find(".print")).not_to_have_attribute("aria-label", print_name)


def test_it_is_said_in_every_language_and_fits(sit: Callable[..., Player]) -> None:
    player = sit(**TOUCH)
    player.page.set_viewport_size({"width": 320, "height": 640})
    open_companion(player, edition="trademark")
    english = {"enter your two dice", "enter your four dice", "enter your next four dice"}
    hand = Hand(player)
    for dice in ("", "12", "66", "11"):
        hand.throw(dice)
        player.sees(live=True)
        player.wait_for("() => !document.querySelector('.keypad[hidden]')")
        for language in LANGUAGES:
            player.find(".tools button").last.click()
            player.find("dialog .language").select_option(language)
            expect(player.find("html")).to_have_attribute("lang", language)
            expect(player.find("dialog .own-dice")).to_be_visible()
            expect(player.find("dialog .menu-item .icon-flag")).to_have_count(0)  # no bot plays on
            player.page.keyboard.press("Escape")
            expect(player.find("dialog")).to_have_count(0)
            said = player.find(".status").inner_text()
            assert (language == "en") is any(text in said for text in english), said
            overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            assert player.page.evaluate(overflow) <= 0, language


def test_a_record_of_entered_dice_is_never_called_verified(player: Player) -> None:
    record = (
        '[Cantstop "1"]\n[Rules "v1,players=2,win=1"]\n[Dice "entered"]\n\n'
        "1. (1) 1166=2+12 1166=2+12 1166=2+12 stop\nwon 1\n"
    )
    player.go("/verify").find(".record-text").fill(record)
    player.find("button", has_text="Check").last.click()
    verdict = player.find(".verdict")
    expect(verdict).to_contain_text(
        "The players threw and entered the dice: they cannot be verified."
    )
    expect(player.find(".verdict.yes")).to_have_count(0)
    player.find(".record-text").fill(record.replace("=2+12", "=7+8", 1))
    player.find("button", has_text="Check").last.click()
    expect(player.find(".verdict.no")).to_be_visible()


def test_help_shows_the_risk_only_where_it_was_asked_for(player: Player) -> None:
    player.go("/new?way=companion").find("[data-field=help]").check()
    player.find(".start-game").click()
    player.sees(stage="playing", live=True)
    hand = Keys(player)
    hand.play("1166 =2+12")
    expect(player.find(".entered .risk")).to_contain_text("Cannot bust")
    player.find(".bulb").click()  # hints are there on request
    player.find(".worth").first.wait_for()
    # what rolling is worth has no button here: it must not hang under another one
    expect(player.find("[data-worth=roll]")).to_have_count(0)
    expect(player.find(".controls > [data-worth=stop]")).to_be_visible()
