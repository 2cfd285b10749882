"""A roll at a large risk: the last die takes longer, the stake pulses, survival is cheered."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

import cantstop
from browser_player import Player
from web.conftest import Finished

# One roll on an empty area, by the very functions of the table; what was to be seen meanwhile.
ROLL = """
async ({ risk, bust }) => {
  const load = (name) => import(`/static/${name}.js`);
  const [{ showEvent }, { createDice }] = await Promise.all(
    ["table/effects/events", "board/dice"].map(load));
  const area = document.createElement("div");
  const dice = createDice();
  area.className = "board-area";
  document.body.append(area, dice.element);
  const seen = new Set();
  new MutationObserver(() => {
    for (const name of ["suspense", "last-one"])
      if (area.classList.contains(name) || dice.element.classList.contains(name)) seen.add(name);
  }).observe(document.body, { subtree: true, attributes: true });
  const view = (more) => (
    { phase: "choice", bust_chance: [risk, 100], dice: null, turn: 1, ...more });
  const seats = [{ name: "Anne", bot: null, colour: 0 }];
  const state = (more) => ({ dice: "sealed", seats, log: [], stage: "playing", view: view(more) });
  const event = { kind: "rolled", n: 1, seat: 0, data: { dice: [1, 2, 3, 4] } };
  const after = state(bust ? { phase: "bust" } : { phase: "move", dice: [1, 2, 3, 4] });
  const scene = { area, dice, players: { at: () => undefined }, draw: () => {}, mine: [0] };
  await showEvent(scene, event, state({}), after);
  const dots = [...dice.element.querySelectorAll(".pips")].flatMap(
    (one) => one.getAttribute("d").match(/M/g));
  return { seen: [...seen].sort(), pips: dots.length,
    word: area.querySelector(".stamp")?.textContent ?? "" };
}
"""


# What a phone is asked to do when a risk was survived, runners fall and a column is won.
FELT = """
async (sound) => {
  const load = (name) => import(`/static/${name}.js`);
  const [{ showEvent }, { createDice }, { remember }] = await Promise.all(
    ["table/effects/events", "board/dice", "core/prefs"].map(load));
  remember({ sound });
  const felt = [];
  navigator.vibrate = (pattern) => felt.push(pattern.length) > 0;
  const area = document.createElement("div");
  const dice = createDice();
  document.body.append(area, dice.element);
  const seats = [{ name: "Anne", bot: null, colour: 0 }];
  const state = (more) => ({ dice: "sealed", seats, log: [], stage: "playing",
    view: { phase: "choice", bust_chance: [45, 100], dice: null, turn: 1, ...more } });
  const scene = { area, dice, players: { at: () => undefined }, draw: () => {}, mine: [0] };
  const thrown = [1, 2, 3, 4];
  const show = (kind, data, after) =>
    showEvent(scene, { kind, n: 1, seat: 0, data }, state({}), state(after));
  await show("rolled", { dice: thrown }, { phase: "move", dice: thrown });
  await show("busted", {}, { phase: "roll" });
  await show("stopped", { won: [7] }, { phase: "roll" });
  await show("stopped", { won: [] }, { phase: "roll" });
  return felt;
}
"""


@pytest.mark.parametrize(
    ("motion", "sound", "felt"),
    [("no-preference", True, [3, 3, 3]), ("reduce", True, []), ("no-preference", False, [])],
)
def test_a_phone_vibrates_unless_its_owner_wants_no_motion_or_no_sound(
    sit: Callable[..., Player], motion: str, sound: bool, felt: list[int]
) -> None:
    player = sit(reduced_motion=motion).go("/rules")
    assert player.page.evaluate(FELT, sound) == felt


# What is read of the layout while a roll, a bust and a column are shown: where a text is fitted to
# its box, after the frame's own layout, and elsewhere, which makes the browser lay the page out.
READS = """
async () => {
  const reads = { fitting: 0, elsewhere: [] };
  let fitting = false;
  const note = (name) => { if (fitting) reads.fitting += 1; else reads.elsewhere.push(name); };
  for (const owner of [Element.prototype, HTMLElement.prototype])
    for (const name of Object.getOwnPropertyNames(owner)) {
      const found = Object.getOwnPropertyDescriptor(owner, name);
      if (/^(scroll|client|offset)(Width|Height|Top|Left)$/.test(name))
        Object.defineProperty(owner, name,
          { ...found, get() { note(name); return found.get.call(this); } });
      if (name.startsWith("getBounding") || name.startsWith("getClientR"))
        owner[name] = function () { note(name); return found.value.call(this); };
    }
  window.ResizeObserver = class extends ResizeObserver {
    constructor(callback) {
      super((...found) => { fitting = true; callback(...found); fitting = false; });
    }
  };
  const load = (name) => import(`/static/${name}.js`);
  const [{ showEvent }, { createDice }, { createPlayers }] = await Promise.all(
    ["table/effects/events", "board/dice", "table/panels/players"].map(load));
  const area = document.createElement("div");
  const [dice, players] = [createDice(), createPlayers()];
  document.body.append(area, dice.element, players.element);
  const seats = [{ kind: "human", name: "Anne", bot: null, colour: 0 }];
  const state = (view) => ({ mode: "solo", dice: "sealed", rules: "v1,players=1", seats, log: [],
    stage: "playing", par: null,
    view: { phase: "roll", owners: [], dice: null, turn: 1, seat: 0, runners: [], ...view } });
  const draw = () => players.update(state({ turn: 2 }), [0]);
  const scene = { area, dice, players, draw, mine: [0] };
  const before = state({ bust_chance: [45, 100], phase: "choice" });
  const show = (kind, data, view) =>
    showEvent(scene, { kind, n: 1, seat: 0, data }, before, state(view));
  await show("rolled", { dice: [1, 2, 3, 4] }, { phase: "move", dice: [1, 2, 3, 4] });
  await show("busted", {}, {});
  await show("stopped", { won: [7] }, {});
  return reads;
}
"""


def test_what_is_shown_makes_the_browser_lay_nothing_out_again(
    sit: Callable[..., Player],
) -> None:
    reads = sit(reduced_motion="no-preference").go("/rules").page.evaluate(READS)
    assert reads["elsewhere"] == []
    assert reads["fitting"] > 0


STYLES = sorted((Path(cantstop.__file__).parent / "web/style").glob("*.css"))
# A browser moves and fades these without laying out or drawing anything again.
CHEAP = {"transform", "translate", "rotate", "scale", "opacity", "pointer-events"}


def test_what_moves_costs_no_layout_and_no_drawing() -> None:
    frames = re.compile(r"@keyframes ([\w-]+) \{((?:[^{}]*\{[^{}]*\})+)\s*\}")
    found = {
        name: set(re.findall(r"([\w-]+):", steps))
        for sheet in STYLES
        for name, steps in frames.findall(sheet.read_text("utf-8"))
    }
    assert len(found) > 9
    assert {name: costly for name, used in found.items() if (costly := used - CHEAP)} == {}


@pytest.mark.parametrize(("risk", "bust"), [(10, False), (45, False), (45, True)])
def test_above_thirty_percent_a_roll_is_a_drama(
    sit: Callable[..., Player], risk: int, bust: bool
) -> None:
    player = sit(reduced_motion="no-preference").go("/rules")
    shown = player.page.evaluate(ROLL, {"risk": risk, "bust": bust})
    assert shown == {
        "seen": ["last-one", "suspense"] if risk > 30 else [],
        "pips": 10,
        "word": "Phew!" if risk > 30 and not bust else "",
    }


def test_without_motion_the_word_is_kept_and_nothing_waits(player: Player) -> None:
    shown = player.go("/rules").page.evaluate(ROLL, {"risk": 45, "bust": False})
    assert shown["word"] == "Phew!"
    assert "last-one" not in shown["seen"]
    player.page.emulate_media(reduced_motion="reduce")
    moving = player.page.evaluate("document.getAnimations().length")
    assert moving == 0


def test_a_replay_begins_by_itself_and_shows_events_as_they_were_played(
    sit: Callable[..., Player], play_once: Callable[..., Finished]
) -> None:
    game = play_once("hotseat")
    player = sit(reduced_motion="no-preference").go(f"{game.path}?play=1")
    expect(player.find(".replay .play")).to_have_attribute("aria-label", "Pause")
    expect(player.find(".replay .dice.tumbling")).to_be_attached()
    player.wait_for("() => Number(document.querySelector('.slider').value) > 6")
    player.find(".replay .play").click()
    expect(player.find(".replay .play")).to_have_attribute("aria-label", "Play it back")
    stopped = player.find(".slider").input_value()
    player.find(".replay [aria-label='One step on']").click()
    expect(player.find(".slider")).to_have_value(str(int(stopped) + 1))


CELEBRATED = """async (cases) => {
  const { isCelebrated } = await import("/static/table/effects/events.js");
  const seats = [{ bot: null }, { bot: "chick" }, { bot: null }];
  return cases.map(([winners, mine]) => isCelebrated(winners, seats, mine));
}"""


def test_confetti_is_for_people_and_for_those_who_watch(player: Player) -> None:
    mine, shared = [0, 2], [0, 1]
    watching: list[int] = []
    cases = [([0], mine), ([1], mine), (shared, mine), ([1], watching), ([2], [0])]
    assert player.go("/rules").page.evaluate(CELEBRATED, cases) == [True, False, True, True, True]
