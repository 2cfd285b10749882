"""Arrays of numbers in NumPy's files, read without NumPy: those of the networks that come along."""

import ast
import zipfile
from array import array
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MAGIC = b"\x93NUMPY\x01\x00"
_CODES = {"<f4": "f", "<i2": "h"}


@dataclass(frozen=True, eq=False)
class StoredArray:
    """An array: its shape, the type of its numbers as NumPy writes it, and their bytes."""

    shape: tuple[int, ...]
    kind: str
    data: bytes

    def floats(self, grain: float = 1.0) -> bytes:
        """The numbers as 32-bit floats, the lowest byte first; whole ones are multiples of it."""
        if self.kind == "<f4":
            return self.data
        numbers = array(_CODES[self.kind], self.data)
        return array("f", (number * grain for number in numbers)).tobytes()

    def numpy(self) -> "NDArray[Any]":
        """The same for compiled code."""
        import numpy as np

        return np.frombuffer(self.data, self.kind).reshape(self.shape)


def stored_arrays(package: str, name: str) -> dict[str, StoredArray]:
    """The arrays of a file that comes with the package, by name."""
    with as_file(files(package) / name) as path, zipfile.ZipFile(path) as archive:
        return {
            member.removesuffix(".npy"): _array(archive.read(member))
            for member in archive.namelist()
        }


def _array(content: bytes) -> StoredArray:
    assert content.startswith(_MAGIC)
    begin = len(_MAGIC) + 2
    end = begin + int.from_bytes(content[begin - 2 : begin], "little")
    header = ast.literal_eval(content[begin:end].decode())
    assert header["descr"] in _CODES
    assert not header["fortran_order"]
    return StoredArray(header["shape"], header["descr"], content[end:])
