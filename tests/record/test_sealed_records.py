"""Records of sealed dice, old and new: the same file is read by the browser's tests."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from cantstop import read_record, record_text, verify
from cantstop.dice import salt_commitment
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
