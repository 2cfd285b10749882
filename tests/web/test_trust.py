"""Verify says yes for a real game and no for a tampered record, in the browser itself."""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, StorageState, expect

from browser_player import Player, ServerProcess
from cantstop import read_record

TESTS = Path(__file__).parents[1]
GOLDEN = sorted((TESTS / "golden").glob("*.cantstop"))


@pytest.fixture(scope="module")
def game_of_two(browser: Browser, server: ServerProcess) -> tuple[str, StorageState]:
    """A game that a browser has seen from the beginning: it remembers what it was promised."""
    player = Player.at(browser, server.url)
    player.go("/new?way=hotseat").find("[data-field=edition-trademark]").check()
    player.find(".start-game").click()
    player.sees(stage="playing").play()
    played = f"/t/{player.table_id}", player.page.context.storage_state()
    player.close()
    return played


@pytest.fixture
def finished(game_of_two: tuple[str, StorageState], sit: Callable[..., Player]) -> Any:
    """A player whose game is over, with everything that their browser remembers of it."""
    path, memory = game_of_two
    return sit(storage_state=memory).go(path).sees(stage="over")


def record_of(player: Any) -> Any:
    return player.page.request.get(f"/api/tables/{player.table_id}/record").text()


def check_text(player: Any, text: str) -> Any:
    player.go("/verify").find(".record-text").fill(text)
    player.find("main button", has_text="Check").click()
    return player.find(".verdict")


def change_a_die(text: str) -> Any:
    at = list(re.finditer(r" \d{4}(?==)", text))[-1].end() - 1
    return text[:at] + str(int(text[at]) % 6 + 1) + text[at + 1 :]


def change_a_move(text: str) -> str:
    """One step where two had to be played (T4, T6)."""
    found = list(re.finditer(r"=(\d+)\+(\d+)", text))[-1]
    return text[: found.start()] + f"={found[1]}" + text[found.end() :]


def change_the_secret(text: str) -> Any:
    return re.sub(r'(?<=\[Secret ")(.)', lambda found: "0" if found[1] != "0" else "1", text)


def change_a_salt(text: str) -> Any:
    return re.sub(r'(?<=\[Salt1 ")(.)', lambda found: "0" if found[1] != "0" else "1", text)


def change_the_winner(text: str) -> Any:
    return re.sub(r"won (\d)", lambda found: f"won {3 - int(found[1])}", text)


def leave_out_a_turn(text: str) -> str:
    lines = text.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("1. "))
    return "\n".join([*lines[:first], *lines[first + 1 :], ""])


TAMPERINGS = [
    change_a_die,
    change_a_move,
    change_the_secret,
    change_a_salt,
    change_the_winner,
    leave_out_a_turn,
]


def test_verify_says_yes_to_a_real_game_and_no_to_a_tampered_record(finished: Any) -> None:
    finished.find(".tile", has_text="Check the dice").click()
    verdict = finished.find(".verdict.yes")
    expect(verdict).to_contain_text("every roll and every move is right")
    expect(verdict).to_contain_text("the one that this browser saw before the game")
    expect(verdict).to_contain_text("Nobody could steer the dice against")
    text = record_of(finished)
    expect(check_text(finished, text)).to_have_class("verdict yes")
    for tamper in TAMPERINGS:
        changed = tamper(text)
        assert changed != text, tamper
        expect(check_text(finished, changed), tamper.__name__).to_have_class("verdict no")


