"""What generates the kernels: their source code, and the structures that they take as arguments."""

from cantstop.solver.cuda.kernels.source import (
    Kernel,
    Stage,
    code,
    head,
    kernels_of,
    means_of,
    parts,
    turn,
)

__all__ = ["Kernel", "Stage", "code", "head", "kernels_of", "means_of", "parts", "turn"]
