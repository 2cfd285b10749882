"""The file of the value networks: it round-trips, and one that is not whole is refused."""

import json
import lzma
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cantstop.engine import BadNetworks, best_evaluator, value_model
from cantstop.engine.evaluators.value import model
from cantstop.engine.evaluators.value.file import (
    pack,
    read_networks,
    write_networks,
    write_packed,
)
from cantstop.engine.evaluators.value.model import FILE, read_value_model
from cantstop.engine.evaluators.value.network import (
    LENGTHS,
    MOST_CHANGE,
    PAIR_FIRST,
    largest_change,
)
from cantstop.engine.evaluators.value.packed import (
    FAMILIES,
    MAGIC,
    MAX_CONTENT,
    MAX_FILE,
    Family,
    read_packed,
    shapes_of,
)
from cantstop.rules import Rules, Sharing
from engine.value_networks import random_weights, write_random


def sealed(*contents: bytes, version: bytes = b"2", **options: Any) -> bytes:
    """A file with the right checksum, whatever its streams have in them."""
    packed = b"".join(lzma.compress(content, **options) for content in contents)
    return MAGIC + version + b"\n" + sha256(packed).hexdigest().encode() + b"\n" + packed


def with_header(header: Any, arrays: bytes | None = None) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return sealed(text) if arrays is None else sealed(text, arrays)


def network_header(shapes: Any, length: Any = 1, **others: Any) -> dict[str, Any]:
    networks = {"2-free": {"bytes": length, "shapes": shapes}}
    return {"grain": 2.0**-10, "notes": {}, "networks": networks} | others


def refused(path: Path) -> str:
    """The sentence that a file is refused with."""
    with pytest.raises(BadNetworks) as found:
        read_networks(path)
    sentence = str(found.value)
    assert sentence.startswith(path.name)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "networks.bin"


def test_networks_and_notes_are_read_as_they_were_written(path: Path) -> None:
    written = {f"{players}-free": random_weights(players, players) for players in (2, 3, 4)}
    size = write_networks(path, written, {"seed": 7, "errors": {}})
    assert size == path.stat().st_size
    networks, notes = read_networks(path)
    assert notes == {"seed": 7, "errors": {}}
    assert list(networks) == list(written)
    for name, weights in networks.items():
        for field in shapes_of(weights.players, weights.units):
            array = getattr(weights, field)
            assert array.dtype == np.float32
            assert array.tolist() == getattr(written[name], field).tolist()


def test_new_notes_leave_the_networks_as_they_were_bit_for_bit(path: Path) -> None:
    shipped = Path(model.__file__).with_name(FILE)
    networks, notes = read_packed(shipped)
    write_packed(path, networks, notes)
    assert path.read_bytes() == shipped.read_bytes()
    write_packed(path, networks, {"errors": {}})
    again, other_notes = read_packed(path)
    assert other_notes == {"errors": {}}
    assert {name: one.data for name, one in again.items()} == {
        name: one.data for name, one in networks.items()
    }


def test_vectors_that_the_grain_cannot_hold_are_not_written(path: Path) -> None:
    weights = random_weights(2, 1)
    weights.pairs[0, 0] = 32.0
    with pytest.raises(ValueError, match="beyond ±32"):
        write_networks(path, {"2-free": weights}, {})
    assert not path.exists()


def test_a_file_cut_anywhere_is_refused(path: Path) -> None:
    whole = write_random(path).read_bytes()
    for length in [*range(0, 120, 7), *range(120, len(whole), 9001), len(whole) - 1]:
        path.write_bytes(whole[:length])
        refused(path)


def test_a_file_with_any_byte_changed_is_refused(path: Path) -> None:
    whole = write_random(path).read_bytes()
    for at in [*range(len(MAGIC) + 70), *range(1000, len(whole), 9973), len(whole) - 1]:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        refused(path)


def test_a_file_with_something_behind_it_is_refused(path: Path) -> None:
    whole = write_random(path).read_bytes()
    path.write_bytes(whole + b"x")
    assert "checksum" in refused(path)


def test_another_version_is_named(path: Path) -> None:
    path.write_bytes(sealed(b"", version=b"1"))
    assert refused(path) == (
        "networks.bin has version 1 of its format; this program reads version 2."
    )


def test_a_file_of_another_kind_or_none_at_all_is_refused(path: Path) -> None:
    assert "cannot be read: No such file" in refused(path)
    path.write_bytes(b"PK\x03\x04" + bytes(500))
    assert "not a file of value networks" in refused(path)


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        b"1" * 5000,
        [],
        {},
        network_header({}) | {"grain": 0.5},
        network_header({}) | {"grain": "x"},
        network_header({}) | {"notes": []},
        network_header({}) | {"networks": [1]},
    ],
)
def test_a_header_that_is_no_header_is_refused(path: Path, header: Any) -> None:
    path.write_bytes(with_header(header))
    assert refused(path) == "networks.bin has a damaged header."


def shapes(**changed: Any) -> dict[str, Any]:
    return {name: list(shape) for name, shape in shapes_of(2, 16).items()} | changed


@pytest.mark.parametrize(
    "given",
    [
        None,
        [],
        {},
        shapes(pairs=[10**9, 10**9]),
        shapes(pairs=[-1, 16]),
        shapes(early=[17]),
        shapes(hidden=[33, 16]),
        shapes(needs=[10**12, 25, 16]),
        shapes(needs=[0, 25, 16]),
        shapes(needs=[3, 25, 16]),
        shapes(needs="many"),
        shapes(more=[1]),
        {name: list(shape) for name, shape in shapes_of(2, 12).items()},
        {name: list(shape) for name, shape in shapes_of(2, 0).items()},
        {name: list(shape) for name, shape in shapes_of(2, 8192).items()},
        {name: list(shape) for name, shape in shapes_of(9, 16).items()},
    ],
)
def test_impossible_shapes_are_refused_before_anything_is_made_of_them(
    path: Path, given: Any
) -> None:
    path.write_bytes(with_header(network_header(given)))
    assert refused(path) == "networks.bin holds a network of an impossible shape: 2-free."