def test_a_record_file_can_be_opened(finished: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.cantstop"
    file.write_text(record_of(finished), "utf-8")
    finished.go("/verify").find("input[type=file]").set_input_files(file)
    expect(finished.find(".verdict.yes")).to_be_visible()


def test_a_server_that_changed_its_promise_is_caught(finished: Any) -> None:
    """The browser keeps the commitment that it saw before the game."""
    finished.page.evaluate(
        """() => {
          const games = JSON.parse(localStorage.getItem("cantstop.games"));
          games[0].commitment = "0".repeat(64);
          localStorage.setItem("cantstop.games", JSON.stringify(games));
        }"""
    )
    finished.find(".tile", has_text="Check the dice").click()
    expect(finished.find(".verdict.no")).to_contain_text("not the one that was shown before")


def test_a_game_that_is_not_over_has_nothing_to_check_yet(player: Player) -> None:
    player.go("/").find("[data-way=hotseat]").click()
    player.sees(live=True).play(turns=1)
    expect(check_text(player, record_of(player))).to_contain_text("not revealed yet")


def test_what_is_no_record_is_called_that(player: Player) -> None:
    expect(check_text(player, "<b>hello</b>")).to_contain_text("not a Can’t Stop record")


def test_the_browser_throws_the_same_sealed_dice(player: Player) -> None:
    vectors = json.loads((TESTS / "data" / "sealed_dice.json").read_text("utf-8"))
    player.go("/verify")
    for vector in vectors:
        commitment, thrown = player.page.evaluate(
            """async ({ secret, table, salts, sides, rolls }) => {
              const { commitmentOf, sealedDice } = await import("/static/verify/dice.js");
              const due = await sealedDice(secret, table, salts, sides);
              const thrown = rolls.map(({ number, dice }) => due(number, dice.length));
              return [await commitmentOf(secret), await Promise.all(thrown)];
            }""",
            vector,
        )
        assert commitment == vector["commitment"], vector["name"]
        assert thrown == [roll["dice"] for roll in vector["rolls"]], vector["name"]


def test_the_browser_throws_the_same_dice_of_a_game_over_days(player: Player) -> None:
    vectors = json.loads((TESTS / "data" / "gradual_dice.json").read_text("utf-8"))
    player.go("/verify")
    for vector in vectors:
        thrown = player.page.evaluate(
            """async ({ secret, table, sides, seats, rolls }) => {
              const { gradualDice } = await import("/static/verify/dice.js");
              const due = await gradualDice(secret, table, sides);
              const salts = (turn) =>
                seats.map(({ salt, since }) => (since !== null && since <= turn ? salt : null));
              return Promise.all(
                rolls.map(({ turn, roll, dice }) => due(turn, salts(turn), roll, dice.length)),
              );
            }""",
            vector,
        )
        assert thrown == [roll["dice"] for roll in vector["rolls"]], vector["name"]


def test_the_browser_judges_records_of_all_schemes_as_python_does(player: Player) -> None:
    vectors = json.loads((TESTS / "data" / "sealed_records.json").read_text("utf-8"))
    player.go("/verify")
    for vector in vectors["records"]:
        found = player.page.evaluate(
            """async (text) => {
              const { checkRecord } = await import("/static/verify/check.js");
              try {
                const found = await checkRecord(text);
                const { scheme, protected: seats, redraws } = found;
                const { protectedFrom, unsalted, lost } = found;
                const of_days = { protected_from: protectedFrom, unsalted_turns: unsalted, lost };
                const more = scheme === 3 ? of_days : {};
                return { valid: true, scheme, protected: seats, redraws, ...more };
              } catch (problem) {
                if (problem.constructor.name !== "RecordProblem") throw problem;
                return { valid: false };
              }
            }""",
            vector["text"],
        )
        due = {key: vector[key] for key in vector if key not in ("name", "text")}
        assert found == due, vector["name"]


def test_the_browser_commits_to_salts_as_python_does(player: Player) -> None:
    vectors = json.loads((TESTS / "data" / "sealed_records.json").read_text("utf-8"))
    lengths = [*range(150), 1000]  # every padding of SHA-256
    player.go("/verify")
    for vector in vectors["salts"]:
        both = player.page.evaluate(
            """async (salt) => {
              const { saltCommitmentOf } = await import("/static/verify/dice.js");
              const { saltCommitment } = await import("/static/net/salts.js");
              return [saltCommitment(salt), await saltCommitmentOf(salt)];
            }""",
            vector["salt"],
        )
        assert both == [vector["commitment"]] * 2
    hashes = player.page.evaluate(
        """async (lengths) => {
          const { sha256 } = await import("/static/core/sha256.js");
          return lengths.map((length) => sha256("é".repeat(length)));
        }""",
        lengths,
    )
    assert hashes == [hashlib.sha256(("é" * length).encode()).hexdigest() for length in lengths]


def test_a_salt_that_was_exchanged_after_ours_was_revealed_is_caught(finished: Any) -> None:
    """The browser keeps what every seat was bound to when it revealed its own salt."""
    finished.page.evaluate(
        """() => {
          const games = JSON.parse(localStorage.getItem("cantstop.games"));
          games[0].bound[1] = { salt: null, commitment: "0".repeat(64) };
          localStorage.setItem("cantstop.games", JSON.stringify(games));
        }"""
    )
    finished.find(".tile", has_text="Check the dice").click()
    expect(finished.find(".verdict.no")).to_contain_text("fixed before yours was revealed")


def test_the_browser_replays_the_golden_games_as_the_rules_do(player: Player) -> None:
    player.go("/verify")
    for path in GOLDEN:
        record = read_record(path.read_text("utf-8"))
        for n in range(0, len(record.events), 5):
            record = record.annotated(n + 1, "a comment", ("!!", "!", "!?", "?!", "?", "??")[n % 6])
        text = str(record)
        game = record.game()
        replayed = player.page.evaluate(
            """async (text) => {
              const { readRecord } = await import("/static/verify/record.js");
              const { game, rolls } = readRecord(text);
              return { tokens: game.tokens, rolls: rolls.length, winners: game.winners };
            }""",
            text,
        )
        assert replayed == {
            "tokens": [list(spaces) for spaces in game.position.tokens.spaces],
            "rolls": game.rolls,
            "winners": list(game.outcome.winners) if game.outcome else None,
        }, path.name
