"""A real terminal for tests: the app in tmux, with somebody who presses keys and looks."""

import os
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TIMEOUT = 60
"""Seconds: nothing takes so long, but a machine may have other things to do."""


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
        self.run("new-session", "-d", "-x", str(width), "-y", str(height),
                 f"env {settings} {play} {after}; echo left with $?; cat")  # fmt: skip

    @property
    def screen(self) -> Any:
        return self.run("capture-pane", "-p")

    def press(self, *keys: str) -> None:
        self.run("send-keys", *keys)

    def wait_for(self, text: str) -> Any:
        """Look until a text is on the screen; it returns the screen."""
        end = time.monotonic() + TIMEOUT
        while text not in (screen := self.screen):
            assert time.monotonic() < end, f"{text!r} is not on the screen:\n{screen}"
            time.sleep(0.05)
        return screen

    def wait_for_any(self, texts: Any) -> Any:
        """Look until one of some texts is on the screen, and return that one."""
        end = time.monotonic() + TIMEOUT
        while not (found := [text for text in texts if text in self.screen]):
            assert time.monotonic() < end, f"None of {texts} is on the screen:\n{self.screen}"
            time.sleep(0.05)
        return found[0]

    def wait_until_gone(self, text: str) -> None:
        """Look until a text is no longer on the screen, or is there anew."""
        end = time.monotonic() + 2
        while text in self.screen and time.monotonic() < end:
            time.sleep(0.05)

    def resize(self, width: int, height: int) -> None:
        """Resize the terminal; tmux does it a little later."""
        terminal = Path(self.run("display-message", "-p", "#{pane_tty}").strip())
        self.run("resize-window", "-x", str(width), "-y", str(height))
        end = time.monotonic() + TIMEOUT
        with terminal.open() as stream:
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
        end = time.monotonic() + TIMEOUT
        search = ["pgrep", "-P", str(self.program), "-f", name]
        while not (found := subprocess.run(search, capture_output=True, check=False).stdout):
            assert time.monotonic() < end, f"{name} is not started"
            time.sleep(0.05)
        return int(found.split()[0])
