"""Record conversations with the server of this checkout, for tests/server/test_conversations.py.

    python tools/record_conversations.py FOLDER [--database]

With ``--database`` the tables are made again too, and with them everything that is drawn by lot:
without, an unchanged server gives unchanged files. A change in what it says is a diff to look at.
``conversations.py`` has the format, ``conversation_tables.py`` the tables. To record with another
version of the program, run this with its sources on ``PYTHONPATH``.
"""

import argparse
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from cantstop.dice import salt_commitment
from conversation_recorder import OPEN, Recorder, Socket, bot, human
from conversation_tables import Tables, make_tables
from conversations import Json, Server, Talk, load

USUAL = ("--limits", "0", "--pace", "0.05", "--absence", "0.1")
PATIENT = ("--limits", "0", "--pace", "0.05", "--absence", "1")
STRICT = ("--limits", "0.02", "--pace", "0.05", "--absence", "0.1")


def requests(recorder: Recorder, tables: Tables) -> None:
    """What can be read of tables at every stage, and what a form offers."""
    recorder.ask("GET /api/editions")
    recorder.ask("GET /api/openapi.json")
    recorder.ask("GET /healthz")
    for name in ("free", "reserved", "duel", "hotseat", "roll-off", "solo", "lesson", "following"):
        table, secrets = tables[name]
        bearer = {"Authorization": f"Bearer {secrets[-1]}"}
        recorder.ask(f"GET /api/tables/{table}", headers=bearer)
    over, _ = tables["over"]
    recorder.ask(f"GET /api/tables/{over}")
    duel, _ = tables["duel"]
    recorder.ask(f"GET /api/tables/{duel}/events")
    recorder.ask(f"GET /api/tables/{over}/events?after=12")
    recorder.ask(f"GET /api/tables/{over}/events?after=100000")
    recorder.ask(f"GET /api/tables/{duel}/record")
    recorder.ask(f"GET /api/tables/{over}/record")
    recorder.ask(f"GET /api/tables/{tables['lesson'][0]}/record")
    recorder.ask(f"GET /api/tables/{duel}/board.svg?n=7")


def openings(recorder: Recorder, _tables: Tables) -> None:
    """Tables are opened in every way, seats taken, and what cannot be is refused."""
    bodies: list[Json] = [
        {"mode": "solo", "seats": [human("Anne", "a")]},
        {"mode": "hotseat", "seats": [human("Anne", "a", colour=2), human("Bob", colour=2)]},
        {"mode": "hotseat", "seats": [bot("random:3"), bot("careful:4")]},
        {"mode": "hotseat", "seats": [human(" An  ne ", "a"), human("Bo", "b")],
         "edition": "ravensburger", "youngest": 1, "sharing": "no-rest", "early": True, "win": 5},
        {"mode": "hotseat", "seats": [human("Anne", "a"), human("Bob", "b")],
         "edition": "custom", "start": "roll-off", "sharing": "leapfrog", "win": 4, "help": True},
        {"mode": "online", "seats": [human("Anne", "a"), OPEN, bot("expert")],
         "edition": "asmodee", "youngest": 2},
        *({"lesson": lesson, "name": "Anne", "colour": 3}
          for lesson in ("basics", "no-rest", "leapfrog", "early")),
    ]  # fmt: skip
    for body in bodies:
        recorder.ask("POST /api/tables", body=body)
    online = {"mode": "online", "seats": [human("Anne", "a"), OPEN, OPEN]}
    answer = recorder.ask("POST /api/tables", body=online)
    table, secret = answer["id"], answer["secret"]
    seats = f"POST /api/tables/{table}/seats"
    for body in ({"name": ""}, {"name": "x" * 25}, {"name": 3}, {"name": "Bob", "colour": 9}):
        recorder.ask(seats, body=body)
    recorder.ask(seats, body={"name": "Bob", "colour": 0, "salt": "no spaces"})
    anne = recorder.join("anne", table, secret)
    bobs = recorder.ask(seats, body={"name": "Bob", "colour": 0, "salt": "b"})["secret"]
    anne.hear("seated")
    recorder.ask(seats, body={"name": "Carla", "colour": 3})
    anne.hear("started")
    recorder.ask(seats, body={"name": "Dora"})
    bob = recorder.join("bob", table, bobs)
    recorder.finish(anne, bob)
    wrong: list[Json] = [
        {},
        {"mode": "online"},
        {"mode": "nowhere", "seats": [OPEN, OPEN]},
        {"mode": "online", "seats": []},
        {"mode": "online", "seats": [OPEN] * 5},
        {"mode": "online", "seats": [human("Anne"), OPEN], "colour": 1},
        {"mode": "online", "seats": [human("Anne"), {"kind": "cat"}]},
        {"mode": "online", "seats": [human("Anne"), bot("nobody")]},
        {"mode": "online", "seats": [human("Anne"), bot("careful:x")]},
        {"mode": "online", "seats": [human("\x07"), OPEN]},
        {"mode": "online", "seats": [human("x" * 25), OPEN]},
        {"mode": "online", "seats": [human("Anne"), OPEN], "win": 9},
        {"mode": "online", "seats": [human("Anne"), OPEN], "edition": "second"},
        {"mode": "online", "seats": [human("Anne"), OPEN], "early": True},
        {"mode": "online", "seats": [human("Anne"), OPEN], "sharing": "leapfrog"},
        {"mode": "online", "seats": [human("Anne"), OPEN], "start": "roll-off"},
        {"mode": "online", "seats": [human("Anne"), OPEN], "youngest": 2},
        {"mode": "hotseat", "seats": [human("Anne"), OPEN]},
        {"mode": "solo", "seats": [human("Anne"), human("Bob")]},
        {"lesson": "advanced", "name": "Anne"},
        {"lesson": "basics"},
    ]
    for body in wrong:
        recorder.ask("POST /api/tables", body=body)


