"""Tables on a real server in lines of text: joined, opened, watched, played twice."""

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from browser_player import ServerProcess
from cantstop.client import OPEN, Player, TableLink, bot, human, look, open_table
from cantstop.review import review
from cantstop.rules import Phase
from patience import PATIENCE
from people import golden
from pseudo_terminal import Terminal
from typist import Typist

SHORT: Any = {"edition": "custom", "win": 1}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("server")
    server = ServerProcess(f"sqlite:///{folder / 'tables.db'}").start()
    yield server
    server.kill()


@pytest.fixture
def typist(tmp_path: Path) -> Iterator[Callable[..., Typist]]:
    started: list[Typist] = []

    def start(command: str, *arguments: str) -> Typist:
        home = tmp_path / f"home-{len(started)}"
        started.append(Typist(home, *arguments, "--plain", command=command))
        return started[-1]

    yield start
    for one in started:
        one.close()


def test_two_open_a_table_play_it_react_and_play_again(
    server: ServerProcess, typist: Callable[..., Typist]
) -> None:
    anne = typist("open", server.url, "--seat", "Anne", "--win", "1")
    anne.hear("Whoever has this link can sit down:")
    link = anne.hear("/t/").strip()
    anne.hear("Waiting until all seats are taken.")
    bob = typist("join", link, "--name", "Bob")
    anne.hear("Bob sits down.")
    for one in (anne, bob):
        one.hear("The game begins.")
    anne.hear("Anne, press Enter to roll:")
    anne.type("react cheer")
    bob.hear("Anne cheers!")
    anne.hear("Anne, press Enter to roll:")
    anne.type("link")
    assert anne.hear("/t/") == link
    anne.hear("Anne, press Enter to roll:")
    play_both(anne, bob)
    assert look(link).is_over
    anne.type("rematch")
    bob.hear("Anne asks for a rematch.")
    bob.type("rematch")
    winner = next(name for line in anne.said if (name := won(line)))
    first = "Anne 1 – 0 Bob" if winner == "Anne" else "Anne 0 – 1 Bob"
    for one in (anne, bob):
        one.hear(f"The score: {first}.")
    bob.hear("Bob, press Enter to roll:")  # the start goes round
    bob.type("resign")
    bob.hear("once more")
    bob.type("resign")
    wins = {"Anne": 1 + (winner == "Anne"), "Bob": int(winner == "Bob")}
    for one in (anne, bob):
        one.hear("Anne wins: Bob has resigned.")
        one.hear(f"The score: Anne {wins['Anne']} – {wins['Bob']} Bob.")
        one.type("")
        assert one.leave() == 0


def test_an_order_rolls_for_its_player_and_is_revoked(
    server: ServerProcess, typist: Callable[..., Typist]
) -> None:
    anne = typist("open", server.url, "--seat", "Anne")
    bob = typist("join", anne.hear("/t/").strip(), "--name", "Bob")
    for said, answer in (
        ("revoke", "You have given no standing order."),
        ("order", "Say what: “order runners”, “order column”, “order 30”, or all at once."),
        ("order 0", "Say what:"),
        ("order 30", "This table shows no chance to bust, and was opened without hints."),
        ("order column", "Anne gives a standing order: stop when a column is won."),
        (
            "order col runners",
            "Anne gives a standing order: roll until three runners are out; stop when a column",
        ),
    ):
        anne.hear("Anne, press Enter to roll:")
        anne.type(said)
        anne.hear(answer)
    for one in (anne, bob):
        one.hear("By standing order: Anne rolls")
    anne.type("revoke")
    for one in (anne, bob):
        one.hear("Anne's standing order is over.")


def won(line: str) -> str | None:
    found = re.match(r"(\w+) wins the game", line)
    return None if found is None else found[1]


