"""The plan: which networks are trained, in which order, how long, and which of them are shipped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import torch

from cantstop.engine.evaluators.value.packed import FAMILIES, Family
from cantstop.rules import Board, Rules, Sharing

from .games import Evaluator, Library, race_tables
from .learn import Course, Fitter, fit_to, games_of, train
from .model import Net, net_of
from .polish import Labels, Polish, fit, gather_starts, label
from .rule_sets import first_start, lengths_of
from .starts import Starts
from .work import OutOfTime, Work

UNITS = {2: 64, 3: 64, 4: 64}
LARGE = 256
"""Units of the network that is four times as large as the one that is shipped."""

LARGE_NAME = "2-free-large"
CHANCES = (0.4, 0.12, 0.12, 0.12, 0.12, 0.12)
"""How often each rule set of a family is trained; the plain game is the first."""

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
class Plan:
    """How a family's network is trained; with ``like`` it begins as another family's network."""

    course: Course
    seed: int
    like: str | None = None


def _courses() -> dict[str, Plan]:
    two = Course(rounds=105, games=20_000, steps=1_000, turns=80)
    three = Course(rounds=52, games=18_000, steps=1_000, turns=110)
    four = Course(rounds=56, games=13_000, steps=1_000, turns=140)
    plans = {}
    for number, family in enumerate(FAMILIES):
        course = {2: two, 3: three, 4: four}[family.players]
        if family.sharing is Sharing.FREE:
            plans[family.name] = Plan(course, 100 + number)
        else:
            rounds = {2: 34, 3: 28, 4: 30}[family.players]
            short = replace(course, rounds=rounds, rate=7e-4, hold=0.3)
            plans[family.name] = Plan(short, 100 + number, f"{family.players}-free")
    return plans


PLANS = _courses()
POLISH = Course(rounds=22, games=20_000, steps=1_000, rate=5e-4, hold=0.25, turns=80)


def official_starts(library: Library, family: Family, work: Work) -> Starts:
    """Starts of a family on the official board."""
    rules = family.rule_sets
    with np.load(work.folder / "inputs" / f"classic-{family.name}.npz") as kept:
        classic = np.stack([kept[f"train{number}"] for number in range(len(rules))])
    return Starts(
        family,
        library.tensor(np.stack([first_start(one) for one in rules]), torch.int8),
        torch.tensor(CHANCES, device=library.device),
        library.tensor(classic, torch.int8),
        library.tensor(lengths_of(rules[0].board), torch.int8),
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
    boot: Evaluator | None = None,
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
            boot=boot,
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


def train_family(work: Work, name: str) -> None:
    """Self-play from what the race model says, or from another family's network."""
    plan = PLANS[name]
    family = next(one for one in FAMILIES if one.name == name)
    library = Library()
    torch.manual_seed(plan.seed)
    net = (
        net_of(work.weights(plan.like)) if plan.like else Net(family.players, UNITS[family.players])
    )
    _train_on(
        work,
        name,
        library,
        net,
        official_starts(library, family, work),
        plan.course,
        seed=plan.seed,
        boot=None if plan.like else race_of(library, work),
        notes={"like": plan.like},
    )


def _many_games(
    library: Library, starts: Starts, net: Net, rounds: int, seed: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Anchors and targets from games of a network that is not trained meanwhile."""
    torch.manual_seed(seed)
    evaluator = net.to(library.device).evaluator(library)
    rows, goals = [], []
    for at in range(rounds):
        anchors, goal, _, _ = games_of(
            library, starts, evaluator, 20_000, 80, POLISH, seed * 1_000_003 + at
        )
        rows.append(anchors)
        goals.append(goal)
    return torch.cat(rows), torch.cat(goals)


def train_large(work: Work, name: str) -> None:
    """A network four times as large: fitted to the small one's games, polished by its own."""
    library = Library()
    starts = official_starts(library, FAMILIES[0], work)
    net = Net(2, LARGE)
    if not work.checkpoint_path(name).exists():
        anchors, goals = _many_games(library, starts, net_of(work.weights("2-free")), 12, 201)
        torch.manual_seed(202)
        fitter = Fitter(net, library.device, len(anchors))
        fit_to(fitter, anchors, goals, 10_000)
        net = fitter.mean
        del fitter
    _train_on(work, name, library, net, starts, POLISH, seed=203)


def distil(work: Work, name: str) -> None:
    """The two-player network, fitted to the large one's games."""
    library = Library()
    starts = official_starts(library, FAMILIES[0], work)
    anchors, goals = _many_games(library, starts, net_of(work.weights(LARGE_NAME)), 16, 301)
    torch.manual_seed(302)
    fitter = Fitter(net_of(work.weights("2-free")), library.device, len(anchors))
    fitter.add(anchors, goals)
    fitter.size.fill_(len(anchors))
    for rate, steps in ((5e-4, 6_000), (2e-4, 4_000), (5e-5, 3_000), (1e-5, 3_000)):
        fitter.fit(steps, rate)
    with work.log(name) as log:
        log({"anchors": len(anchors), "fit": fitter.loss.item() ** 0.5})
    work.keep(name, fitter.mean.weights(), {"seed": 302, "like": "2-free", "from": LARGE_NAME})


def broaden(work: Work, name: str) -> None:
    """The same network, trained on where classic bots' games lead."""
    library = Library()
    starts = official_starts(library, FAMILIES[0], work)
    torch.manual_seed(401)
    net = net_of(work.weights(DISTILLED))
    _train_on(work, name, library, net, starts, BROADEN, seed=402, notes={"like": DISTILLED})


def polish(work: Work, name: str) -> None:
    """The same network, fitted to results of the large one's games: the one that is shipped."""
    library = Library()
    labels = polish_labels(work, library, POLISHING)
    with work.log(name) as log:
        net = fit(library, net_of(work.weights(BROAD)), labels, POLISHING, log)
    notes = {"like": BROAD, "from": LARGE_NAME, "polish": asdict(POLISHING)}
    work.keep(name, net.weights(), notes)


def polish_labels(work: Work, library: Library, polishing: Polish) -> Labels:
    """The games that polishing takes."""
    family, amounts, seed = FAMILIES[0], polishing.amounts, polishing.seed
    with np.load(work.folder / "inputs" / f"polish-{family.name}.npz") as kept:
        classic = torch.as_tensor(kept["train"])
    walker = library.network(work.weights(BROAD))
    starts = gather_starts(
        library, official_starts(library, family, work), classic, walker, amounts, seed
    )
    player = library.network(work.weights(LARGE_NAME))
    return label(library, family, player, starts, amounts.held_out, seed + 10)


POLISHING = Polish()
BROADEN = Course(
    rounds=24,
    games=8_000,
    broad_games=30_000,
    steps=1_000,
    rate=3e-4,
    hold=0.2,
    turns=80,
    prefill=5,
    average=0.9995,
)
DISTILLED, BROAD, POLISHED = "2-free-distilled", "2-free-broad", "2-free-polished"
STAGES: dict[str, Callable[[Work, str], None]] = {
    "2-free": train_family,
    LARGE_NAME: train_large,
    DISTILLED: distil,
    BROAD: broaden,
    POLISHED: polish,
    "3-free": train_family,
    "4-free": train_family,
    "2-no-rest": train_family,
    "2-leapfrog": train_family,
    "3-no-rest": train_family,
    "3-leapfrog": train_family,
    "4-no-rest": train_family,
    "4-leapfrog": train_family,
    **dict.fromkeys(BOARDS, train_board),
}


def shipped_name(family: Family) -> str:
    """The network that the package ships for a family."""
    return POLISHED if family == FAMILIES[0] else family.name
