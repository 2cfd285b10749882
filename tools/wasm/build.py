"""Build ``cantstop.wasm``, or check that it was built from the functions as they are.

    python -m wasm.build            writes the module and the note beside it
    python -m wasm.build --check    fails if a function has changed since

The same sources make the same bytes everywhere: Zig is one version, and brings its own compiler.
"""

import argparse
import json
import subprocess
import sys
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from cantstop.engine.module import MOST_MEMORY, NAME, NOTE, VERSION
from wasm.source import bots, description, replaced_source, source

HERE = Path(__file__).parent
PACKAGE = Path(__file__).parents[2] / "src" / "cantstop" / "engine"
DESCRIPTION = "description.json"
BOTS = "bots.json"
SECTION = "cantstop"
"""Where the module has its description: a section that means nothing to WebAssembly."""
FILES = ("module.cpp", "runtime.hpp", "by_hand.hpp")
ZIG = "0.17.0"
OPTIONS = (
    *("-target", "wasm32-freestanding", "-mcpu=generic+simd128+bulk_memory", "-O3", "-std=c++20"),
    *("-fno-exceptions", "-fno-rtti", "-fno-math-errno", "-fvisibility=hidden", "-nostdlib"),
    *("-flto", "-Wall", "-Werror", "-Wno-unused", "-Wno-parentheses-equality"),
    "-Wfloat-conversion",  # a name that was a whole number first would stay one
    *("-Wl,--no-entry", "-Wl,--strip-all", "-Wl,-z,stack-size=65536"),
    f"-Wl,--max-memory={MOST_MEMORY}",
)


def sources(*, shows_lines: bool = False) -> dict[str, str]:
    """The texts that the module is made of, by name."""
    written = {name: (HERE / name).read_text(encoding="utf-8") for name in FILES}
    translated = source(shows_lines=shows_lines)
    return {
        **written,
        "translated.inc": translated,
        "replaced.py": replaced_source(),
        DESCRIPTION: description(),
        BOTS: bots(),
    }


def source_digest(texts: dict[str, str]) -> str:
    """Changes with any text, and with how they are compiled."""
    return sha256(json.dumps([texts, OPTIONS, ZIG, VERSION]).encode()).hexdigest()


def compiled(texts: dict[str, str]) -> bytes:
    """The module that the texts make."""
    return compile_files(texts) + section(SECTION, texts[DESCRIPTION].encode())


def compile_files(texts: dict[str, str]) -> bytes:
    """Compile ``module.cpp`` of some files."""
    if version("ziglang") != ZIG:
        sys.exit(f"The module is built with ziglang {ZIG}, not {version('ziglang')}.")
    with TemporaryDirectory() as folder:
        for name, text in texts.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        subprocess.run(
            [sys.executable, "-m", "ziglang", "c++", *OPTIONS, "module.cpp", "-o", NAME],
            check=True,
            cwd=folder,
        )
        return (Path(folder) / NAME).read_bytes()


def section(name: str, content: bytes) -> bytes:
    """A custom section of a module."""
    body = _counted(name.encode()) + content
    return b"\0" + _counted(body)


def _counted(data: bytes) -> bytes:
    """Data after its length, which is written in sevens of bits, the lowest first."""
    length, size = b"", len(data)
    while size >= 1 << 7:
        length, size = length + bytes([size & 0x7F | 0x80]), size >> 7
    return length + bytes([size]) + data


def note(texts: dict[str, str], module: bytes) -> str:
    """What is written beside the module: the package checks it."""
    described = {
        "version": VERSION,
        "module": sha256(module).hexdigest(),
        "sources": source_digest(texts),
        "bots": json.loads(texts[BOTS]),
    }
    return json.dumps(described) + "\n"


def main() -> None:
    """Build or check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        built = json.loads((PACKAGE / NOTE).read_text(encoding="utf-8"))
        if built["sources"] != source_digest(sources()):
            sys.exit(f"{NAME} was built from other sources than these: run make wasm.")
        return
    texts = sources()
    try:
        module = compiled(texts)
    except subprocess.CalledProcessError:
        compiled(sources(shows_lines=True))  # says which lines of Python do not fit together
        raise
    (PACKAGE / NAME).write_bytes(module)
    (PACKAGE / NOTE).write_text(note(texts, module), encoding="utf-8")
    print(f"{NAME}: {len(module):,} bytes")


if __name__ == "__main__":
    main()
