"""The package as a whole: what `import cantstop` shows, and what it loads."""

import subprocess
import sys

import cantstop

LOADS = """
import sys, cantstop
assert {"arena", "bots", "client", "engine", "compete", "play_game"} <= set(dir(cantstop))
assert cantstop.play_game(["careful", "bold"], dice=1).rows()
from cantstop.drills import package_drills
from cantstop.drills.text import reasons, verdict_text
from cantstop.language import Translator
drill = package_drills()[3000]
assert list(reasons(Translator(), drill)) and verdict_text(Translator(), drill, drill.best.answer)
print(*sorted({"numpy", "numba", "websockets", "fastapi", "textual"} & set(sys.modules)))
"""


def test_everything_is_in_dir_and_nothing_heavy_is_loaded_for_it() -> None:
    done = subprocess.run([sys.executable, "-c", LOADS], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_every_public_name_is_there() -> None:
    assert set(cantstop.__all__) <= set(dir(cantstop))
    assert all(getattr(cantstop, name) is not None for name in dir(cantstop) if name[:2] != "__")


def test_every_package_that_the_docs_name_is_in_dir_and_nothing_of_the_inside_is() -> None:
    shown = {name for name in dir(cantstop) if not name.startswith("_")}
    assert {"dice", "draw", "drills", "odds", "record", "review", "rl", "rules"} <= shown
    assert not {"TYPE_CHECKING", "import_module", "files", "untrusted"} & shown
