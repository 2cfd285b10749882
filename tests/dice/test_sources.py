"""Dice: secure ones, seeded ones, and sealed ones that anybody can check."""

import hashlib
import json
import secrets
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cantstop import CantStopError, InvalidText, Seal, SealedDice, SecureDice, SeededDice
from cantstop.dice import check_word, commitment, derive, new_salt, new_secret
from cantstop.rules import Phrase

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "sealed_dice.json").read_text("utf-8"))
every_vector = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])

SECRET = bytes(range(32))
SEAL = Seal("kitchen", commitment(SECRET), ("anne", "bob"))


def sealed(vector: Any) -> SealedDice:
    seal = Seal(vector["table"], vector["commitment"], tuple(vector["salts"]))
    return SealedDice(seal, bytes.fromhex(vector["secret"]), vector["sides"])


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """RFC 2104 written out, for keys of up to a block."""
    block = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in block) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in block) + inner).digest()


def thrown_by_hand(vector: Any, number: int, count: int) -> tuple[list[int], int, int]:
    """The dice, how many bytes were passed over on the way, and how many blocks it took."""
    sides, dice, passed, block = vector["sides"], [], 0, 0
    while True:
        lines = ["cantstop-dice-1", vector["table"], ",".join(vector["salts"]), number, block]
        block += 1
        digest = hmac_sha256(bytes.fromhex(vector["secret"]), "\n".join(map(str, lines)).encode())
        for byte in digest:
            if byte // sides == 256 // sides:  # the last, incomplete run of sides
                passed += 1
                continue
            dice.append(byte % sides + 1)
            if len(dice) == count:
                return dice, passed, block


@every_vector
def test_sealed_dice_are_those_of_the_test_vectors(vector: Any) -> None:
    dice = sealed(vector)
    assert dice.seal.opens_with(dice.secret)
    for roll in vector["rolls"]:
        assert list(dice.roll(roll["number"], len(roll["dice"]))) == roll["dice"]


@every_vector
def test_the_test_vectors_hold_by_hand(vector: Any) -> None:
    secret = bytes.fromhex(vector["secret"])
    assert hashlib.sha256(secret).hexdigest() == vector["commitment"]
    for roll in vector["rolls"]:
        by_hand = thrown_by_hand(vector, roll["number"], len(roll["dice"]))
        assert by_hand == (roll["dice"], roll["passed"], roll["blocks"])


def test_the_test_vectors_pass_over_bytes_and_go_on_to_the_next_block() -> None:
    rolls = [roll for vector in VECTORS for roll in vector["rolls"]]
    assert any(roll["passed"] and len(roll["dice"]) == 4 for roll in rolls)
    assert any(roll["blocks"] > 1 for roll in rolls)


@pytest.mark.parametrize("sides", range(2, 21))
def test_no_side_is_likelier_than_another(sides: int, monkeypatch: pytest.MonkeyPatch) -> None:
    fair = 256 // sides
    even = fair * sides
    # each byte once, beginning with those that would make the low sides likelier
    each_byte = bytes([*range(even, 256), *range(even)])
    monkeypatch.setattr("hmac.digest", lambda *_: each_byte)
    counts = Counter(derive.derive(b"", "", 1, even, sides))
    assert counts == dict.fromkeys(range(1, sides + 1), fair)


def test_no_dice_are_no_dice() -> None:
    assert SeededDice(1).roll(1, 0) == ()


@pytest.mark.parametrize(
    ("seed", "sides", "number", "dice"),
    [
        (2026, 6, 1, (6, 1, 1, 2)),
        (1, 6, 1, (2, 1, 4, 2)),
        (1, 6, 2, (2, 6, 2, 3)),
        (0, 6, 1, (2, 6, 5, 3)),
        (-1, 6, 1, (2, 2, 2, 5)),
        (1, 20, 1, (12, 19, 6, 8)),
    ],
)
def test_seeded_dice_are_the_same_everywhere_and_for_ever(
    seed: int, sides: int, number: int, dice: tuple[int, ...]
) -> None:
    assert SeededDice(seed, sides).roll(number) == dice


