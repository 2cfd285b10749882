"""The ladder at this terminal: the games against each animal that this machine keeps, in words.

As in the browser, a game counts that one person plays against one animal, by any rules.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from itertools import islice
from pathlib import Path

from cantstop.bots import LADDER
from cantstop.daily import day_text
from cantstop.draw.seats import width
from cantstop.files import write_atomically
from cantstop.language import Translator, name_text
from cantstop.rules import Rolled
from cantstop.terminal.local_game import LocalGame
from cantstop.terminal.save_file import save_error

ANIMALS = tuple(level.name for level in LADDER)

_FILE = "ladder.json"
_MOST = 5000
"""Games that are kept: the oldest ones give way."""
_TELLING_ROLLS = 8
"""Rolls from the start of a game that tell it from all others."""

BEATEN, WAITING, AHEAD = "✓", "→", "·"


@dataclass(frozen=True)
class LadderGame:
    """A finished game of one person against one animal."""

    id: str
    bot: str
    day: str
    won: bool


@dataclass(frozen=True)
class Score:
    """Games against one animal."""

    won: int = 0
    lost: int = 0
    first: date | None = None
    """The day when it was first beaten."""

    def __str__(self) -> str:
        """Won and lost, as scores are written."""
        return f"{self.won}–{self.lost}"


@dataclass(frozen=True)
class Ladder:
    """All games on the ladder, oldest first."""

    games: tuple[LadderGame, ...] = ()

    def score(self, bot: str) -> Score:
        """How it stands against an animal."""
        played = [game for game in self.games if game.bot == bot]
        won = [game for game in played if game.won]
        first = date.fromisoformat(won[0].day) if won else None
        return Score(len(won), len(played) - len(won), first)

    @property
    def next(self) -> str | None:
        """The lowest animal that has not been beaten; None once all are."""
        return next((bot for bot in ANIMALS if not self.score(bot).won), None)

    def after(self, game: LadderGame) -> "Ladder":
        """The ladder with one more game; a game that ended once before counts as it ended last."""
        kept = tuple(one for one in self.games if one.id != game.id)
        return Ladder((*kept, game)[-_MOST:])


def read_ladder(folder: Path) -> Ladder:
    """The ladder that is kept in a folder; a file that is missing or damaged counts as empty."""
    try:
        found = json.loads((folder / _FILE).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return Ladder()
    games = found.get("games") if isinstance(found, dict) else None
    return Ladder(tuple(_games(games if isinstance(games, list) else ())))


def _games(found: Sequence[object]) -> Iterator[LadderGame]:
    for one in found:
        if isinstance(one, Mapping):
            try:
                day = date.fromisoformat(str(one["day"])).isoformat()
                yield LadderGame(str(one["id"]), str(one["bot"]), day, one["won"] is True)
            except (KeyError, ValueError):
                continue


def ladder_game(local: LocalGame) -> LadderGame | None:
    """What a game that is over adds to the ladder: None where it is not a game on it."""
    bots = [seat.bot.name for seat in local.seats if seat.bot is not None]
    winners = local.record().winners(local.game.outcome)
    if local.only_person is None or winners is None or len(bots) != 1 or bots[0] not in ANIMALS:
        return None
    day = local.date or date.min.isoformat()
    rolls = (event.dice for event in local.game.events if isinstance(event, Rolled))
    telling = [day, *map(str, local.seats), *islice(rolls, _TELLING_ROLLS)]
    name = hashlib.sha256(json.dumps(telling).encode()).hexdigest()[:16]
    return LadderGame(name, bots[0], day, winners == (local.only_person,))


def enter_game(folder: Path, game: LadderGame) -> Ladder:
    """Keep a game in the folder's ladder, and return that."""
    ladder = read_ladder(folder).after(game)
    kept = {"games": [asdict(one) for one in ladder.games]}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / _FILE, json.dumps(kept, indent=1))
    except OSError as error:
        raise save_error(folder / _FILE, error) from None
    return ladder


# In words


def journey_lines(words: Translator, ladder: Ladder) -> Iterator[str]:
    """The way up: every animal with a tick or its place, the score, and what there is to say."""
    yield words.say("The way up")
    names = {bot: name_text(words, bot) for bot in ANIMALS}
    wide = max(map(width, names.values()))
    for bot, name in names.items():
        score = ladder.score(bot)
        mark = BEATEN if score.won else WAITING if bot == ladder.next else AHEAD
        played = f"{score}" if score.won + score.lost else ""
        state = _state(words, ladder, bot, score)
        yield f"  {mark} {name}{' ' * (wide - width(name))}  {played:>5}  {state}".rstrip()
    yield standing_text(words, ladder)


def _state(words: Translator, ladder: Ladder, bot: str, score: Score) -> str:
    if score.first is not None:
        return words.say("beaten on {day}", day=day_text(words, score.first))
    rating = next(level.rating for level in LADDER if level.name == bot)
    rated = words.say("Rating {rating}", rating=rating)
    return f"{rated} · {words.say('is waiting')}" if bot == ladder.next else rated


def standing_text(words: Translator, ladder: Ladder) -> str:
    """How many are beaten, and who is next."""
    beaten = sum(ladder.score(bot).won > 0 for bot in ANIMALS)
    if ladder.next is None:
        return words.say("You have beaten them all.")
    so_far = words.say_count(
        "{count} of {all} animals is beaten.",
        "{count} of {all} animals are beaten.",
        beaten,
        all=len(ANIMALS),
    )
    waiting = words.say("Next on the ladder: {name}.", name=name_text(words, ladder.next))
    return f"{so_far} {waiting}"


def result_text(words: Translator, ladder: Ladder, game: LadderGame) -> str:
    """After a game: the score against that animal, and who is next."""
    score, name = ladder.score(game.bot), name_text(words, game.bot)
    text = words.say("Your score against {name}: {score}.", name=name, score=score)
    if game.won and score.won == 1:
        text = f"{words.say('{name} is beaten!', name=name)} {text}"
    return f"{text} {standing_text(words, ladder)}"
