"""The tables of the recorded conversations: one of every kind, played on an empty database."""

import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conversation_recorder import OPEN, SHORT, Recorder, Socket, bot, human
from conversations import EXPIRED, Json, Server, Talk


class Tables:
    """The tables of the database: their ids, and the secrets of their people."""

    def __init__(self, path: Path) -> None:
        self._found: dict[str, tuple[str, list[str]]] = {}
        if path.exists():
            self._found = {
                name: tuple(one)
                for name, one in json.loads(path.read_text(encoding="utf-8")).items()
            }

    def add(self, name: str, table: str, *secrets: str) -> None:
        """One more."""
        self._found[name] = table, list(secrets)

    def __getitem__(self, name: str) -> tuple[str, list[str]]:
        """The id and the secrets of a table."""
        return self._found[name]

    def write(self, path: Path) -> None:
        """Keep them for the next time."""
        lines = [f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in self._found.items()]
        path.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


class Plain(Talk):
    """A conversation in which nothing is replaced."""

    def _named(self, found: Any, _key: str = "", /) -> Any:  # noqa: ANN401
        return found


def make_tables(folder: Path, database: Path) -> Tables:
    """Play on an empty database until there are tables of all kinds, and dump it."""
    tables = Tables(folder / "nowhere")
    options = ("--limits", "0", "--pace", "0", "--absence", "0")
    with Server(database, options) as server, Plain(server.address, "") as talk:
        fill(Recorder(talk), tables)
    with sqlite3.connect(database) as connection:
        connection.execute(
            "UPDATE events SET at = ? WHERE table_id = ?", [EXPIRED, tables["expired"][0]]
        )
        (folder / "tables.sql").write_text("\n".join(connection.iterdump()) + "\n", "utf-8")
    connection.close()
    tables.write(folder / "tables.json")
    return tables


@dataclass(frozen=True)
class Opener:
    """Opens tables, and plays at them."""

    recorder: Recorder
    tables: Tables

    def open(
        self,
        name: str,
        *seats: Json,
        mode: str = "online",
        guests: int = 0,
        **more: Any,  # noqa: ANN401
    ) -> None:
        """A new table, with a number of guests."""
        body = {"mode": mode, "seats": list(seats), **more}
        answer = self.recorder.ask("POST /api/tables", body=body)
        secrets = [answer["secret"]] if answer["secret"] else []
        for guest in ("Bob", "Carla")[:guests]:
            seat = {"name": guest, "salt": guest.lower()}
            taken = self.recorder.ask(f"POST /api/tables/{answer['id']}/seats", body=seat)
            secrets.append(taken["secret"])
        self.tables.add(name, answer["id"], *secrets)

    def play(self, name: str, steps: int) -> None:
        """The people at a table take a number of steps, or until the game is over."""
        table, secrets = self.tables[name]
        people = [self.recorder.join(f"{name}{at}", table, one) for at, one in enumerate(secrets)]
        for _ in range(steps):
            if people[0].view["outcome"] is not None:
                break
            self._step(people)
        self.recorder.finish(*people)

    def _step(self, people: list[Socket]) -> None:
        actor = people[people[0].view["seat"] % len(people)]
        actor.step()
        for person in people:
            while person.view["position"] != actor.view["position"]:
                person.hear("rolled", "moved", "stopped", "busted", "finished")


def fill(recorder: Recorder, tables: Tables) -> None:
    """Open tables of all kinds, and play at some."""
    opener = Opener(recorder, tables)
    opener.open("duel", human("Anne", "anne"), OPEN, guests=1, help=True, **SHORT)
    opener.play("duel", 14)
    opener.open("finishing", human("Anne", "anne"), OPEN, guests=1, **SHORT)
    opener.play("finishing", 11)
    opener.open("free", human("Anne", "anne"), OPEN, **SHORT, help=True)
    opener.open("reserved", human("Anne"), OPEN, **SHORT)
    opener.open("waiting", human("Anne", "anne"), human("Bert"), OPEN)
    opener.open("absent", human("Anne", "anne"), OPEN, OPEN, guests=2, edition="asmodee")
    people = human("Anne", "anne"), human("Bob", "bob"), human("Carla", "carla")
    opener.open("bot", people[0], bot("careful"), mode="hotseat", **SHORT)
    opener.play("bot", 2)
    opener.open("brave", people[0], bot("bold"), bot("rule-of-28"), mode="hotseat", **SHORT)
    no_rest: Json = {"edition": "ravensburger", "youngest": 1, "sharing": "no-rest", "early": True}
    opener.open("hotseat", *people[:2], mode="hotseat", win=5, **no_rest)
    opener.play("hotseat", 9)
    leapfrog: Json = {"edition": "asmodee", "sharing": "leapfrog", "win": 4}
    opener.open("roll-off", *people, mode="hotseat", **leapfrog)
    opener.open("solo", people[0], mode="solo", help=True)
    opener.play("solo", 20)
    for name in ("over", "again"):
        opener.open(name, human("Anne", "anne"), OPEN, guests=1, **SHORT)
        opener.play(name, 1000)
    opener.open("expired", human("Anne", "anne"), OPEN, guests=1)
    rematch(recorder, tables)
    opener.open("replaced", human("Anne", "anne"), OPEN, guests=1, **SHORT)
    opener.play("replaced", 3)
    replace(recorder, tables)
    lesson = recorder.ask("POST /api/tables", body={"lesson": "basics", "name": "Anne"})
    tables.add("lesson", lesson["id"], lesson["secret"])
    opener.play("lesson", 4)


def rematch(recorder: Recorder, tables: Tables) -> None:
    """The table that follows another one."""
    table, (annes, bobs) = tables["again"]
    anne = recorder.join("rematching", table, annes)
    anne.act("rematch", 0)
    tables.add("following", recorder.ask(f"GET /api/tables/{table}")["next"], annes, bobs)
    recorder.finish(anne)


def replace(recorder: Recorder, tables: Tables) -> None:
    """Anne has a bot play for Bob, who has gone."""
    table, (annes, _) = tables["replaced"]
    anne = recorder.join("replacing", table, annes)
    while recorder.ask(f"GET /api/tables/{table}")["seats"][1]["present"]:
        anne.hear("presence")
    answer = anne.act("substitute", 0, **{"for": 1})
    assert "error" not in answer, answer
    recorder.finish(anne)