def test_a_roll_depends_on_the_seed_and_its_number_alone() -> None:
    rolls = {SeededDice(seed).roll(number, 20) for seed in range(10) for number in range(1, 11)}
    assert len(rolls) == 100
    assert SeededDice(5).roll(7) == SeededDice(5).roll(7)


def test_two_dice_for_the_start_are_the_first_of_four() -> None:
    assert SeededDice(2026).roll(1, 2) == SeededDice(2026).roll(1, 4)[:2]


def test_seeded_dice_show_every_side_about_as_often() -> None:
    counts = Counter(SeededDice(1).roll(1, 60_000))
    assert set(counts) == {1, 2, 3, 4, 5, 6}
    assert all(9_600 < count < 10_400 for count in counts.values())


@pytest.mark.parametrize("sides", [2, 6, 20])
def test_secure_dice_show_every_side_and_nothing_else(sides: int) -> None:
    assert set(SecureDice(sides).roll(count=4_000)) == set(range(1, sides + 1))


def test_secure_dice_are_the_even_choice_of_the_systems_generator(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def randbelow(limit: int) -> int:
        asked.append(limit)
        return len(asked) - 1

    monkeypatch.setattr(secrets, "randbelow", randbelow)
    assert SecureDice(6).roll(1) == (1, 2, 3, 4)
    assert asked == [6] * 4


def test_a_salt_changed_changes_the_dice() -> None:
    other = Seal(SEAL.table, SEAL.commitment, ("anne", "bert"))
    assert SealedDice(SEAL, SECRET).roll(1, 20) != SealedDice(other, SECRET).roll(1, 20)


def test_a_seal_opens_with_its_own_secret_only() -> None:
    assert SEAL.opens_with(SECRET)
    assert not SEAL.opens_with(SECRET[::-1])


def test_the_secret_is_never_printed() -> None:
    assert SECRET.hex() not in repr(SealedDice(SEAL, SECRET))
    assert repr(SECRET) not in repr(SealedDice(SEAL, SECRET))


@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33)])
def test_a_secret_of_another_length_is_refused(secret: bytes) -> None:
    with pytest.raises(InvalidText, match=f"A secret has 32 bytes, not {len(secret)}"):
        SealedDice(SEAL, secret)


@pytest.mark.parametrize("text", ["", "two words", "a,b", "a\nb", "é", "x" * 65])
def test_a_table_or_salt_that_is_no_plain_word_is_refused(text: str) -> None:
    shown = text.replace("\n", "�")  # nothing that is quoted breaks a line
    for kind in (Phrase("table"), Phrase("salt")):
        with pytest.raises(InvalidText) as caught:
            check_word(kind, text)
        assert str(caught.value) == (
            f"“{shown}” cannot be a {kind}: it takes 1 to 64 letters, digits, “-” or “_”."
        )
    for table, salt in ((text, "a"), ("t", text)):
        with pytest.raises(InvalidText, match="cannot be a"):
            Seal(table, SEAL.commitment, (salt,))


@pytest.mark.parametrize("text", ["", "0" * 63, "0" * 65, "G" * 64, "AB" * 32])
def test_what_is_no_commitment_is_refused(text: str) -> None:
    with pytest.raises(CantStopError, match="is not a commitment: it takes 64 hexadecimal digits"):
        Seal("t", text, ("a",))


def test_fresh_secrets_and_salts_fit_and_differ() -> None:
    secrets_, salts = {new_secret() for _ in range(50)}, {new_salt() for _ in range(50)}
    assert len(secrets_) == len(salts) == 50
    for secret, salt in zip(secrets_, salts, strict=True):
        assert SealedDice(Seal("t", commitment(secret), (salt,)), secret).roll(1)