def refusals(recorder: Recorder, tables: Tables) -> None:
    """Every code of an error over HTTP that a client can bring about, and the languages."""
    table, _ = tables["duel"]
    recorder.ask("GET /api/tables/nowhere")
    recorder.ask("GET /api/tables/n%20o")
    recorder.ask("GET /api/nothing")
    recorder.ask("PUT /api/tables", body={})
    recorder.ask("POST /api/tables", text="{")
    recorder.ask("POST /api/tables", text="x", times=70_000)
    recorder.ask(f"GET /api/tables/{table}", headers={"Authorization": "Bearer wrong"})
    recorder.ask(f"GET /api/tables/{table}/events?after=x")
    recorder.ask(f"GET /api/tables/{table}/events?after=-1")
    recorder.ask(f"GET /api/tables/{table}/board.svg?n=1000")
    recorder.ask(f"GET /api/tables/{table}/board.svg?n=x")
    recorder.ask(f"POST /api/tables/{table}/seats", body={"name": "Carla"})
    recorder.ask(f"GET /api/tables/{tables['waiting'][0]}/record")
    expired, _ = tables["expired"]
    for path in ("", "/events", "/record", "/board.svg"):
        recorder.ask(f"GET /api/tables/{expired}{path}")
    recorder.ask(f"POST /api/tables/{expired}/seats", body={"name": "Carla"})
    for language in ("fr", "nl", "it", "de", "en", "xx", "xx, de;q=0.8, it;q=0.9", "fr-CH"):
        recorder.ask("GET /api/tables/nowhere", headers={"Accept-Language": language})
        recorder.ask("GET /api/tables/nowhere?lang=fr", headers={"Accept-Language": language})
    recorder.ask("GET /api/editions?lang=de")
    for code in ("en", "fr", "nl", "it", "de", "xx"):
        recorder.ask(f"GET /api/languages/{code}")


