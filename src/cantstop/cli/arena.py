"""``cantstop arena``: bots against each other, by the million."""

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cantstop.bots import BOTS
from cantstop.cli.completion import complete_bot
from cantstop.cli.options import (
    Device,
    EditionName,
    Json,
    Lang,
    echo,
    leave_interrupted,
    print_json,
    translator,
)
from cantstop.cli.parser import Argument, Option
from cantstop.cli.progress import ProgressLine
from cantstop.language import Translator
from cantstop.rules import InvalidText, Rules, rules_from_text
from cantstop.rules.settings import MOST_PLAYERS

if TYPE_CHECKING:
    from cantstop.arena import Plan
    from cantstop.arena.pools import Pool

_GAMES = 10_000
_ANYWHERE = "auto"

_ADDRESS = re.compile(r"auto|(ray://)?([\w.-]+|\[[0-9a-fA-F:]+\]):\d+")


def _is_address(text: str) -> bool:
    """Whether this names a machine and a port, and not a bot and its number."""
    return _ADDRESS.fullmatch(text) is not None and text.partition(":")[0] not in BOTS


def arena(
    bots: Annotated[
        list[str] | None,
        Argument(
            metavar="BOT...",
            help="Bots as “cantstop bots” lists them, your own as module:Class, or other programs "
            "as program:COMMAND.",
            complete=complete_bot,
        ),
    ] = None,
    games: Annotated[int, Option(metavar="N", help="Games at each table.")] = _GAMES,
    seed: Annotated[
        int | None, Option(metavar="N", help="The same seed gives the same games.")
    ] = None,
    rules: Annotated[
        str | None,
        Option(
            metavar="RULES",
            help="Rules as text, such as players=2,early. More bots than players make a round "
            "robin; players=1 lets each play alone.",
        ),
    ] = None,
    edition: EditionName = None,
    threads: Annotated[
        int | None, Option(metavar="N", help="How many games at a time; default: all cores.")
    ] = None,
    ray: Annotated[
        str | None,
        Option(
            metavar="[ADDRESS]",
            help="Play on a Ray cluster: the one at the address, or the one running here.",
            bare=_ANYWHERE,
            is_value=_is_address,
        ),
    ] = None,
    device: Annotated[
        Device, Option(help="What plays the games; cuda is for compiled bots.")
    ] = Device.CPU,
    timeout: Annotated[
        float, Option(metavar="SECONDS", help="How long another program may think.")
    ] = 5.0,
    resume: Annotated[
        Path | None,
        Option(metavar="FILE", help="Keep the games in a file, and resume from it."),
    ] = None,
    out: Annotated[
        Path | None,
        Option(metavar="FILE", help="Write the results as .json, .csv or .parquet."),
    ] = None,
    chart: Annotated[Path | None, Option(metavar="FILE", help="Draw the results as .svg.")] = None,
    control_variate: Annotated[
        bool,
        Option(
            "--control-variate",
            help="Subtract the luck of all rolls: tight intervals from few games.",
        ),
    ] = False,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Let bots play many games against each other, or alone.

    Every seating of the bots plays with the same dice. Ctrl-C ends early, with the results so far.
    The first bot that fails ends all games, with exit code 1.

    Examples: cantstop arena rule-of-28 careful --games 1000000 --seed 1;
    cantstop arena glenn-linear --json
    """
    words = translator(lang)
    chosen = _rules(rules, edition, len(bots or ()))
    # NumPy and Numba take a while to load, and the other commands do without
    from cantstop.arena import Plan, compete
    from cantstop.arena.chart import chart as draw
    from cantstop.arena.export import arena_report, check_writable, writer_for
    from cantstop.arena.report import report

    plan = Plan.of(
        bots or [],
        games=games,
        rules=chosen,
        seed=seed,
        seconds=timeout,
        control=control_variate,
    )
    write = None if out is None else writer_for(out)
    if chart is not None:
        check_writable(chart)
    progress = _Progress(words, games * len(plan.matches))
    try:
        with progress.line:
            results = compete(
                plan, pool=_pool(plan, device, threads, ray), file=resume, tell=progress.show
            )
    except KeyboardInterrupt:
        leave_interrupted()
    if write is not None:
        write(results)
    if chart is not None:
        chart.write_text(draw(words, results), "utf-8")
    if json:
        print_json(arena_report(results))
    else:
        for text in report(words, results):
            echo(text)
    if not results.finished:
        leave_interrupted()


def _rules(text: str | None, edition: str | None, bots: int) -> Rules | None:
    """The rules that were asked for; where they leave it open, all bots play together."""
    if text is None and edition is None:
        return None
    players = bots if 1 <= bots <= MOST_PLAYERS else 2
    return rules_from_text(text, edition=edition, players=players)


def _pool(plan: "Plan", device: Device, threads: int | None, ray: str | None) -> "Pool":
    from cantstop.arena.pools import LocalPool, RayPool

    if device is Device.CUDA:
        if threads is not None or ray is not None:
            raise InvalidText("A GPU needs neither --threads nor --ray: leave them out.")
        from cantstop.arena.cuda import CudaPool

        return CudaPool(plan)
    if ray is None:
        return LocalPool(threads)
    if threads is not None:
        raise InvalidText("A Ray cluster uses all its cores: give --threads or --ray, not both.")
    return RayPool(ray)


class _Progress:
    """How far the games are, for a person who looks."""

    def __init__(self, words: Translator, games: int) -> None:
        self._words = words
        self._games = games
        self._begin: tuple[float, int] | None = None
        self.line = ProgressLine()
        self.line.show(words.say("Getting ready; the very first time this takes a while…"))

    def show(self, played: int) -> None:
        """Say how many games have been played."""
        now = time.monotonic()
        if self._begin is None:  # what a file kept took no time
            self._begin = now, played
        since, before = self._begin
        speed = (played - before) / (now - since) if now > since else 0.0
        filled = round(30 * played / self._games)
        self.line.show(
            self._words.say(
                "{bar} {percent}%, {speed} games a second, {left} left",
                bar="█" * filled + "░" * (30 - filled),
                percent=f"{100 * played / self._games:.1f}",
                speed=f"{speed:,.0f}",
                left=_clock((self._games - played) / speed) if speed else "?",
            )
        )


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
