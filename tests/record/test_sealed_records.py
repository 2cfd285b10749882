"""Records of sealed dice, old and new: the same file is read by the browser's tests."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from cantstop import read_record, record_text, verify
from cantstop.dice import salt_commitment
from cantstop.record import RecordError, VerificationError
from cantstop.rules import CantStopError

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "sealed_records.json").read_text())


@pytest.mark.parametrize("vector", VECTORS["records"], ids=lambda vector: vector["name"])
def test_a_record_is_valid_or_not_as_the_vectors_say(vector: Any) -> None:
    if not vector["valid"]:
        with pytest.raises(CantStopError):
            verify(read_record(vector["text"]))
        return
    record = read_record(vector["text"])
    found = verify(record)
    assert found.dice_checked
    assert (found.scheme, list(found.protected)) == (vector["scheme"], vector["protected"])
    assert found.redraws == vector["redraws"]
    if found.scheme == 3:
        assert list(found.protected_from) == vector["protected_from"]
        assert list(found.unsalted_turns) == vector["unsalted_turns"]
        assert list(found.lost) == vector["lost"]
    assert read_record(record_text(record)) == record


@pytest.mark.parametrize("vector", VECTORS["salts"], ids=lambda vector: vector["salt"])
def test_the_commitment_to_a_salt_is_the_one_in_the_specification(vector: Any) -> None:
    message = b"cantstop-salt-1\n" + vector["salt"].encode("ascii")
    assert hashlib.sha256(message).hexdigest() == vector["commitment"]
    assert salt_commitment(vector["salt"]) == vector["commitment"]


OVER_DAYS = next(each["text"] for each in VECTORS["records"] if each.get("scheme") == 3)


def lines_without(*starts: str) -> str:
    """The game over days, without the lines that begin so."""
    return "".join(
        line for line in OVER_DAYS.splitlines(keepends=True) if not line.startswith(starts)
    )


def test_a_salt_counts_from_a_turn_of_its_own_seat() -> None:
    record = read_record(OVER_DAYS.replace('[Since2 "2"]', '[Since2 "3"]'))
    with pytest.raises(VerificationError, match="which is not a turn of that seat"):
        verify(record)


def test_from_when_a_salt_counts_is_a_number() -> None:
    with pytest.raises(RecordError, match="“soon” is not the number of a turn"):
        read_record(OVER_DAYS.replace('[Since2 "2"]', '[Since2 "soon"]'))


@pytest.mark.parametrize("left_out", [("[Commitment2", "[Since2"), ("[Salt2", "[Since2")])
def test_a_salt_given_in_the_open_and_one_not_revealed_are_written_as_they_were_read(
    left_out: tuple[str, ...],
) -> None:
    text = lines_without(*left_out)
    record = read_record(text)
    assert record_text(record) == text
    with pytest.raises(VerificationError, match="but its seal gives"):
        verify(record)


def test_a_game_over_days_without_a_turn_protects_nobody() -> None:
    headers = lines_without(*(f"[{key}{seat}" for key in ("Salt", "Since") for seat in (1, 2, 3)))
    text = headers.partition("\n\n")[0] + "\n\n*\n"
    assert verify(read_record(text)).protected == ()
