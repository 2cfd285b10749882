"""How the board looks: themes that are remembered, contrast, pieces, previews, and what moves."""

from collections.abc import Callable
from itertools import product
from typing import Any, Literal

import pytest
from playwright.sync_api import expect

from browser_player import Player

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
BOARDS = ["sign", "walnut", "meadow", "contrast"]
ENOUGH = {"sign": 4.5, "walnut": 4.5, "meadow": 4.5, "contrast": 7}
"""What WCAG asks of text (AA), and for people who need more contrast (AAA)."""
COLOURS = """(board) => {
  document.documentElement.dataset.board = board;
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = style.getPropertyValue(name);
    const found = getComputedStyle(probe).color.match(/[0-9.]+/g).slice(0, 3).map(Number);
    probe.remove();
    return found;
  };
  const names = ["rim", "rim-line", "field", "number", "cell", "cell-top", "cell-stake", "outline",
    "gold", "deep-0", "deep-1", "deep-2", "deep-3"];
  return Object.fromEntries(names.map((name) => [name, colour(`--${name}`)]));
}"""


def luminance(colour: list[float]) -> float:
    """The relative luminance of WCAG 2."""
    parts = [part / 255 for part in colour]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: list[float], other: list[float]) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_every_board_can_be_read_by_day_and_by_night(player: Player) -> None:
    player.go("/learn")
    for scheme, board in product(SCHEMES, BOARDS):
        player.page.emulate_media(color_scheme=scheme)
        expect(player.find("html")).to_have_attribute("data-theme", scheme)
        of: dict[str, list[float]] = player.page.evaluate(COLOURS, board)
        white = [255.0, 250.0, 240.0]
        assert contrast(of["number"], of["field"]) >= ENOUGH[board], board
        assert contrast(of["gold"], of["field"]) >= ENOUGH[board], board
        for cell in ("cell", "cell-top", "cell-stake"):
            assert contrast(of[cell], of["field"]) >= ENOUGH[board], (board, cell)
            assert contrast(of["outline"], of[cell]) >= ENOUGH[board], (board, cell)
        for seat in range(4):
            assert contrast(white, of[f"deep-{seat}"]) >= 4.5, (board, seat)
        assert contrast(of["rim"], of["rim-line"]) >= 3, board


def test_the_chosen_board_is_remembered(player: Player) -> None:
    player.go("/").find("[aria-label=Board]").click()
    expect(player.find(".board-choice input:checked")).to_have_value("sign")
    player.find(".board-choice label", has_text="Walnut").click()
    expect(player.find("html[data-board=walnut]")).to_be_attached()
    player.go("/rules")
    expect(player.find("html[data-board=walnut]")).to_be_attached()


def test_who_asks_their_system_for_contrast_gets_it(sit: Callable[..., Player]) -> None:
    player = sit(contrast="more").go("/rules")
    expect(player.find("html[data-board=contrast]")).to_be_attached()


@pytest.fixture
def lesson(sit: Callable[..., Player]) -> Callable[..., Any]:
    """The first lesson after its first roll: 5 and 9, 6 and 8, or 7 twice."""

    def begin(**profile: Any) -> Any:
        player = sit(**profile)
        player.go("/learn").find("[data-lesson=basics]").click()
        player.sees(stage="playing", live=True).find(".roll").click()
        return player.sees(phase="move", live=True)

    return begin


def test_a_preview_has_the_colours_of_its_pairs(lesson: Callable[..., Any]) -> None:
    player = lesson()
    colour = "(one) => getComputedStyle(one).fill"
    player.find(".move").first.hover()
    expect(player.find(".ghost-space")).to_have_count(2)
    dice = [player.find(f".dice .pair-{pair} .die-body").first for pair in "ab"]
    spaces = [player.find(f".ghost-space.pair-{pair}") for pair in "ab"]
    assert [one.evaluate(colour) for one in dice] == [one.evaluate(colour) for one in spaces]
    assert spaces[0].evaluate(colour) != spaces[1].evaluate(colour)
    player.find(".move").last.hover()  # two steps in one column: one of each pair
    expect(player.find(".ghost")).to_have_count(1)
    for space in spaces:
        expect(space).to_have_count(1)


def test_runners_hop_for_who_likes_motion_and_a_tap_ends_it(lesson: Callable[..., Any]) -> None:
    player = lesson(reduced_motion="no-preference")
    player.page.evaluate("""() => {
      const animate = Element.prototype.animate;
      window.hops = [];
      Element.prototype.animate = function (frames, timing) {
        const motion = animate.call(this, frames, timing);
        if (this.matches(".runner")) { motion.pause(); window.hops.push(motion); }
        return motion;
      };
    }""")
    player.find(".move").first.click()
    player.wait_for("() => window.hops.length === 2")
    moving = "() => window.hops.filter((hop) => hop.playState !== 'finished').length"
    assert player.page.evaluate(moving) == 2
    player.find(".board-area").dispatch_event("pointerdown")
    assert player.page.evaluate(moving) == 0
    player.sees(phase="choice", live=True)
    expect(player.find(".runner[data-space='1']")).to_have_count(2)


def test_nothing_hops_without_motion(lesson: Callable[..., Any]) -> None:
    player = lesson()
    player.page.evaluate("() => { Element.prototype.animate = () => { window.moved = true; }; }")
    player.find(".move").first.click()
    player.sees(phase="choice", live=True)
    assert player.page.evaluate("() => window.moved") is None


def test_three_tokens_and_more_on_a_space_keep_their_shapes_apart(player: Player) -> None:
    """The middle of each lies on none of the others, with a runner beside them too."""
    player.go("/rules")
    found = player.page.evaluate("""async () => {
      const { tokenPlaces, runnerPlace } = await import("/static/board/geometry.js");
      const found = [];
      for (const count of [1, 2, 3, 4]) for (const runner of [false, true]) {
        const places = [...tokenPlaces(count, runner), ...(runner ? [runnerPlace(count)] : [])];
        for (const one of places) {
          if (Math.abs(one.dx) + one.size > 30 || Math.abs(one.dy) + one.size > 25)
            found.push(`${count} ${runner}: leaves its space`);
          for (const other of places)
            if (one !== other && Math.hypot(one.dx - other.dx, one.dy - other.dy) < other.size)
              found.push(`${count} ${runner}: one hides another`);
        }
      }
      return found;
    }""")
    assert found == []


def test_a_stamp_shrinks_until_its_words_fit(sit: Callable[..., Player]) -> None:
    player = sit(viewport={"width": 320, "height": 640})
    player.go("/").find("[data-way=hotseat]").click()
    player.sees(live=True)
    box = player.page.evaluate("""async () => {
      const { stamp } = await import("/static/table/effects/animations.js");
      stamp(document.querySelector(".board-area"), "Columns 10, 11 and 12!", "column", 600000);
      for (const _ of [1, 2]) await new Promise(requestAnimationFrame);  // it fits as it is drawn
      const { scrollWidth, clientWidth } = document.querySelector(".stamp span");
      return { scrollWidth, clientWidth };
    }""")
    assert box["clientWidth"] > 200
    assert box["scrollWidth"] <= box["clientWidth"]