def hellos(recorder: Recorder, tables: Tables) -> None:
    """How sockets open and close: hello, catching up, refusals and their closing codes."""
    table, (annes, bobs) = tables["duel"]
    path = f"/api/tables/{table}/socket"
    firsts: list[Json | str] = [
        "", "hello", "{}", {"t": "ping"}, {"t": "hello"}, {"t": "hello", "d": {"secret": 7}},
        {"t": "hello", "d": {"salt": "no spaces"}}, {"t": "hello", "d": {"secret": "dead"}},
        {"t": "act", "d": {"id": "12345678", "kind": "roll", "seat": 0}}, "é" * 2100,
    ]  # fmt: skip
    for number, first in enumerate(firsts):
        socket = recorder.connect(f"first-{number}", path)
        socket.say(first)
        socket.hear()
    for number, unknown in enumerate(("nowhere", tables["expired"][0])):
        socket = recorder.connect(f"unknown-{number}", f"/api/tables/{unknown}/socket")
        socket.say({"t": "hello", "d": {}})
        socket.hear()
    for number, origin in enumerate(("http://elsewhere.example", "null")):
        recorder.connect(f"origin-{number}", path, headers={"Origin": origin})
    watcher = recorder.join("watcher", table)
    watcher.act("roll", 0)
    recorder.join("anne", table, annes, after=9)
    afters: tuple[int | str, ...] = (0, 1, 100000, -1, "x", "")
    for number, after in enumerate(afters):
        recorder.join(f"after-{number}", table, after=after).leave()
    watcher.leave()
    bob = recorder.join("bob", table, bobs)
    for text in ("", "roll", "[]", "null", '{"t": "dance"}', '{"t": NaN}', "{" * 99):
        bob.say(text)
        bob.hear("refused")
    recorder.say({"at": "bob", "say_bytes": "00ff"})
    bob.hear("refused")
    bob.say({"t": "hello", "d": {"secret": None}})
    bob.hear("pong")
    bob.ping()
    bob.say({"t": "ping", "d": "x" * 5000})
    bob.hear()


def missed(recorder: Recorder, tables: Tables) -> None:
    """Who missed a little gets the events, who missed a lot the state."""
    table, (annes, _) = tables["over"]
    recorder.join("anne", table, annes).leave()
    finished = recorder.ask(f"GET /api/tables/{table}")["n"]
    for number, after in enumerate((finished, finished - 3, finished - 64, finished - 65)):
        recorder.join(f"late-{number}", table, after=after).leave()


def try_what_is_not_allowed(actor: Socket, other: Socket, seat: int) -> None:
    """One of two people is in turn; both ask for what they may not have."""
    for kind in ("roll", "stop"):
        other.act(kind, 1 - seat)
    other.act("roll", seat)
    other.act("roll", 3)
    if actor.view["phase"] == "move":
        actor.act("roll", seat)
    else:
        actor.act("move", seat, move="6+8")
    actor.act("move", seat, move="2+2+2")
    actor.act("move", seat, move="99")
    actor.act("roll", seat, n=4)
    actor.act("return", seat)
    actor.act("rematch", seat)
    actor.act("substitute", seat, **{"for": 1 - seat})


def acting(recorder: Recorder, tables: Tables) -> None:
    """A game of two to its end, with every refusal of an action, and the rematch."""
    table, (annes, bobs) = tables["finishing"]
    anne = recorder.join("anne", table, annes)
    bob = recorder.join("bob", table, bobs)
    data: list[Json] = [
        {},
        {"id": "12345678"},
        {"id": "12345678", "kind": "roll"},
        {"id": "12345678", "kind": "roll", "seat": "0"},
        {"id": "12345678", "kind": "roll", "seat": True},
        {"id": "12345678", "kind": "roll", "seat": -1},
        {"id": "12345678", "kind": "roll", "seat": 0, "dice": [6, 6, 6, 6]},
        {"id": "12345678", "kind": "move", "seat": 0},
        {"id": "12345678", "kind": "move", "seat": 0, "move": ["6", "8"]},
        {"id": "12345678", "kind": "move", "seat": 0, "move": "6+8" * 9},
        {"id": "12345678", "kind": "react", "seat": 0, "reaction": "you all cheat"},
        {"id": "12345678", "kind": "finish", "seat": 0},
        {"id": "12345678", "kind": "roll", "seat": 0, "n": "5"},
        {"id": "12345678", "kind": "substitute", "seat": 0, "for": 9},
        {"id": "short", "kind": "roll", "seat": 0},
        {"id": "with space", "kind": "roll", "seat": 0},
        {"id": 12345678, "kind": "roll", "seat": 0},
    ]
    for one in data:
        anne.say({"t": "act", "d": one})
        anne.hear("refused")
    people = [anne, bob]
    for reaction in ("cheer", "applaud", "tease", "sympathise", "gasp", "laugh"):
        anne.act("react", 0, reaction=reaction)
        bob.hear("reacted")
    steps = 0
    while anne.view["outcome"] is None:
        seat = anne.view["seat"]
        actor, other = people[seat], people[1 - seat]
        if steps < 3:
            try_what_is_not_allowed(actor, other, seat)
        steps += 1
        actor.step()
        while other.view["position"] != actor.view["position"]:
            other.hear("rolled", "moved", "stopped", "busted")
        if steps == 2:  # the same id again
            actor.say({"t": "act", "d": {"id": "action-1", "kind": "stop", "seat": seat}})
            actor.hear("ack", "refused")
    for person in people:
        person.ping()
    anne.act("roll", 0)
    anne.act("substitute", 0, **{"for": 1})
    bob.act("rematch", 1)
    anne.hear("rematched")
    anne.act("rematch", 0)
    state = recorder.ask(f"GET /api/tables/{table}")
    following = state["next"]
    recorder.finish(*people)
    again = recorder.join("anne again", following, annes, salt="anne2")
    bob_again = recorder.join("bob again", following, bobs, salt="bob2")
    bob_again.hear("started")
    again.hear("started")
    recorder.finish(again, bob_again)
    recorder.ask(f"GET /api/tables/{table}/record")


