"""How a session ends: the game is over, or somebody leaves and finds it again later."""

import shlex
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from cantstop.dice import SealedDice
from cantstop.terminal.console import Talk
from cantstop.terminal.keeping import Keeping
from cantstop.terminal.session import Quit, Session

FINE = 0
INTERRUPTED = 130


def play_and_keep(session: Session, resume: Sequence[str]) -> int:
    """Play a session and return the exit code of the command.

    An unfinished game is saved, whether somebody quits, the input ends or Ctrl-C is pressed.
    ``resume`` is the command that goes on with a save, but for the file's name.
    """
    talk = session.talk
    try:
        session.play()
    except Quit:
        code = FINE
    except (EOFError, KeyboardInterrupt) as end:
        talk.write("")  # the question is still open
        code = FINE if isinstance(end, EOFError) else INTERRUPTED
    else:
        tell_record(talk, session.keeping)
        return FINE
    keep_for_later(talk, session.keeping, resume)
    return code


def keep_for_later(talk: Talk, keeping: Keeping, resume: Sequence[str]) -> None:
    """Save an unfinished game and tell how to go on with it."""
    with _undisturbed():
        path = keeping.save()
        talk.tell(talk.words.say("The game is saved. Go on with it by:"))
        talk.write(f"  {shlex.join([*resume, str(path)])}")


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Pay no attention to a second Ctrl-C: it must not cost anybody the game."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def tell_record(talk: Talk, keeping: Keeping) -> None:
    """Where a finished game is written down, and how its sealed dice can be checked."""
    dice = keeping.table.dice
    if isinstance(dice, SealedDice):
        path = keeping.save()
        talk.tell(talk.words.say("The secret of the dice was {secret}.", secret=dice.secret.hex()))
        talk.tell(talk.words.say("Check every roll by:"))
        talk.write(f"  {shlex.join(['cantstop', 'verify', str(path)])}")
    elif keeping.file is not None:
        talk.tell(talk.words.say("The record of the game is in {path}.", path=keeping.file))
