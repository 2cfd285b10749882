"""A profile in the browser: begun with a name, moved by code, brought back by words, locked out."""

from collections.abc import Callable

from playwright.sync_api import expect

from browser_player import PHONE, Player
from web.axe import severe_problems


def begin(player: Player, name: str) -> Player:
    player.go("/me").find("[name=profile-name]").fill(name)
    player.find("button", has_text="Begin a profile").click()
    expect(player.find(".profile h2")).to_have_text(name)
    return player


def unfold(player: Player, part: str) -> None:
    player.find(".profile-part summary", has_text=part).click()


def test_a_profile_moves_by_code_is_locked_out_and_comes_back_by_words(
    sit: Callable[..., Player],
) -> None:
    old, new = sit(viewport=PHONE), sit(viewport=PHONE)
    begin(old, "Mona")
    assert severe_problems(old) == [], "a profile"

    unfold(old, "Devices")
    old.find(".add-device").click()
    code = old.find(".code-text").inner_text()
    expect(old.find(".link-code svg[role=img]")).to_be_visible()
    expect(old.find(".code-left")).to_have_text("Valid for 60 s")
    assert severe_problems(old) == [], "the code"

    # what the QR code holds: nothing happens before the button is pressed
    new.go(f"/me#link={code}")
    expect(new.find("[name=code]")).to_have_value(code)
    assert "#" not in new.address
    new.find("button", has_text="Add this device").click()
    expect(new.find(".profile h2")).to_have_text("Mona")
    expect(new.find(".name-field")).to_have_value("Mona")

    unfold(new, "Recovery words")
    new.find(".show-words").click()
    words = new.find(".recovery-words").inner_text()
    assert len(words.split()) == 6
    assert severe_problems(new) == [], "the words"
    new.find("dialog .primary").click()
    expect(new.find(".recovery-words")).to_have_count(0)

    unfold(new, "Devices")
    expect(new.find(".device-list li")).to_have_count(2)
    others = new.page.locator(".device-list li", has_not_text="this device")
    others.locator("button").click()
    expect(new.find(".device-list li")).to_have_count(1)
    old.go("/me")  # its key is nobody's now
    expect(old.find("button", has_text="Begin a profile")).to_be_visible()
    assert old.page.evaluate("localStorage.getItem('cantstop.player')") == "null"

    new.page.evaluate("localStorage.clear()")
    new.go("/me").find(".profile-ways summary").click()
    new.find("[name=words]").fill("these are not the words at all")
    new.find("button", has_text="Bring it back").click()
    expect(new.find(".profile-ways .problem").last).not_to_be_empty()
    new.find("[name=words]").fill(words.upper())
    new.find("button", has_text="Bring it back").click()
    expect(new.find(".profile h2")).to_have_text("Mona")
    # the key never goes along in a file
    new.find("button", has_text="Copy as a code").click()
    expect(new.find(".backup-code")).not_to_have_value("")
    assert "player" not in new.page.evaluate(
        """async () => {
          const packed = Uint8Array.from(atob(document.querySelector(".backup-code").value),
            (letter) => letter.charCodeAt(0));
          const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
          return Object.keys(JSON.parse(await new Response(plain).text()).kept);
        }"""
    )


def test_a_name_that_is_taken_is_refused_and_a_profile_can_be_erased(
    sit: Callable[..., Player],
) -> None:
    first, second = sit(), sit()
    begin(first, "Nils")
    second.go("/me").find("[name=profile-name]").fill("Nils")
    second.find("button", has_text="Begin a profile").click()
    expect(second.find(".profile .problem").first).to_contain_text("Nils")

    unfold(first, "Export and erase")
    first.find(".erase").click()
    first.find(".really-erase").click()
    expect(first.find("button", has_text="Begin a profile")).to_be_visible()
    second.find("button", has_text="Begin a profile").click()
    expect(second.find(".profile h2")).to_have_text("Nils")


def test_a_server_that_cannot_be_asked_shows_no_profile(player: Player) -> None:
    player.page.route("**/api/club", lambda route: route.abort())
    player.go("/me").find(".take-all").wait_for()
    expect(player.find(".profile")).to_have_count(0)