def seating(recorder: Recorder, tables: Tables) -> None:
    """A free seat is taken, reserved ones by hello, and games are played on from the first roll."""
    table, (annes,) = tables["free"]
    anne = recorder.join("anne", table, annes)
    anne.act("roll", 0)
    anne.act("react", 0, reaction="laugh")
    recorder.ask(f"POST /api/tables/{table}/seats", body={"name": "Carla", "salt": "carla"})
    anne.hear("started")
    anne.step()
    anne.step()
    anne.leave()
    table, (annes,) = tables["reserved"]
    anne = recorder.join("reserved", table, annes, salt="late")
    anne.hear("seated")
    recorder.ask(f"POST /api/tables/{table}/seats", body={"name": "Carla", "salt": "carla"})
    anne.hear("started")
    anne.step()
    anne.leave()
    table, (annes, bobs) = tables["following"]
    anne = recorder.join("anne next", table, annes, salt="x1")
    bob = recorder.join("bob next", table, bobs, salt="x2")
    bob.hear("started")
    anne.hear("started")
    (anne if anne.view["seat"] == 1 else bob).step()
    bob.ping()


def salts(recorder: Recorder, tables: Tables) -> None:  # noqa: ARG001
    """Seats commit to their salts, one changes its mind, all draw again, and reveal theirs."""
    committed = {name: salt_commitment(name) for name in ("anne", "bob", "anne2", "bob2")}
    seats = [human("Anne", salt_commitment=committed["anne"]), {"kind": "open"}]
    opened = recorder.ask("POST /api/tables", body={"mode": "online", "seats": seats})
    table = opened["id"]
    anne = recorder.join("anne", table, opened["secret"])
    anne.act("reveal", 0, salt="anne")
    seat = {"name": "Bob", "salt_commitment": committed["bob"]}
    recorder.ask(f"POST /api/tables/{table}/seats", body={**seat, "salt": "bob"})
    bobs = recorder.ask(f"POST /api/tables/{table}/seats", body=seat)["secret"]
    anne.hear("seated")
    bob = recorder.join("bob", table, bobs)
    bob.act("reveal", 1, salt="better")
    anne.act("reveal", 0, salt="anne")
    bob.hear("revealed")
    bob.act("commit", 1, salt_commitment=committed["bob2"])
    bob.act("commit", 1, salt_commitment=committed["bob2"], instead=committed["bob"])
    anne.hear("committed")
    anne.act("commit", 0, salt_commitment=committed["anne2"])
    bob.hear("committed")
    bob.act("reveal", 1, salt="bob2")
    anne.hear("revealed")
    anne.act("reveal", 0, salt="anne2")
    bob.hear("started")
    recorder.finish(anne, bob)


