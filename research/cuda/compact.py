"""The compact form of a solved game: a small network fitted to its table on the GPU."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cantstop.rules import Rules
from cantstop.solver.cuda.kernels.source import code
from cantstop.solver.cuda.kernels.structs import CuPy
from cantstop.solver.cuda.run.device import compile_kernels
from cantstop.solver.cuda.run.table import DeviceTable

# PyTorch is on the machine with the GPU only
Torch = Any
Tensor = Any

MAX_NEEDED = 5
DEEP = 32
BATCH = 32768
GRAIN = 2.0**-12
HIGHEST_RATE = 3e-3
HELD_BACK = 50_000
"""The number of anchors held out, to see how well the fit generalises."""


@dataclass(frozen=True, eq=False)
class Weights:
    """The network's weights, named as the package has them."""

    vectors: NDArray[np.float32]
    hidden: NDArray[np.float32]
    hidden_bias: NDArray[np.float32]
    out: NDArray[np.float32]
    out_bias: NDArray[np.float32]


def first_of(lengths: tuple[int, ...]) -> NDArray[np.int64]:
    """Where the vectors of each column begin, and those of the columns needed."""
    return np.cumsum([0] + [length + 1 for length in lengths])


def fit(
    torch: Torch,
    rules: Rules,
    steps: NDArray[np.uint8],
    values: NDArray[np.float32],
    width: int,
    seconds: float,
) -> tuple[Weights, dict[str, Any]]:
    """Fit a network to anchors for so long; returns it and how far it is off."""
    torch.manual_seed(1)
    first = torch.tensor(first_of(rules.board.lengths), device="cuda")
    entries = int(first[-1]) + MAX_NEEDED + 1

    def made(*shape: int, scale: float) -> Tensor:
        return (torch.randn(*shape, device="cuda") * scale).requires_grad_()

    vectors = made(entries, width, scale=0.3)
    hidden, hidden_bias = made(width, DEEP, scale=width**-0.5), made(DEEP, scale=0.1)
    out, out_bias = made(DEEP, scale=DEEP**-0.5), made(1, scale=0.1)
    weights = [vectors, hidden, hidden_bias, out, out_bias]

    def predict(places: Tensor) -> Tensor:
        shown = torch.zeros(len(places), entries, device="cuda").scatter_(1, places.long(), 1.0)
        layer = torch.relu(torch.relu(shown @ vectors) @ hidden + hidden_bias)
        return 1.0 + torch.nn.functional.softplus(layer @ out + out_bias)

    places, wanted = _places(torch, rules, steps, first), torch.from_numpy(values).to("cuda")
    learnt = slice(0, len(places) - HELD_BACK)
    optimizer = torch.optim.Adam(weights, lr=HIGHEST_RATE, fused=True)
    began, rounds, done = time.monotonic(), 0, 0.0
    while done < 1.0:
        if rounds % 50 == 0:
            torch.cuda.synchronize()
            done = (time.monotonic() - began) / seconds
            rate = HIGHEST_RATE * min(1.0, (rounds + 1) / 1000)
            for group in optimizer.param_groups:
                group["lr"] = rate * (0.5 + 0.5 * np.cos(np.pi * min(done, 1.0)))
        some = torch.randint(learnt.stop, (BATCH,), device="cuda")
        loss = (predict(places[some]) - wanted[some]).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        rounds += 1
    with torch.no_grad():
        vectors.copy_(torch.round(vectors / GRAIN) * GRAIN)
        off = predict(places[learnt.stop :]) - wanted[learnt.stop :]
        seen = predict(places[:HELD_BACK]) - wanted[:HELD_BACK]
    how = {
        "width": width,
        "rounds": rounds,
        "rms": float(off.square().mean().sqrt()),
        "rms_of_opening": float(seen.square().mean().sqrt()),
        "mean": float(off.mean()),
        "worst": float(off.abs().max()),
    }
    return Weights(*(weight.detach().cpu().numpy() for weight in weights)), how


def _places(torch: Torch, rules: Rules, steps: NDArray[np.uint8], first: Tensor) -> Tensor:
    """The vectors that anchors add up: one for each column, and one for the columns needed."""
    needed = rules.columns_to_win - (steps == 0).sum(axis=1, keepdims=True)
    entries = np.hstack([steps, needed.astype(np.uint8)])
    return (torch.from_numpy(entries).to("cuda").int() + first.int()).to(torch.uint8)


def predict_all(cupy: CuPy, table: DeviceTable, weights: Weights) -> None:
    """Fill a table with what the network predicts."""
    blocks = table.blocks
    columns, (entries, width) = blocks.columns, weights.vectors.shape
    deep = len(weights.out)
    source = (
        f"constexpr int COLUMNS = {columns}, WIDTH = {width}, DEEP = {deep}, VECTORS = {entries};\n"
        + code("common.cuh")
        + (Path(__file__).parent / "compact.cu").read_text()
    )
    kernel = compile_kernels(cupy, [(source, ["predict"])])["predict"]
    kept = [
        cupy.asarray(np.ascontiguousarray(numbers, np.float32))
        for numbers in (weights.vectors.T, weights.hidden, weights.hidden_bias, weights.out)
    ]
    network = np.zeros(
        1,
        np.dtype(
            [(name, "u8") for name in ("vectors", "hidden", "hidden_bias", "out")]
            + [("out_bias", "f4"), ("to_win", "i4")]
            + [(name, "i4", (columns,)) for name in ("block_stride", "halves")]
            + [("first", "i4", (columns + 1,))],
            align=True,
        ),
    )
    for name, array in zip(("vectors", "hidden", "hidden_bias", "out"), kept, strict=True):
        network[name] = array.data.ptr
    network["out_bias"], network["to_win"] = weights.out_bias[0], blocks.rules.columns_to_win
    network["block_stride"], network["halves"] = blocks.block_stride, blocks.halves
    network["first"] = first_of(blocks.lengths)
    shared = 4 * (width * entries + width * deep)
    kernel.max_dynamic_shared_size_bytes = shared
    kernel((132,), (512,), (network, np.int64(blocks.places), table.values), shared_mem=shared)
    cupy.cuda.runtime.deviceSynchronize()
