"""The invitation's QR code: read by an independent decoder, whole and damaged."""

import re
from collections.abc import Callable

import numpy as np
import zxingcpp
from numpy.typing import NDArray
from playwright.sync_api import Locator, expect

from browser_player import Player

ENCODE = """
async (texts) => {
  const { qrModules } = await import("/static/ui/qr-code.js");
  return texts.map((text) => qrModules(text));
}
"""
MOST = (14, 26, 42, 62, 84, 106, 122, 152, 180, 213)
"""How many bytes the versions 1 to 10 hold at level M (ISO/IEC 18004, table 7)."""
LINK = "http://127.0.0.1:8000/t/k7QmZr3pW9xA"


def decoded(modules: NDArray[np.bool_]) -> str:
    """What a decoder reads from a picture of the code, four pixels a module, with a quiet zone."""
    light = np.pad(~modules, 4, constant_values=True)
    picture = np.kron(light, np.ones((4, 4), dtype=bool)).astype(np.uint8) * 255
    found = zxingcpp.read_barcodes(picture)
    return found[0].text if found else ""


def text_of(code: Locator) -> str:
    """What a decoder reads from a code as it is drawn on a page."""
    size = int(str(code.get_attribute("viewBox")).split()[2])
    drawn = np.zeros((size, size), dtype=bool)
    path = str(code.locator("path").get_attribute("d"))
    for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", path):
        drawn[int(y), int(x)] = True
    assert not drawn[:4].any()  # the quiet zone is part of the picture
    return decoded(drawn)


def test_every_version_is_read_and_bears_damage(player: Player) -> None:
    lengths = [length for most in MOST for length in (most - 1, most)]
    texts = [LINK, "https://spiele.example/t/é–ü", *(LINK.ljust(n, "x")[:n] for n in lengths)]
    codes = player.go("/").page.evaluate(ENCODE, [*texts, "x" * (MOST[-1] + 1)])
    assert codes.pop() is None  # too long: there is no picture, and the link is there
    for text, code in zip(texts, codes, strict=True):
        modules = np.array(code, dtype=bool)
        assert decoded(modules) == text
        # level M mends seven percent of the codewords at least: a spot amid the data
        at = modules.shape[0] - 5
        modules[at : at + 3, at : at + 3] ^= True
        assert decoded(modules) == text, "damaged"
    versions = [(len(code) - 17) // 4 for code in codes[2:]]
    assert versions == [version for version in range(1, 11) for _ in range(2)]


def test_the_lobby_shows_the_code_of_its_link(player: Player, sit: Callable[..., Player]) -> None:
    player.go("/new?way=online").find("[data-field=count-3]").check()
    player.find(".start-game").click()
    link = player.find(".invitation .link-field").input_value()
    code = player.find(".qr-code")
    expect(code).to_be_hidden()
    player.find(".qr summary").click()
    expect(code).to_have_accessible_name("QR code of the link")
    assert text_of(code) == link
    # one of two guests has read it, and the other still has to
    sit().go(link).find(".lobby .primary").click()
    expect(player.find(".player .name", has_text="Player 2")).to_be_visible()
    expect(code).to_be_visible()
