"""The plan: which networks are trained, in which order, and how long."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch

from cantstop.engine.evaluators.value.network import Weights
from cantstop.engine.evaluators.value.packed import FAMILIES, Family
from cantstop.rules import Board, Rules, Sharing

from .fit import Fit, fit
from .games import Evaluator, Library, race_tables
from .labels import CHANCES, MOSTLY_PLAIN, Chances, gather_starts, label, read_inputs
from .learn import Course, train
from .model import Net, net_of
from .rule_sets import first_start, lengths_of
from .starts import Starts
from .work import OutOfTime, Work

UNITS = 64

BOARDS = {
    "board-1": Rules(2, board=Board((1, 3, 5, 3, 1))),
    "board-2": Rules(2, board=Board((2, 4, 6, 4, 2))),
    "board-3": Rules(2, board=Board((2, 3, 4, 3, 2))),
    "board-4": Rules(2, board=Board((1, 2, 3, 4, 3, 2, 1))),
    "board-2-leapfrog": Rules(2, sharing=Sharing.LEAPFROG, board=Board((2, 4, 6, 4, 2))),
    "board-2-no-rest": Rules(2, sharing=Sharing.NO_REST, board=Board((2, 4, 6, 4, 2))),
    "board-2-early": Rules(2, early=True, board=Board((2, 4, 6, 4, 2))),
}
"""Small boards whose exact values ``cantstop solve`` finds: a check of the whole chain."""

BOARD_COURSE = Course(
    rounds=36,
    games=20_000,
    steps=500,
    turns=40,
    explore=0.3,
    capacity=2_000_000,
    samples=0,
    hold=0.4,
    average=0.999,
)


@dataclass(frozen=True)
class Pass:
    """One pass of a family's training: games are played on from a number of starts, then fitted to.

    Those play who came ``before``, or the network of the pass before this.
    """

    starts: int
    fit: Fit
    before: bool = False
    chances: Chances = CHANCES


@dataclass(frozen=True)
class Plan:
    """How a family's network is trained; with ``like`` it begins as another family's network."""

    passes: tuple[Pass, ...]
    seed: int
    samples: int
    like: str | None = None


HELD_OUT = 0.01


def _plans() -> dict[str, Plan]:
    plans = {}
    for number, family in enumerate(FAMILIES):
        plain = family.sharing is Sharing.FREE
        like = None if plain else f"{family.players}-free"
        passes = PLAIN_PASSES[family.players] if plain else _shared_passes(family)
        plans[family.name] = Plan(passes, 700 + 10 * number, SAMPLES[family.players], like)
    return plans


PLAIN_PASSES = {
    2: (
        Pass(200_000, Fit(5_000), before=True),
        Pass(1_600_000, Fit(24_000)),
        Pass(1_600_000, Fit(40_000, rate=1.5e-3), before=True),
        Pass(480_000, Fit(14_000, rate=1e-3), chances=MOSTLY_PLAIN),
    ),
    3: (
        Pass(150_000, Fit(5_000), before=True),
        Pass(1_600_000, Fit(24_000)),
        Pass(2_000_000, Fit(40_000, rate=1.5e-3)),
        Pass(480_000, Fit(14_000, rate=1e-3), chances=MOSTLY_PLAIN),
    ),
    4: (
        Pass(120_000, Fit(5_000), before=True),
        Pass(1_300_000, Fit(24_000)),
        Pass(1_600_000, Fit(36_000, rate=1.5e-3)),
        Pass(340_000, Fit(12_000, rate=1e-3), chances=MOSTLY_PLAIN),
    ),
}
"""By players. For two, those who came before play better than what one pass makes."""

SHARED_STEPS = {
    (2, Sharing.NO_REST): (600_000, 20_000),
    (3, Sharing.NO_REST): (600_000, 18_000),
    (4, Sharing.NO_REST): (450_000, 16_000),
    (2, Sharing.LEAPFROG): (450_000, 16_000),
    (3, Sharing.LEAPFROG): (450_000, 14_000),
    (4, Sharing.LEAPFROG): (350_000, 13_000),
}
"""Starts and steps of the last pass for V3 and V4."""


def _shared_passes(family: Family) -> tuple[Pass, ...]:
    starts, steps = SHARED_STEPS[family.players, family.sharing]
    last = Pass(starts, Fit(steps, rate=1.5e-3), before=family.players == 2)
    if family.players == 2:
        return (last,)
    first = {3: 60_000, 4: 50_000}[family.players]
    return Pass(first, Fit(4_000, rate=1e-3), before=True), last


SECONDS = {2: 80.0, 3: 110.0, 4: 120.0}
"""What playing may take at most in a pass; for V3 and V4 half of it."""

SAMPLES = {2: 0, 3: 64, 4: 64}
"""Ways to play a turn that the others' shares are a mean over."""