def filling(recorder: Recorder, tables: Tables) -> None:  # noqa: ARG001
    """Free seats are given to bots, which are asked for another pace."""
    body = {"mode": "online", "seats": [human("Anne", "anne"), OPEN, OPEN]}
    opened = recorder.ask("POST /api/tables", body=body)
    anne = recorder.join("anne", opened["id"], opened["secret"], pace="fast")
    anne.act("fill", 0, bot="careful", **{"for": 0})
    anne.act("fill", 0, bot="nobody", **{"for": 1})
    anne.act("fill", 0, bot="careful", **{"for": 1})
    anne.act("fill", 0, bot="bold", **{"for": 1})
    anne.say({"t": "pace", "d": {"pace": "at-once"}})
    anne.ping()
    anne.say({"t": "pace", "d": {"pace": "hasty"}})
    anne.hear("refused")
    anne.act("fill", 0, bot="bold", **{"for": 2})
    anne.act("fill", 0, bot="bold", **{"for": 2})
    recorder.finish(anne)


def play(player: Socket, moves: int) -> None:
    """The first seat takes a step, or a bot does, unless the game is over."""
    if player.view["outcome"] is not None:
        return
    if player.view["seat"] == 0:
        player.step(moves)
    else:
        player.hear("rolled", "moved", "stopped", "busted")


def follow_the_guide(pupil: Socket) -> None:
    """The next step of the lesson: whoever strays from it gets dice by chance."""
    view = pupil.view
    if view["seat"] != 0:
        pupil.hear("rolled", "moved", "stopped", "busted")
    elif view["phase"] == "move":
        moves = [one["move"] for one in view["moves"]]
        pupil.act("move", 0, move=next((move for move in moves if "12" in move), moves[-1]))
    elif view["may_stop"] and pupil.moves >= {1: 1, 5: 2}.get(view["turn"], 9):
        pupil.act("stop", 0)
    else:
        pupil.act("roll", 0)


def robots(recorder: Recorder, tables: Tables) -> None:
    """Games with bots, and a lesson with prepared dice, to their end."""
    table, (annes,) = tables["bot"]
    recorder.wait(table)
    anne = recorder.join("bot", table, annes)
    while anne.view["outcome"] is None:
        play(anne, 3)
    anne.ping()
    anne.act("rematch", 0)
    anne.leave()
    recorder.ask(f"GET /api/tables/{table}/record")
    table, (annes,) = tables["brave"]
    anne = recorder.join("brave", table, annes)
    for _ in range(40):
        play(anne, 1)
    table, (annes,) = tables["lesson"]
    pupil = recorder.join("pupil", table, annes)
    while pupil.view["outcome"] is None:
        follow_the_guide(pupil)
    pupil.ping()
    recorder.ask(f"GET /api/tables/{table}/record")
    table, (annes,) = tables["solo"]
    alone = recorder.join("solo", table, annes)
    for _ in range(12):
        alone.step()
    alone.leave()


def variants(recorder: Recorder, tables: Tables) -> None:
    """A roll-off, leapfrog and no-rest at one device."""
    for name, steps in (("roll-off", 25), ("hotseat", 16)):
        table, (annes,) = tables[name]
        people = recorder.join(name, table, annes)
        for _ in range(steps):
            people.step(1)
        people.act("substitute", 0, **{"for": 1})
        people.leave()
        recorder.ask(f"GET /api/tables/{table}/record")


def absence(recorder: Recorder, tables: Tables) -> None:
    """A player goes, a bot plays for them when the others ask, and they come back."""
    table, (annes, bobs, _) = tables["absent"]
    anne = recorder.join("anne", table, annes)
    bob = recorder.join("bob", table, bobs)
    anne.act("substitute", 0, **{"for": 1})
    anne.act("substitute", 0, **{"for": 0})
    bob.leave()
    while not anne.hear("presence")["expected"]:
        pass
    anne.act("substitute", 0, **{"for": 1})
    while 1 in anne.hear("presence")["expected"]:
        pass
    anne.act("substitute", 0, **{"for": 1})
    anne.act("substitute", 0, **{"for": 1})
    anne.act("return", 0)
    bob = recorder.join("bob again", table, bobs)
    bob.act("return", 1)
    anne.hear("returned")
    recorder.finish(anne, bob)


