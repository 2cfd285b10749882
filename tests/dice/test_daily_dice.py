"""The dice of a day: the same wherever the secret is, others on every other day."""

import hashlib
import hmac
import json
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest

from cantstop.dice import DailyDice, DaySeal, commitment, day_key, read_day
from cantstop.rules import InvalidText

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "daily_dice.json").read_text("utf-8"))
SECRET = bytes(range(32))
DAY = date(2026, 11, 15)


def rolls(dice: DailyDice) -> list[tuple[int, ...]]:
    return [dice.roll_in_turn(turn, roll) for turn in range(1, 9) for roll in range(1, 9)]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["day"])
def test_the_vectors_in_the_documentation(vector: dict[str, object]) -> None:
    dice = DailyDice.of(bytes.fromhex(str(vector["secret"])), read_day(str(vector["day"])))
    assert dice.key.hex() == vector["key"]
    assert dice.seal.commitment == vector["commitment"]
    found = vector["rolls"]
    assert isinstance(found, list)
    for place in found:
        assert list(dice.roll_in_turn(place["turn"], place["roll"])) == place["dice"]


def test_the_definition_written_out_by_hand() -> None:
    key = hmac.new(SECRET, b"cantstop-day-1\n2026-11-15", hashlib.sha256).digest()
    digest = hmac.new(key, b"cantstop-dice-1\ndaily\n2026-11-15\n3\n2\n0", hashlib.sha256).digest()
    due = [byte % 6 + 1 for byte in digest if byte < 252][:4]
    assert list(DailyDice.of(SECRET, DAY).roll_in_turn(3, 2)) == due
    assert commitment(key) == hashlib.sha256(key).hexdigest()


def test_the_same_secret_and_day_have_the_same_dice_and_no_others_do() -> None:
    mine = rolls(DailyDice.of(SECRET, DAY))
    assert rolls(DailyDice.of(SECRET, DAY)) == mine
    assert rolls(DailyDice.of(SECRET, DAY + timedelta(days=1))) != mine
    assert rolls(DailyDice.of(SECRET[::-1], DAY)) != mine
    assert len(set(mine)) > 40, "the places of a game have dice of their own"


def test_a_days_key_is_of_no_use_as_the_secret_of_another_day() -> None:
    """Whoever takes today's key for the secret, or for tomorrow's key, gets other dice."""
    today, tomorrow = DailyDice.of(SECRET, DAY), DailyDice.of(SECRET, DAY + timedelta(days=1))
    guesses = [
        DailyDice(tomorrow.seal, today.key),
        DailyDice(tomorrow.seal, day_key(today.key, tomorrow.seal.day)),
    ]
    for guess in guesses:
        assert not tomorrow.seal.opens_with(guess.key)
        assert rolls(guess) != rolls(tomorrow)


def test_every_face_is_as_likely_as_any_other() -> None:
    days = [DailyDice.of(SECRET, DAY + timedelta(days=ago)) for ago in range(120)]
    faces = Counter(face for dice in days for roll in rolls(dice) for face in roll)
    due = faces.total() / 6
    # chi-square with 5 degrees of freedom; beyond 25.7 once in 10,000
    assert sum((count - due) ** 2 / due for count in faces.values()) < 25.7


@pytest.mark.parametrize(
    "text", ["", "2026-11-31", "20261115", "15 Nov", "2026-1-5", "２026-11-15"]
)
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(InvalidText, match="is not a day"):
        read_day(text)


def test_a_secret_or_commitment_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(InvalidText, match="32 bytes"):
        day_key(b"short", DAY)
    with pytest.raises(InvalidText, match="32 bytes"):
        DailyDice(DaySeal(DAY, "0" * 64), b"short")
    with pytest.raises(InvalidText, match="not a commitment"):
        DaySeal(DAY, "0")