@pytest.mark.parametrize("length", [0, -1, 1.5, "1", None, [1]])
def test_impossible_lengths_are_refused(path: Path, length: Any) -> None:
    path.write_bytes(with_header(network_header(shapes(), length)))
    assert "impossible shape" in refused(path)


def test_too_few_or_too_many_numbers_are_refused(path: Path) -> None:
    for count in (0, 1000, 1_000_000):
        length = len(lzma.compress(bytes(count)))
        path.write_bytes(with_header(network_header(shapes(), length), bytes(count)))
        assert "cannot be unpacked" in refused(path)
        path.write_bytes(with_header(network_header(shapes(), length + 1), bytes(count)))
        assert "shorter than its networks" in refused(path)
        path.write_bytes(with_header(network_header(shapes(), length - 1), bytes(count)))
        assert "longer than its networks" in refused(path)


def test_a_network_is_read_without_the_others(path: Path) -> None:
    whole = write_random(path).read_bytes()
    magic, version, _, packed = whole.split(b"\n", 3)
    unpacker = lzma.LZMADecompressor()
    header = json.loads(unpacker.decompress(packed))
    lengths = [one["bytes"] for one in header["networks"].values()]
    at = len(packed) - sum(lengths[1:])  # behind the first network: all others are spoiled
    packed = packed[:at] + bytes(byte ^ 1 for byte in packed[at:])
    digest = sha256(packed).hexdigest().encode()
    path.write_bytes(b"\n".join([magic, version, digest, packed]))
    model = read_value_model(path)
    rules = Rules(2)
    assert model.numbers(rules).data == pack(random_weights(2, 0)).data
    with pytest.raises(BadNetworks, match="cannot be unpacked"):
        model.numbers(Rules(2, sharing=Sharing.LEAPFROG))


def test_vectors_that_change_a_sum_by_more_than_16_bits_hold_are_not_written(path: Path) -> None:
    weights = random_weights(3, 1)
    most = largest_change(weights)
    assert most < MOST_CHANGE
    for column in (3, 7):  # what a runner's last step before the top changes, whoever is where
        row = PAIR_FIRST[column] + 2 * (LENGTHS[column] + 1) + 1
        weights.pairs[1, row, 5] += 12
    assert largest_change(weights) > MOST_CHANGE
    with pytest.raises(ValueError, match="may change a sum of a value network by"):
        write_networks(path, {"3-free": weights}, {})
    assert not path.exists()


def test_weights_that_are_not_finite_are_refused(path: Path) -> None:
    weights = random_weights(2, 1)
    weights.hidden[3, 3] = np.nan
    write_networks(path, {"2-free": weights}, {})
    assert "not finite" in refused(path)


def test_a_small_file_that_unpacks_to_a_huge_one_is_refused_without_unpacking_it(
    path: Path,
) -> None:
    path.write_bytes(sealed(bytes(MAX_CONTENT + 1)))
    assert "cannot be unpacked" in refused(path)


def test_a_file_that_asks_for_too_much_memory_to_unpack_is_refused(path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 30}]
    path.write_bytes(sealed(bytes(100), filters=filters))
    assert "cannot be unpacked" in refused(path)


def test_what_is_no_xz_stream_is_refused(path: Path) -> None:
    packed = b"junk"
    path.write_bytes(MAGIC + b"2\n" + sha256(packed).hexdigest().encode() + b"\n" + packed)
    assert "cannot be unpacked" in refused(path)


def test_a_file_that_is_too_large_is_not_read_to_its_end(path: Path) -> None:
    with path.open("wb") as file:
        file.write(sealed(b""))
        file.truncate(MAX_FILE * 1000)
    assert "cannot be read: File too large" in refused(path)


@pytest.mark.parametrize("lacking", FAMILIES, ids=lambda family: family.name)
def test_a_model_has_a_network_for_every_family_of_games(path: Path, lacking: Family) -> None:
    networks, notes = read_networks(write_random(path))
    del networks[lacking.name]
    write_networks(path, networks, notes)
    with pytest.raises(BadNetworks, match=f"no network for the games {lacking.name}"):
        read_value_model(path)
    networks[lacking.name] = random_weights(2 + (lacking.players - 1) % 3, 1)
    write_networks(path, networks, notes)
    with pytest.raises(BadNetworks, match=f"no network for the games {lacking.name}"):
        read_value_model(path)


@pytest.mark.parametrize(
    "errors", [[], 3, {"nonsense": {}}, {"v1,players=2": 4}, {"v1,players=2": {"end": {"rms": 1}}}]
)
def test_errors_that_cannot_be_read_are_refused(path: Path, errors: Any) -> None:
    write_random(path, {"errors": errors})
    with pytest.raises(BadNetworks, match="damaged header"):
        read_value_model(path)


def test_the_race_model_does_not_take_the_place_of_networks_that_cannot_be_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(b"cantstop value networks\n2\nnothing")
    monkeypatch.setattr(model, "FILE", path)
    value_model.cache_clear()
    try:
        with pytest.raises(BadNetworks, match="checksum"):
            best_evaluator(Rules(3, sharing=Sharing.LEAPFROG))
    finally:
        value_model.cache_clear()


def test_the_package_has_its_networks_with_the_errors_measured() -> None:
    assert FILE == "value-networks.bin"
    found = value_model()
    for family in FAMILIES:
        for rules in family.rule_sets:
            assert found.errors.figures[rules]