def play_both(anne: Typist, bob: Typist) -> None:
    """Both play to the end; who is not in turn waits in their pipe."""
    threads = [threading.Thread(target=play) for play in (anne.play_from_here, bob.play)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()


def test_at_a_terminal_one_may_answer_at_any_time(server: ServerProcess, tmp_path: Path) -> None:
    link = open_table(server.url, [human("Ann"), OPEN], **SHORT)
    tim = Terminal(tmp_path, str(link), "--name", "Tim", command="join")
    try:
        tim.wait_for("Waiting until everybody is here.")
        with Player(link) as ann:
            tim.wait_for("The game begins.")
            ann.wait(lambda table: table.started)
            ann.move(ann.roll()[0])
            ann.take_back()
            tim.wait_for("Type “agree” or “decline”.")
            tim.type("agree")
            ann.wait(lambda table: table.position.phase is Phase.MOVE)
            tim.wait_for("Ann takes back the last decision.")
            tim.type("roll")
            tim.wait_for("It is not your turn.")
            tim.type("help")
            tim.wait_for("rematch")
            tim.wait_for("show the link to this table")
            tim.type("quit")
            tim.wait_for(f"cantstop join {link}")
        assert tim.program.wait() == 0
    finally:
        tim.close()


def test_a_watcher_is_told_the_whole_game_and_leaves_with_it(
    server: ServerProcess, typist: Callable[..., Typist]
) -> None:
    link = open_table(server.url, [bot("careful"), bot("bold")], **SHORT)
    watcher = typist("watch", str(link))
    assert watcher.leave() == 0
    assert re.search(r"wins the game in round \d+", "\n".join(watcher.said))


def test_the_same_command_comes_back_to_the_same_seat(
    server: ServerProcess, typist: Callable[..., Typist], tmp_path: Path
) -> None:
    link = open_table(server.url, [OPEN, bot("careful")], **SHORT)
    first = typist("join", str(link), "--name", "Tim")
    first.hear("Tim, press Enter to roll:")
    assert first.leave() == 0
    assert first.said[-1] == f"  cantstop join {link}"
    again = Typist(tmp_path / "home-0", "--plain", str(link), command="join")
    try:
        again.hear("Tim, press Enter to roll:")
        again.play_from_here()
    finally:
        again.close()
    assert look(link).is_over


def test_a_review_of_an_online_game_comes_after_it(
    server: ServerProcess, typist: Callable[..., Typist]
) -> None:
    review(golden("classic-two"))  # compiled here, where nobody waits for a line
    link = open_table(server.url, [OPEN, bot("careful")], **SHORT)
    tim = typist("join", str(link), "--name", "Tim")
    tim.hear("Tim, press Enter to roll:")
    tim.type("review")
    tim.hear("The review comes after the game.")
    tim.hear("Tim, press Enter to roll:")
    tim.play_from_here()
    tim.type("review")
    tim.hear("accuracy", seconds=240)  # the engine is loaded, and the machine may be busy
    assert tim.leave() == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["open", "ftp://x"], "is not the address of a server"),
        (["open", "SERVER", "--seat", "bot:careful"], "The first seat of a table that you open"),
        (["open", "SERVER", "--seat", "Ann", "--seat", "Bob"], "“Bob” joins by the link"),
        (["open", "SERVER", "--seed", "1"], "There is no option --seed"),
        (["open", "SERVER", "--rules", "lengths=1.3.5.3.1"], "the usual board and dice"),
        (["open", "SERVER", "--players", "5"], "How many play?"),
        (["open"], "SERVER is missing"),
        (["join", "SERVER/t/nothing-here"], "There is no such table"),
        (["play", "--clock", "30"], "There is no option --clock"),
    ],
)
def test_what_cannot_be_gets_one_sentence(
    server: ServerProcess, fails: Callable[..., str], arguments: list[str], sentence: str
) -> None:
    given = [argument.replace("SERVER", server.url) for argument in arguments]
    assert sentence in fails(*given, "--plain")


def test_a_table_is_opened_as_the_options_say(
    server: ServerProcess, typist: Callable[..., Typist]
) -> None:
    opened = typist(
        *("open", server.url, "--seat", "Ann", "--seat", "bot:fox", "--seat", "open"),
        *("--edition", "asmodee", "--win", "4", "--variant", "leapfrog", "--clock", "30"),
    )
    link = TableLink.parse(opened.hear("/t/").strip())
    table = look(link)
    assert str(table.start.rules) == "v1,players=3,win=4,sharing=leapfrog,start=roll-off"
    assert [seat.name for seat in table.seats] == ["Ann", "fox", None]
    with Player.join(replace(link, secret=None), "Zoë") as zoe:
        zoe.wait(lambda table: table.started)
        assert zoe.clock is not None
        assert zoe.clock.seconds == 30


def test_a_slow_table_says_how_many_days_are_left(
    server: ServerProcess, typist: Callable[..., Typist]
) -> None:
    anne = typist("open", server.url, "--seat", "Anne", "--days", "3")
    anne.hear("Whoever has this link can sit down:")
    link = anne.hear("/t/").strip()
    bob = typist("join", link, "--name", "Bob")
    bob.hear("The game begins.")
    anne.hear(" days left.")
    anne.type("drop")
    anne.hear("Nobody here has missed two turns in a row.")
