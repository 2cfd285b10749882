"""The start page of a person who has played here: what waits first, today, the ladder, people."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser_player import PHONE, Player
from cantstop import client
from cantstop.bots import LADDER
from cantstop.language import LANGUAGES
from cantstop.rules import Phase
from quick_games import take
from web.axe import ask_axe

SCORES = """
(scores) => localStorage.setItem("cantstop.history", JSON.stringify(
  Object.entries(scores).flatMap(([bot, { won, lost }]) => Array.from({ length: won + lost },
    (_, at) => ({ id: `${bot} ${at}`, at: "2026-11-16T12:00:00Z", against: [{ bot }],
      won: at < won, rounds: 9, feats: [] })))))
"""
NAMED = """
(name) => localStorage.setItem("cantstop.prefs", JSON.stringify({
  ...JSON.parse(localStorage.getItem("cantstop.prefs") ?? "{}"), name }))
"""
SHIFTS = """
() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => done(sum)));
})
"""


def begun(player: Player) -> Player:
    """A person who has left a game against the Chick."""
    player.go("/").find("[data-way=bot]").click()
    player.sees(stage="playing", live=True)
    return player


def test_what_waits_comes_first_and_says_whose_turn_it_is(player: Player) -> None:
    table = begun(player).table_id
    player.page.evaluate(NAMED, "Anne")
    player.go("/")
    expect(player.find("h1")).to_have_text("Hello, Anne")
    card = player.find(".home > :first-child .waiting-card").first
    expect(card.locator("strong")).to_have_text("Your turn against Chick")
    expect(card).to_contain_text("Round 1 · your turn")
    assert player.page.evaluate(SHIFTS) < 0.01
    card.click()
    player.sees(stage="playing")
    assert player.table_id == table


def test_a_newcomer_becomes_somebody_by_playing_and_nobody_sees_both_pages(player: Player) -> None:
    player.go("/")
    expect(player.find(".hero")).to_be_visible()
    expect(player.find(".home")).to_have_count(0)
    begun(player).go("/")
    expect(player.find(".home")).to_be_visible()
    expect(player.find(".hero")).to_have_count(0)
    expect(player.find(".more-link").first).to_be_hidden()  # folded under Tools
    player.find(".tools-card summary").click()
    expect(player.find(".more-link[href='/rules']")).to_be_visible()


def test_the_ladder_has_its_order_ticks_and_scores_and_the_next_one_waits(player: Player) -> None:
    begun(player).page.evaluate(
        SCORES, {"chick": {"won": 3, "lost": 1}, "magpie": {"won": 0, "lost": 2}}
    )
    player.go("/")
    steps = player.find(".ladder .step")
    shown = steps.evaluate_all("(all) => all.map((one) => one.dataset.bot)")
    assert shown == [level.name for level in LADDER]
    expect(player.find("#ladder-title")).to_have_text("Magpie is waiting")
    expect(player.find(".step.next")).to_have_attribute("data-bot", "magpie")
    expect(player.find(".step .beaten")).to_have_count(1)
    expect(player.find(".ladder")).to_contain_text("1 of 8 animals is beaten.")
    expect(player.find(".ladder")).to_contain_text("Magpie has won 2 games so far.")
    player.find(".step.next").click()
    player.sees(stage="playing")
    expect(player.find(".player .name").last).to_have_text("Magpie")


def test_the_way_up_shows_who_was_beaten_when_and_who_waits(sit: Callable[..., Player]) -> None:
    player = sit(viewport=PHONE).go("/ladder")
    expect(player.find(".animal-card h2")).to_have_text("Chick is waiting")
    player.page.evaluate(SCORES, {"chick": {"won": 3, "lost": 1}, "magpie": {"won": 0, "lost": 2}})
    player.go("/ladder")
    shown = player.find(".journey .step").evaluate_all("(all) => all.map((one) => one.dataset.bot)")
    assert shown == [level.name for level in LADDER]
    expect(player.find(".animal").first).to_have_text("Chick3–1beaten on 16 Nov 2026")
    card = player.find(".animal-card")
    expect(card.locator("h2")).to_have_text("Magpie is waiting")
    expect(card).to_contain_text("It leads 2–0.")
    expect(card.locator(".animal-about")).to_contain_text("Falls for whatever glitters")
    faces = player.find(".journey .bot-face[data-mood=waving]")
    expect(faces).to_have_count(1)
    found: Any = ask_axe(player, {"resultTypes": ["violations"]})
    assert found == []
    card.locator("button").click()
    player.sees(stage="playing")
    expect(player.find(".player .name").last).to_have_text("Magpie")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_way_up_fits_the_smallest_phone(sit: Callable[..., Player], language: str) -> None:
    player = sit(locale=language, viewport={"width": 320, "height": 568})
    player.go("/").page.evaluate(SCORES, {"chick": {"won": 1, "lost": 0}})
    player.go("/ladder").find(".animal-about").first.get_by_text(re.compile(".")).wait_for()
    assert player.page.evaluate("document.documentElement.scrollWidth") <= 320
    assert player.page.evaluate(SHIFTS) < 0.01
    cut = player.page.evaluate(
        """() => [...document.querySelectorAll(".journey :is(h2, p, button)")]
          .filter((one) => one.getBoundingClientRect().right > innerWidth)
          .map((one) => one.textContent)"""
    )
    assert cut == []


def test_an_animal_watches_the_dice_and_answers_a_reaction(player: Player) -> None:
    begun(player).find(".roll").click()
    player.sees(phase="move", live=True)
    face = player.find(".player.animal .bot-face")
    player.find("[aria-label=React]").click()
    player.find("[data-reaction=tease]").click()
    expect(player.find(".player.animal .speech")).to_have_text("Cheep!")
    expect(face).to_have_attribute("data-mood", "hiding")
    expect(face).to_have_attribute("data-mood", "rest")


def lost(server: str) -> client.TableLink:
    """A game against the Chick by a player who never stops; no browser has to watch it."""
    seats = (client.human("Anne"), client.bot("chick"))
    link = client.open_table(server, seats, mode="hotseat", edition="classic", help=True)
    with client.Player(link) as me:
        for position in me.decisions():
            move = position.phase is Phase.MOVE
            take(me, str(position.legal_moves[-1]) if move else "roll")
    return link


def test_after_a_loss_stands_one_sentence_that_is_true_of_the_game(player: Player) -> None:
    link = lost(player.url)
    player.go(f"/t/{link.table}#seat={link.secret}").sees(stage="over")
    expect(player.find(".result .bot-face")).to_have_attribute("data-mood", "grinning")
    expect(player.find(".comfort")).not_to_have_text("")
    review = player.page.evaluate(
        "async () => (await fetch(`/api/tables/${location.pathname.slice(3)}/review`)).json()"
    )
    said = player.find(".comfort").inner_text()
    if found := re.search(r"([\d.]+) points of win chance", said):
        assert abs(float(found[1]) + 100 * review["seats"][0]["luck"]) <= 0.05 + 1e-9
    elif found := re.search(r"chance of (\d+)%", said):
        assert int(found[1]) == round(100 * max(moment["win"][0] for moment in review["moments"]))
    game = player.page.evaluate("JSON.parse(localStorage['cantstop.history'])[0]")
    assert game["won"] is False
    assert game["luck"] == review["seats"][0]["luck"]


def test_a_game_against_an_animal_counts_once(player: Player) -> None:
    begun(player).find("[aria-label=Menu]").click()
    player.find(".menu-item", has_text="Resign").click()
    player.find("dialog.sheet button.resign").click()
    player.sees(stage="over")
    player.page.reload()
    player.sees(stage="over").go("/")
    name = re.compile("0 won, 1 lost")
    expect(player.find(".step[data-bot=chick]")).to_have_attribute("aria-label", name)
    expect(player.find(".ladder")).to_contain_text("Chick has won 1 game so far.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits_a_small_phone_and_every_target_can_be_hit(
    sit: Callable[..., Player], language: str
) -> None:
    player = begun(sit(locale=language, viewport={"width": 320, "height": 568}))
    player.page.evaluate(SCORES, {"chick": {"won": 1, "lost": 0}})
    player.go("/").find(".waiting-card[data-turn]").wait_for()
    player.find(".tools-card summary").click()
    assert player.page.evaluate("document.documentElement.scrollWidth") <= 320
    small = player.page.evaluate(
        """() => [...document.querySelectorAll("main :is(button, a, summary, input, select)")]
          .filter((one) => one.checkVisibility() && !one.matches(".sr-only, [type=radio], p a"))
          .map((one) => [one.className, one.getBoundingClientRect()])
          .filter(([, { width, height }]) => Math.min(width, height) < 44)
          .map(([name, { width, height }]) => `${name} ${width} × ${height}`)"""
    )
    assert small == []


def test_it_has_no_serious_problem(sit: Callable[..., Player]) -> None:
    for theme in ("light", "dark"):
        player = begun(sit(viewport=PHONE, color_scheme=theme))
        player.go("/").find(".waiting-card[data-turn]").wait_for()
        player.find(".tools-card summary").click()
        found: Any = ask_axe(player, {"resultTypes": ["violations"]})
        assert found == []


def test_nothing_moves_for_those_who_want_no_motion(sit: Callable[..., Player]) -> None:
    still, moving = sit(reduced_motion="reduce"), sit(reduced_motion="no-preference")
    names = "() => getComputedStyle(document.querySelector('.waving .waver')).animationName"
    assert still.go("/").page.evaluate(names) == "none"
    assert moving.go("/").page.evaluate(names) == "wave"


def test_forced_colours_have_a_border_around_stop_and_show_whose_turn_it_is(
    sit: Callable[..., Player],
) -> None:
    player = begun(sit(forced_colors="active"))
    border = player.find(".stop").evaluate(
        "(stop) => [getComputedStyle(stop).borderTopWidth, getComputedStyle(stop).clipPath]"
    )
    assert border == ["2px", "none"]
    outline = "(one) => getComputedStyle(one).outlineStyle"
    assert player.find(".player.turn").evaluate(outline) == "solid"
    assert player.find(".player:not(.turn)").first.evaluate(outline) == "none"


def test_the_first_lesson_is_against_the_chick(player: Player) -> None:
    player.go("/learn").find("[data-lesson=basics]").click()
    player.sees(stage="playing")
    expect(player.find(".player .name").last).to_have_text("Chick")
