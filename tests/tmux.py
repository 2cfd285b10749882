"""A real terminal for tests: the app in tmux, with a person who presses keys and looks."""

import os
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from patience import PATIENCE


@dataclass
class Tmux:
    """A terminal of its own, that nobody else's tmux knows of."""

    socket: Path
    home: Path

    def run(self, *arguments: str) -> Any:
        command = ["tmux", "-S", str(self.socket), "-f", "/dev/null", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def start(
        self,
        *arguments: str,
        width: int = 80,
        height: int = 24,
        term: str = "tmux-256color",
        after: str = "",
        command: str = "play",
    ) -> None:
        """Open a shell that runs the command and then tells its exit code."""
        play = shlex.join([sys.executable, "-m", "cantstop", command, *arguments])
        settings = f"XDG_DATA_HOME={self.home} LANGUAGE=en TERM={term} PYTHONUTF8=1"
        # without a session its server would end, perhaps just when the next one is begun
        stay = ("start-server", ";", "set-option", "-s", "exit-empty", "off", ";")
        self.run(*stay, "new-session", "-d", "-x", str(width), "-y", str(height),
                 f"env {settings} {play} {after}; echo left with $?; cat")  # fmt: skip

    def close(self) -> None:
        """End the terminal and what runs in it, however far that is."""
        try:
            program: int | None = self.program
        except subprocess.CalledProcessError:
            program = None  # it has left, or was never started
        self.run("kill-server")
        if program is not None:
            with suppress(ProcessLookupError):
                os.kill(program, signal.SIGKILL)

    @property
    def screen(self) -> Any:
        return self.run("capture-pane", "-p")

    def press(self, *keys: str) -> None:
        self.run("send-keys", *keys)

    def wait_for(self, text: str) -> Any:
        """Look until a text is on the screen; it returns the screen."""
        end = time.monotonic() + PATIENCE
        while text not in (screen := self.screen):
            assert time.monotonic() < end, f"{text!r} is not on the screen:\n{screen}"
            time.sleep(0.05)
        return screen

    def wait_until_gone(self, text: str) -> None:
        """Look until a text is no longer on the screen."""
        end = time.monotonic() + PATIENCE
        while text in (screen := self.screen):
            assert time.monotonic() < end, f"{text!r} stays on the screen:\n{screen}"
            time.sleep(0.05)

    def take_turn(self, name: str) -> None:
        """One roll, which cannot bust, one move and a stop."""
        for question, key in (
            (f"{name}: roll the dice.", "r"),
            (f"{name}: pick a move.", "1"),
            (f"{name}: roll again, or stop?", "s"),
        ):
            self.wait_for(question)
            self.press(key)
        self.wait_until_gone(question)

    def resize(self, width: int, height: int) -> None:
        """Resize the terminal; tmux does it a little later."""
        terminal = Path(self.run("display-message", "-p", "#{pane_tty}").strip())
        self.run("resize-window", "-x", str(width), "-y", str(height))
        end = time.monotonic() + PATIENCE
        with terminal.open(encoding="utf-8") as stream:
            while os.get_terminal_size(stream.fileno()) != (width, height):
                assert time.monotonic() < end
                time.sleep(0.05)

    @property
    def program(self) -> int:
        """The id of the program's own process."""
        shell = self.run("display-message", "-p", "#{pane_pid}").strip()
        found = subprocess.run(["pgrep", "-P", shell], check=True, capture_output=True, text=True)
        return int(found.stdout.split()[0])

    def wait_for_child(self, name: str) -> int:
        """Look until the program has started another one whose command has a name; its id."""
        end = time.monotonic() + PATIENCE
        search = ["pgrep", "-P", str(self.program), "-f", name]
        while not (found := subprocess.run(search, capture_output=True, check=False).stdout):
            assert time.monotonic() < end, f"{name} is not started"
            time.sleep(0.05)
        return int(found.split()[0])
