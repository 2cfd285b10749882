"""A profile in the browser: begun by a name, moved by code, brought back by words or passkey."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, CDPSession, expect

from browser_player import PHONE, Player, ServerProcess
from web.axe import severe_problems
from web.test_invitation import text_of


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

    # the other device reads the picture: nothing happens before the button is pressed
    new.go(text_of(old.find(".link-code svg")))
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


class Authenticator:
    """Chromium's own authenticator in a browser: whoever is there agrees to everything."""

    def __init__(self, player: Player) -> None:
        self._session: CDPSession = player.page.context.new_cdp_session(player.page)
        self._session.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": True,
            "hasUserVerification": True,
            "isUserVerified": True,
            "automaticPresenceSimulation": True,
        }
        added = self._session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        self._id = added["authenticatorId"]

    def passkeys(self) -> list[Any]:
        """All that it has, with their private keys."""
        found = self._session.send("WebAuthn.getCredentials", {"authenticatorId": self._id})
        return list(found["credentials"])

    def take(self, passkeys: list[Any]) -> None:
        """Have these too, as those of one person's devices are the same."""
        for one in passkeys:
            told = {"authenticatorId": self._id, "credential": one}
            self._session.send("WebAuthn.addCredential", told)


def named(server: ServerProcess) -> str:
    """The server by a name: on the machine itself browsers take that for safe."""
    return f"http://localhost:{server.port}"


def test_a_passkey_is_made_brings_a_device_in_and_is_removed(
    browser: Browser, server: ServerProcess
) -> None:
    laptop = Player.at(browser, named(server), viewport=PHONE)
    keys = Authenticator(laptop)
    begin(laptop, "Petra")
    unfold(laptop, "Passkeys")
    laptop.find(".add-passkey").click()
    expect(laptop.find("[data-passkey]")).to_have_count(1)
    assert severe_problems(laptop) == [], "the passkeys"
    laptop.find(".add-passkey").click()  # the authenticator knows that it has one
    expect(laptop.find(".profile-part .problem", has_text="already")).to_be_visible()

    phone = Player.at(browser, named(server), viewport=PHONE)
    theirs = Authenticator(phone)
    phone.go("/me").find(".profile-ways summary").click()
    phone.find(".use-passkey").click()
    expect(phone.find(".profile-ways .problem", has_text="No passkey")).to_be_visible()
    theirs.take(keys.passkeys())
    phone.find(".use-passkey").click()
    expect(phone.find(".profile h2")).to_have_text("Petra")
    unfold(phone, "Devices")
    expect(phone.find("[data-device]")).to_have_count(2)

    unfold(phone, "Passkeys")
    phone.find("[data-passkey] button").click()
    expect(phone.find("[data-passkey]")).to_have_count(0)
    phone.page.evaluate("localStorage.clear()")
    phone.go("/me").find(".profile-ways summary").click()
    phone.find(".use-passkey").click()
    expect(phone.find(".profile-ways .problem", has_text="not known")).to_be_visible()
    for one in (laptop, phone):
        one.close()


def test_where_the_server_has_no_name_there_are_no_passkeys(player: Player) -> None:
    player.go("/me").find(".profile-ways summary").click()
    assert "//127.0.0.1" in player.address
    expect(player.find("[name=words]")).to_be_visible()
    expect(player.find(".use-passkey")).to_have_count(0)
