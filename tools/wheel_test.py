"""Tries the built wheel by itself: every extra in a fresh environment, with every Python there is.

    python tools/wheel_test.py                    core, each extra alone, and all, with this Python
    python tools/wheel_test.py core all --pythons python3.12 python3.13
    python tools/wheel_test.py core --wheel dist/*.whl     one that is built already
    python tools/wheel_test.py all rl --lowest    with the lowest versions that are allowed

Prints a row for each environment: its size, how long ``import cantstop`` takes, and what was tried.
Without ``--lowest``, pip takes the newest versions that fit: what a user gets today.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from lowest_versions import constraints

ROOT = Path(__file__).parent.parent
CORE = "core"
START = "v1,players=2 -/- 1 - -"

THIRD_PARTY = """
import sys, cantstop
found = {name.partition(".")[0] for name, module in sys.modules.items()
         if "site-packages" in (getattr(module, "__file__", None) or "")}
print(*sorted(found - {"cantstop", "_distutils_hack"}))  # the latter is of venv itself
"""

IMPORTS = """
import importlib, importlib.util, pkgutil, cantstop
from cantstop.extras import MissingExtra
for module in pkgutil.walk_packages(cantstop.__path__, "cantstop."):
    if module.name.endswith("__main__") or ".migrations." in module.name:
        continue
    try:
        importlib.import_module(module.name)
    except MissingExtra:
        pass
    except ModuleNotFoundError as error:  # of another extra; but not a part of what is installed
        if error.name.startswith("cantstop") or importlib.util.find_spec(error.name.split(".")[0]):
            raise