def substitutes(recorder: Recorder, tables: Tables) -> None:
    """A substitute bot plays on after a start, until they return."""
    table, (annes, bobs) = tables["replaced"]
    recorder.wait(table)
    anne = recorder.join("anne", table, annes)
    for _ in range(12):
        play(anne, 2)
    while anne.view["seat"] == 1 and anne.view["outcome"] is None:
        anne.hear("stopped", "busted")
    bob = recorder.join("bob", table, bobs)
    bob.act("return", 1)
    anne.hear("returned")
    recorder.finish(anne, bob)
    table, (annes,) = tables["waiting"]
    waiting = recorder.join("waiting", table, annes)
    waiting.leave()


def courtesy(recorder: Recorder, tables: Tables) -> None:
    """A decision taken back by consent, a player who resigns, and a table with a clock."""
    recorder.ids = itertools.count(9001)  # the table has had actions with the first numbers
    table, secrets = tables["duel"]
    both = [recorder.join(name, table, secrets[seat]) for seat, name in enumerate(("anne", "bob"))]
    seat = both[0].view["seat"]
    actor, other = both[seat], both[1 - seat]

    def step() -> None:
        actor.step(9)
        other.hear("rolled", "moved", "busted")

    while actor.view["phase"] != "choice":
        step()
    actor.act("takeback", 1 - seat)
    actor.act("takeback", seat)
    asked = other.hear("asked")["n"]
    other.act("agree", 1 - seat, asked=asked - 1)
    other.act("decline", 1 - seat, asked=asked)
    actor.hear("declined")
    actor.act("takeback", seat)
    actor.act("stop", seat)
    other.hear("stopped")
    actor.act("takeback", seat)
    asked = other.hear("asked")["n"]
    other.act("agree", 1 - seat, asked=asked)
    actor.hear("takenback")
    other.act("resign", 1 - seat)
    actor.hear("finished")
    other.act("resign", 1 - seat)
    recorder.finish(*both)
    recorder.ask(f"GET /api/tables/{table}")
    recorder.ask(f"GET /api/tables/{table}/record")
    opened = recorder.ask(
        "POST /api/tables",
        body={"mode": "online", "clock": 30, "seats": [human("Anne", "a"), OPEN]},
    )
    guest = recorder.ask(
        f"POST /api/tables/{opened['id']}/seats", body={"name": "Bob", "salt": "b"}
    )
    bob = recorder.connect("bob", f"/api/tables/{opened['id']}/socket")
    bob.say({"t": "hello", "d": {"secret": guest["secret"]}})
    bob.hear("clock")
    recorder.say({"at": "bob", "leave": True})


def ordering(recorder: Recorder, tables: Tables) -> None:
    """Two players give standing orders, which roll and stop for them, and revoke them."""
    recorder.ids = itertools.count(9001)  # the table has had actions with the first numbers
    table, secrets = tables["duel"]
    both = [recorder.join(name, table, secrets[seat]) for seat, name in enumerate(("anne", "bob"))]
    anne, bob = both

    def hear_all() -> None:
        for person in both:
            person.ping()

    anne.act("revoke", 0)
    for wrong in ({}, {"bust": 0}, {"runners": "yes"}, {"until": 3}):
        anne.act("order", 0, **wrong)
    anne.act("order", 1, column=True)
    anne.act("order", 0, bust=30)
    anne.act("order", 0, column=True)
    anne.act("order", 0, column=True)
    anne.act("order", 0, column=True, runners=True)
    bob.act("order", 1, runners=True)
    hear_all()
    for _ in range(8):
        if anne.view["outcome"] is None:
            both[anne.view["seat"]].step(3)
            hear_all()
    recorder.ask(f"GET /api/tables/{table}")
    bob.act("revoke", 1)
    bob.act("revoke", 1)
    hear_all()
    recorder.finish(*both)
    hotseat, (secret,) = tables["hotseat"]
    one_screen = recorder.join("one screen", hotseat, secret)
    one_screen.act("order", 0, runners=True)
    one_screen.leave()


