"""The dice of a game over days are those of the specification, its page and its test vectors."""

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest

from cantstop.dice import GradualDice, GradualSeal, SealedSalt, commitment, salt_commitment
from cantstop.rules import InvalidText

ROOT = Path(__file__).parents[2]
VECTORS = json.loads((ROOT / "tests/data/gradual_dice.json").read_text("utf-8"))
OPEN = SealedSalt(salt="a", since=1)


def dice_of(vector: Any) -> GradualDice:
    seats = tuple(
        SealedSalt("0" * 64) if seat["salt"] is None else SealedSalt("0" * 64, **seat)
        for seat in vector["seats"]
    )
    seal = GradualSeal(vector["table"], vector["commitment"], seats)
    return GradualDice(seal, bytes.fromhex(vector["secret"]), vector["sides"])


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_dice_are_those_of_the_test_vectors(vector: Any) -> None:
    dice = dice_of(vector)
    assert dice.seal.opens_with(dice.secret)
    for roll in vector["rolls"]:
        due = tuple(roll["dice"])
        assert dice.roll_in_turn(roll["turn"], roll["roll"], len(due)) == due


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_test_vectors_are_what_the_page_says(vector: Any) -> None:
    """Computed here without the package, as docs/dice.md says it."""
    limit = 256 - 256 % vector["sides"]
    for roll in vector["rolls"]:
        salts = [
            seat["salt"] if seat["since"] is not None and seat["since"] <= roll["turn"] else ""
            for seat in vector["seats"]
        ]
        context = ["gradual", vector["table"], str(roll["turn"]), ",".join(salts)]
        message = "\n".join(["cantstop-dice-1", *context, str(roll["roll"]), "0"])
        digest = hmac.new(
            bytes.fromhex(vector["secret"]), message.encode(), hashlib.sha256
        ).digest()
        faces = [byte % vector["sides"] + 1 for byte in digest if byte < limit]
        assert faces[: len(roll["dice"])] == roll["dice"]


def test_the_page_prints_the_first_vector() -> None:
    page = (ROOT / "docs/dice.md").read_text("utf-8")
    rows = "\n".join(
        f"| {roll['turn']} | {roll['roll']} | {'-'.join(map(str, roll['dice']))} |"
        for roll in VECTORS[0]["rolls"]
    )
    assert f"| turn | roll | dice |\n|---|---|---|\n{rows}\n" in page


def test_a_salt_changes_no_dice_before_it_counts_and_all_after() -> None:
    secret = bytes(32)
    first = SealedSalt(salt_commitment("anne"), "anne", 1)
    waiting = GradualSeal("t", commitment(secret), (first, SealedSalt(salt_commitment("ben"))))
    revealed = GradualSeal(
        "t", commitment(secret), (first, SealedSalt(salt_commitment("ben"), "ben", 3))
    )
    without, with_it = GradualDice(waiting, secret), GradualDice(revealed, secret)
    rolls = [(turn, roll) for turn in range(1, 6) for roll in range(1, 5)]
    for turn, roll in rolls:
        same = without.roll_in_turn(turn, roll, 12) == with_it.roll_in_turn(turn, roll, 12)
        assert same is (turn < 3)


@pytest.mark.parametrize(
    "wrong",
    [
        {"salt": "a"},
        {"since": 1},
        {"salt": "a", "since": 2},
        {"promised": "0" * 64, "salt": "a"},
        {"promised": "0" * 64, "since": 3},
        {"promised": "0" * 64, "salt": "a", "since": 0},
        {"promised": "0" * 64, "salt": "a", "since": 1, "lost": True},
        {"salt": "a", "since": 1, "lost": True},
        {},
        {"promised": "0" * 63, "salt": "a", "since": 1},
        {"promised": "0" * 64, "salt": "a b", "since": 1},
    ],
)
def test_what_a_seat_cannot_have_added_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidText):
        SealedSalt(**wrong)


def test_the_secret_has_32_bytes() -> None:
    seal = GradualSeal("t", commitment(bytes(31)), (OPEN,))
    with pytest.raises(InvalidText, match="32 bytes"):
        GradualDice(seal, bytes(31))