"""
"""Imports every module that can be, with what is installed."""


@dataclass(frozen=True)
class Try:
    """A command, and what its output has to hold."""

    arguments: tuple[str, ...]
    says: str
    code: int = 0
    typed: str = ""
    """What a person types."""


def _python(program: str, says: str = "") -> Try:
    return Try(("python", "-c", program), says)


def _refuses(extra: str, *arguments: str) -> Try:
    return Try(("cantstop", *arguments), f'pip install "cantstop-game[{extra}]"', 2)


_PLAYS = Try(
    ("cantstop", "play", "--plain", "--seat", "Anne", "--seat", "bot:careful", "--seed", "1"),
    "Anne",
    typed="roll\n1\nstop\nquit\n",
)
_HINTS = Try(("cantstop", "hint", START, "--dice", "2345", "--json"), '"options"')

TRIES: dict[str, list[Try]] = {
    CORE: [
        Try(("cantstop", "odds", "6", "7", "8", "--json"), '"usable": 1192'),
        _PLAYS,
        Try(("cantstop", "drill", "--count", "1"), "in a row: ", typed="1\n"),
        _refuses("web"),
        _refuses("web", "serve"),
        _refuses("engine", "hint", START),
        _refuses("arena", "arena", "careful", "bold"),
    ],
    "engine": [
        _HINTS,
        _refuses("arena", "arena", "careful", "bold"),
        *(
            _python(
                f"try: import {module}\nexcept ImportError as error: print(error)",
                'pip install "cantstop-game[arena]"',
            )
            for module in ("cantstop.bots.compiled", "cantstop.kernel.layout")
        ),
    ],
    "arena": [_HINTS, Try(("cantstop", "arena", "careful", "bold", "--games", "50"), "careful")],
    "client": [_python("import cantstop.client; print(cantstop.client.Player.__name__)", "Player")],
    "terminal": [_python("import cantstop.terminal.tui.app as app; print(app.CantStopApp.TITLE)")],
    "web": [_HINTS],
    "postgresql": [
        Try(
            ("cantstop", "tables", "--database", "postgresql://nobody@127.0.0.1:1/none"),
            "127.0.0.1:1",
            2,
        )
    ],
    "all": [_HINTS, _PLAYS],
    "parquet": [
        Try(("cantstop", "arena", "careful", "bold", "--games", "9", "--out", "a.parquet"), "bold"),
    ],
    "ray": [_python("import ray; import cantstop.arena.pools")],
    "gpu": [Try(("cantstop", "arena", "careful", "bold", "--device", "cuda"), "no GPU", 2)],
    "rl": [
        _python(
            "import gymnasium, cantstop.rl; env = gymnasium.make('CantStop/Solo-v0'); "
            "env.reset(seed=1); print(env.action_space)",
            "Discrete(79)",
        ),
        _python(
            "from cantstop.rl import cantstop_v0; env = cantstop_v0.env(); "
            "env.reset(seed=1); print(env.agent_selection)",
            "player_0",
        ),
        _python(
            "import cantstop.rl\ntry: cantstop.rl.load_game\nexcept ImportError as e: print(e)",
            'pip install "cantstop-game[openspiel]"',
        ),
    ],
    "openspiel": [
        _python("from cantstop.rl import load_game; print(load_game())", "python_cantstop"),
    ],
}
SERVES = ("web", "postgresql", "all")


def extras_of(wheel: Path) -> list[str]:
    """The extras that the wheel names, but for that of the developers."""
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (name for name in packed.namelist() if name.endswith("/METADATA"))
        names = re.findall(r"^Provides-Extra: (\S+)$", packed.read(name).decode(), re.MULTILINE)
    return [name for name in names if name != "dev"]


@dataclass(frozen=True)
class Environment:
    """A fresh virtual environment with the wheel and one extra."""

    folder: Path

    @classmethod
    def make(
        cls, folder: Path, python: str, wheel: Path, extra: str, *, lowest: bool = False
    ) -> "Environment":
        subprocess.run([python, "-m", "venv", str(folder)], check=True)
        made = cls(folder)
        wanted = [str(wheel) if extra == CORE else f"{wheel}[{extra}]"]
        if lowest:
            pins = folder / "lowest.txt"
            pins.write_text(constraints(), "utf-8")
            wanted += ["-c", str(pins)]
        made.run("python", "-m", "pip", "install", "--quiet", *wanted)
        return made

    def command(self, name: str) -> str:
        return str(self.folder / "bin" / name)

    def run(
        self, name: str, *arguments: str, code: int = 0, typed: str = ""
    ) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [self.command(name), *arguments],
            cwd=self.folder,
            env={"HOME": str(self.folder), "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"},
            input=typed,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != code or "Traceback" in done.stderr:
            raise SystemExit(f"{name} {arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done

    @property
    def megabytes(self) -> float:
        """What is installed, without pip itself."""
        (site,) = self.folder.glob("lib/python*/site-packages")
        files = [
            path
            for part in site.iterdir()
            if not part.name.startswith(("pip", "setuptools", "pkg_resources", "_distutils"))
            for path in (part, *part.rglob("*"))
            if path.is_file()
        ]
        return sum(path.stat().st_size for path in files) / 1e6

    @property
    def import_ms(self) -> float:
        """The best of five, less what an empty program takes."""

        def best(program: str) -> float:
            times = []
            for _ in range(5):
                begin = time.perf_counter()
                self.run("python", "-c", program)
                times.append(time.perf_counter() - begin)
            return min(times)

        return 1000 * (best("import cantstop") - best("pass"))

    def attempt(self, one: Try) -> None:
        done = self.run(*one.arguments, code=one.code, typed=one.typed)
        if one.says not in done.stdout + done.stderr:
            raise SystemExit(
                f"{one.arguments} does not say “{one.says}”:\n{done.stdout}{done.stderr}"
            )

    def serve(self) -> None:
        """Start the server, look at its page, and end it."""
        database = f"sqlite:///{self.folder / 'tables.db'}"
        server = subprocess.Popen(
            [self.command("cantstop"), "serve", "--port", "0", "--database", database],
            env={"HOME": str(self.folder), "LANG": "C.UTF-8"},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found, "the server says where it is"
            with urlopen(found[0]) as page:
                assert b"<title>" in page.read()
        finally:
            server.terminate()
            server.wait()


def try_out(python: str, wheel: Path, extra: str, *, lowest: bool = False) -> str:
    """A row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        made = Environment.make(Path(folder) / "env", python, wheel, extra, lowest=lowest)
        size, version = made.megabytes, made.run("python", "-V").stdout.split()[1]
        strangers = made.run("python", "-c", THIRD_PARTY).stdout.split()
        if strangers:
            raise SystemExit(f"import cantstop loads {strangers}")
        milliseconds = made.import_ms
        tries = [_python(IMPORTS), *TRIES.get(extra, [])]
        for one in tries:
            made.attempt(one)
        if extra in SERVES:
            made.serve()
        tried = len(tries) + (extra in SERVES)
        return f"| {version} | {extra} | {size:.1f} | {milliseconds:.0f} | {tried} |"


def build_wheel(folder: str) -> Path:
    """Build the wheel of this checkout."""
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder]
    subprocess.run([*build, str(ROOT)], check=True, capture_output=True)
    (wheel,) = Path(folder).glob("*.whl")
    return wheel


def main(arguments: Sequence[str] | None = None) -> None:
    """Build the wheel and try it out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("extras", nargs="*", help="core and extras; by default all of them")
    parser.add_argument("--pythons", nargs="+", default=[sys.executable])
    parser.add_argument("--wheel", type=Path, help="a built wheel; by default one is built")
    parser.add_argument("--lowest", action="store_true", help="take the lowest allowed versions")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        wheel = given.wheel.resolve() if given.wheel else build_wheel(folder)
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB")
        print("| Python | extra | MB installed | import, ms | tried |\n|---|---|---|---|---|")
        for python in given.pythons:
            for extra in given.extras or [CORE, *extras_of(wheel)]:
                print(try_out(python, wheel, extra, lowest=given.lowest), flush=True)


if __name__ == "__main__":
    main()
