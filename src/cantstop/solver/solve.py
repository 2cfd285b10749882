"""Solving a game on the device that is asked for."""

from pathlib import Path

from cantstop.rules import InvalidText, Rules
from cantstop.solver.cpu import solve_on_cpu
from cantstop.solver.solution import Report, Solution, no_report

DEVICES = ("cpu", "cuda")


def solve_game(
    rules: Rules,
    device: str = "cpu",
    checkpoint: Path | None = None,
    report: Report = no_report,
) -> Solution:
    """Solve a game for one or two players exactly, on the CPU or, for one player, with CUDA.

    ``checkpoint`` names the file from which an interrupted solution resumes.

    Raises:
        InvalidText: If there is no such device.
    """
    if device not in DEVICES:
        raise InvalidText(
            "“{device}” is not a device; there are: {devices}.",
            device=device,
            devices=", ".join(DEVICES),
        )
    if device == "cpu":
        return solve_on_cpu(rules, checkpoint, report)
    from cantstop.solver.cuda import solve_on_cuda  # CuPy comes with the extra “gpu” only

    return solve_on_cuda(rules, checkpoint, report)