def companion(recorder: Recorder, tables: Tables) -> None:
    """Players enter their own dice and take back what was wrong, the end of the game too."""
    people = [human("Anne"), human("Bob")]
    body = {"mode": "hotseat", "dice": "entered", "edition": "custom", "win": 1, "seats": people}
    for wrong in ({"mode": "online"}, {"dice": "loaded"}, {"seats": [human("Anne"), bot("fox")]}):
        recorder.ask("POST /api/tables", body=body | wrong)
    recorder.ask("POST /api/tables", body=body | {"seats": [human("Anne", "a"), human("Bob")]})
    opened = recorder.ask("POST /api/tables", body=body)
    table = opened["id"]
    anne = recorder.join("anne", table, opened["secret"])
    anne.act("roll", 0)
    for dice in ([1, 2, 3, 4, 5], [7, 1, 1, 1], "abcd", [], [6] * 13):
        anne.act("roll", 0, dice=dice)
    anne.act("takeback", 0)
    anne.act("roll", 0, dice=[1, 1, 2, 6])
    anne.act("takeback", 0)
    for _ in range(3):
        anne.act("roll", 0, dice=[1, 1, 6, 6])
        anne.act("move", 0, move="2+12")
    anne.act("roll", 0, dice=[1, 1, 1, 1])
    anne.act("takeback", 1)
    anne.act("takeback", 0)
    anne.act("stop", 0)
    anne.act("takeback", 0)
    anne.act("stop", 0)
    recorder.ask(f"GET /api/tables/{table}")
    anne.act("rematch", 0)
    anne.act("takeback", 0)
    anne.leave()
    hotseat, (secret,) = tables["hotseat"]
    sealed = recorder.join("sealed", hotseat, secret)
    sealed.act("roll", sealed.view["seat"], dice=[6, 6, 6, 6])
    sealed.leave()


def limits(recorder: Recorder, tables: Tables) -> None:
    """More than one address may ask for, of everything."""
    body = {"mode": "solo", "seats": [human("Anne", "a")]}
    for _ in range(3):
        recorder.ask("POST /api/tables", body=body)
    table, (annes, _) = tables["duel"]
    anne = recorder.join("anne", table, annes)
    for number in range(30):
        action = {"id": f"cheering-{number}", "kind": "react", "seat": 0, "reaction": "cheer"}
        anne.say({"t": "act", "d": action})
    recorder.hear_end("anne")


Conversation = Callable[[Recorder, Tables], None]
_ALL: tuple[Conversation, ...] = (
    requests, openings, refusals, hellos, missed, acting, seating, salts, filling, robots,
    variants, absence, substitutes, courtesy, ordering, companion, limits,
)  # fmt: skip
_OPTIONS: dict[Conversation, tuple[str, ...]] = {limits: STRICT, absence: PATIENT}
CONVERSATIONS = {one.__name__: (_OPTIONS.get(one, USUAL), one) for one in _ALL}


def record(folder: Path, name: str) -> list[Json]:
    """Hold a conversation on a fresh copy of the database."""
    options, conversation = CONVERSATIONS[name]
    dump = (folder / "tables.sql").read_text("utf-8")
    secrets = (folder / "tables.json").read_text("utf-8")
    with TemporaryDirectory() as temporary:
        database = Path(temporary) / "tables.db"
        load(dump, database)
        with Server(database, options) as server, Talk(server.address, dump + secrets) as talk:
            recorder = Recorder(talk)
            opening = {"about": conversation.__doc__, "serve": list(options)}
            recorder.lines.append(opening)
            conversation(recorder, Tables(folder / "tables.json"))
            return recorder.lines


def main() -> None:
    """Record everything."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--database", action="store_true", help="make the tables anew, too")
    parser.add_argument("--only", help="record only this conversation")
    given = parser.parse_args()
    if given.database:
        with TemporaryDirectory() as temporary:
            make_tables(given.folder, Path(temporary) / "tables.db")
    for name in CONVERSATIONS:
        if given.only in (None, name):
            lines = record(given.folder, name)
            texts = [json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines]
            (given.folder / f"{name}.jsonl").write_text("\n".join(texts) + "\n", "utf-8")
            print(f"{name}: {len(texts)} lines")


if __name__ == "__main__":
    main()