PLANS = _plans()
ORDER = tuple(
    family.name for sharing in Sharing for family in FAMILIES if family.sharing is sharing
)


def board_starts(library: Library, rules: Rules) -> Starts:
    """Starts on a small board."""
    return Starts(
        Family(2, rules.sharing),
        library.tensor(first_start(rules)[None], torch.int8),
        torch.ones(1, device=library.device),
        None,
        library.tensor(lengths_of(rules.board), torch.int8),
        at_first=0.6,
    )


def race_of(library: Library, work: Work) -> Evaluator:
    """The race model as the package ships it."""
    return library.race(race_tables(work.folder / "inputs" / "race.npz"))


def _train_on(
    work: Work,
    name: str,
    library: Library,
    net: Net,
    starts: Starts,
    course: Course,
    *,
    seed: int,
    notes: dict[str, Any] | None = None,
) -> None:
    """Train a network on from its checkpoint, if there is one, and keep it once it is done."""
    checkpoint = work.checkpoint_path(name)
    with work.log(name) as log:
        fitter = train(
            library,
            net,
            starts,
            course,
            seed=seed,
            checkpoint=checkpoint,
            deadline=work.deadline,
            log=log,
        )
    if fitter is None:
        raise OutOfTime
    work.keep(name, fitter.mean.weights(), {"seed": seed, "course": asdict(course)} | (notes or {}))
    checkpoint.unlink(missing_ok=True)


def train_board(work: Work, name: str) -> None:
    """The whole chain on a small board."""
    rules = BOARDS[name]
    library = Library(sides=rules.board.sides)
    torch.manual_seed(3)
    starts = board_starts(library, rules)
    _train_on(
        work,
        name,
        library,
        Net(2, 64),
        starts,
        BOARD_COURSE,
        seed=3,
        notes={"rules": str(rules)},
    )


def pass_name(name: str, number: int) -> str:
    """What the network of a family's pass is called in WORK; the last one is the family's own."""
    return name if number == len(PLANS[name].passes) - 1 else f"{name}-pass-{number}"


def before_of(library: Library, work: Work, family: Family) -> Evaluator:
    """The network that came before, which took no squares; ``before.py`` has written it."""
    with np.load(work.folder / "inputs" / f"before-{family.name}.npz") as kept:
        weights = Weights(**dict(kept))
    return library.network(weights, squares=False)


def train_pass(work: Work, name: str, number: int) -> None:
    """Games of the network so far, and a network that is fitted to them."""
    plan = PLANS[name]
    one, seed = plan.passes[number], plan.seed + number
    family = next(family for family in FAMILIES if family.name == name)
    library = Library()
    torch.manual_seed(seed)
    if one.before:
        player = before_of(library, work, family)
    else:
        player = library.network(work.weights(pass_name(name, number - 1)))
    inputs = read_inputs(library, family, work.folder / "inputs")
    began = time.monotonic()
    starts = gather_starts(library, inputs, player, one.starts, seed, one.chances)
    gathered = time.monotonic()
    labels = label(
        library,
        family,
        player,
        starts,
        samples=plan.samples,
        held_out=HELD_OUT,
        seed=seed,
        until=gathered + SECONDS[family.players] * (0.5 if plan.like else 1.0),
    )
    played = time.monotonic()
    if number:
        net = net_of(work.weights(pass_name(name, number - 1)))
    else:
        net = net_of(work.weights(plan.like)) if plan.like else Net(family.players, UNITS)
    with work.log(name) as log:
        log(
            {
                "pass": number,
                "starts": len(starts),
                "games": int(labels.games),
                "gathering_s": round(gathered - began, 1),
                "anchors": len(labels.anchors),
                "scatter": labels.scatter,
                "playing_s": round(played - gathered, 1),
            }
        )
        net = fit(net, labels, one.fit, log)
        log({"fitting_s": round(time.monotonic() - played, 1)})
    notes = {"plan": asdict(plan), "pass": number, "anchors": len(labels.anchors)}
    work.keep(pass_name(name, number), net.weights().rounded(), notes)


def training(work: Work, only: list[str]) -> None:
    """All networks that are not done yet, pass by pass."""
    for name in ORDER:
        for number in range(len(PLANS[name].passes)):
            if work.has(pass_name(name, number)) or (only and name not in only):
                continue
            work.check_time(20.0)
            train_pass(work, name, number)
    for name in BOARDS:
        if not work.has(name) and (not only or name in only):
            work.check_time(12.0)
            train_board(work, name)
