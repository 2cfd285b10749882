"""A browser commits to its salt, keeps it until all others are bound, and draws again if needed."""

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect
from websockets.sync.client import connect

from browser_player import Player
from cantstop import read_record, verify
from cantstop.dice import salt_commitment
from patience import PATIENT_SOCKET
from web.test_online import join, open_online


def listen(player: Player) -> list[Any]:
    """Everything that the browser says over sockets from now on."""
    said: list[Any] = []
    player.page.on(
        "websocket", lambda socket: socket.on("framesent", lambda text: said.append(text))
    )
    return said


def revealed(said: list[Any]) -> list[str]:
    """The salts among what was said."""
    messages = [json.loads(text) for text in said]
    assert not [one for one in messages if one["t"] == "hello" and one["d"].get("salt")]
    acts = [one["d"] for one in messages if one["t"] == "act"]
    return [action["salt"] for action in acts if action["kind"] == "reveal"]


def test_a_browser_reveals_its_salt_when_the_last_other_seat_is_bound(
    sit: Callable[..., Player],
) -> None:
    anne, ben, cleo = sit(), sit(), sit()
    said = listen(anne)
    link = open_online(anne, seats=3)
    join(ben, link, "Ben")
    expect(anne.find(".player .name", has_text="Ben")).to_be_visible()
    anne.page.reload()
    anne.sees(stage="open")
    assert said
    assert revealed(said) == []
    join(cleo, link, "Cleo")
    for somebody in (anne, ben, cleo):
        somebody.sees(stage="playing")
    (salt,) = revealed(said)
    text = anne.page.request.get(f"/api/tables/{anne.table_id}/record").text()
    record = read_record(text)
    assert verify(record).protected == (0, 1, 2)
    assert f'[Salt1 "{salt}"]' in text


def test_a_browser_draws_anew_when_somebody_does_not_reveal_theirs(
    sit: Callable[..., Player],
) -> None:
    anne = sit()
    said = listen(anne)
    open_online(anne, seats=2)
    table = f"/api/tables/{anne.table_id}"
    first, second = salt_commitment("first"), salt_commitment("second")
    request = anne.page.request
    seat = {"name": "Mallory", "salt_commitment": first}
    secret = request.post(f"{table}/seats", data=seat).json()["secret"]
    expect(anne.find(".story", has_text="Anne is ready.")).to_be_attached()
    assert request.get(table).json()["stage"] == "open"
    address = anne.page.url.partition("//")[2].partition("/")[0]
    with connect(f"ws://{address}{table}/socket", **PATIENT_SOCKET) as socket:

        def act(kind: str, **fields: object) -> None:
            action = {"id": f"{kind}-by-mallory", "kind": kind, "seat": 1, **fields}
            socket.send(json.dumps({"t": "act", "d": action}))

        socket.send(json.dumps({"t": "hello", "d": {"secret": secret}}))
        act("commit", salt_commitment=second, instead=first)
        expect(anne.find(".story", has_text="Mallory did not reveal their number")).to_be_attached()
        heard: list[Any] = []
        while ("committed", 0) not in heard:  # until the browser has committed again
            told = json.loads(socket.recv(30))["d"]
            heard.append((told.get("kind"), told.get("seat")))
        act("reveal", salt="second")
        anne.sees(stage="playing")
    before, after = revealed(said)
    assert before != after
    text = request.get(f"{table}/record").text()
    assert f'[Salt1 "{after}"]' in text
    assert verify(read_record(text)).redraws == 1
