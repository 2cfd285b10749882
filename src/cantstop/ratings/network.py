"""The equations that all ratings of a club solve together, as a network of springs.

Every unknown rating is a node. A prior ties it to a fixed number, and what games say ties two
ratings to each other: edge ``(i, j)`` of strength ``k`` adds ``k (x_i - x_j)²`` to what is to be
small. Solving is done by conjugate gradients, which needs one pass through the edges at a time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import shake_256
from math import sqrt

from cantstop.ratings.arithmetic import dot

EXACT = 200
"""Parts of at most this number of unknowns have exact variances; larger ones are sampled."""

DRAWS = 32
"""How many samples give the part of a variance that comes from other players."""

_PRECISE = 1e-20
_ROUGH = 1e-6
"""Squared norms at which conjugate gradients end, as parts of the first one."""


@dataclass(frozen=True, slots=True)
class Network:
    """A symmetric system of equations ``H x = b``; fixed nodes have the number -1."""

    own: Sequence[float]
    """How strongly each unknown is tied to its prior."""
    left: Sequence[int]
    right: Sequence[int]
    strength: Sequence[float]
    """Of the edge between left and right; where one of the two is -1, the other is tied."""
    diagonal: list[float] = field(init=False)

    def __post_init__(self) -> None:
        diagonal = [*self.own, 0.0]  # the last one is that of all fixed nodes
        for i, j, strength in zip(self.left, self.right, self.strength, strict=True):
            diagonal[i] += strength
            diagonal[j] += strength
        diagonal.pop()
        object.__setattr__(self, "diagonal", diagonal)

    def times(self, x: Sequence[float]) -> list[float]:
        """The product with a vector."""
        product = [d * one for d, one in zip(self.diagonal, x, strict=True)]
        product.append(0.0)
        at = [*x, 0.0]
        for i, j, strength in zip(self.left, self.right, self.strength, strict=True):
            product[i] -= strength * at[j]
            product[j] -= strength * at[i]
        product.pop()
        return product

    def solved(self, b: Sequence[float], precise: float = _PRECISE) -> list[float]:
        """The solution, by conjugate gradients with the diagonal as preconditioner.

        >>> network = Network([1.0, 1.0], [0], [1], [2.0])
        >>> [round(x, 9) for x in network.solved([5.0, 0.0])]
        [3.0, 2.0]
        """
        x = [0.0] * len(b)
        rest = list(b)
        scaled = [r / d for r, d in zip(rest, self.diagonal, strict=True)]
        direction = scaled
        size = dot(rest, scaled)
        enough = size * precise
        for _ in range(10 * len(b) + 10):
            if size <= enough:
                break
            image = self.times(direction)
            step = size / dot(direction, image)
            x = [one + step * d for one, d in zip(x, direction, strict=True)]
            rest = [r - step * i for r, i in zip(rest, image, strict=True)]
            scaled = [r / d for r, d in zip(rest, self.diagonal, strict=True)]
            before, size = size, dot(rest, scaled)
            turn = size / before
            direction = [s + turn * d for s, d in zip(scaled, direction, strict=True)]
        return x

    def variances(self, exact: int = EXACT, draws: int = DRAWS) -> list[float]:
        """The diagonal of the inverse: how sure each unknown is.

        Parts that nothing ties to each other are taken one by one. Those of at most ``exact``
        unknowns are inverted. In larger ones, a variance is ``1 / H_ii``, what it would be if all
        others were known, and what their being unknown adds; this second part is the mean over
        ``draws`` samples of the network. The samples are always the same ones.

        >>> [round(one, 9) for one in Network([1.0, 1.0], [0], [1], [2.0]).variances()]
        [0.6, 0.6]
        """
        found = [0.0] * len(self.own)
        larger: list[int] = []
        for part, edges in self._parts():
            if len(part) > exact:
                larger += part
                continue
            for i, variance in zip(part, self._inverted(part, edges), strict=True):
                found[i] = variance
        if larger:
            sampled = self._sampled(draws)
            for i in larger:
                found[i] = sampled[i]
        return found

    def _parts(self) -> list[tuple[list[int], list[int]]]:
        """The unknowns that are tied to each other, directly or not, and the edges among them."""
        parent = list(range(len(self.own)))

        def root(i: int) -> int:
            while parent[i] != i:
                parent[i] = parent[parent[i]]
                i = parent[i]
            return i

        for i, j in zip(self.left, self.right, strict=True):
            if i >= 0 and j >= 0:
                a, b = root(i), root(j)
                parent[max(a, b)] = min(a, b)
        parts: dict[int, tuple[list[int], list[int]]] = {}
        for i in range(len(parent)):
            parts.setdefault(root(i), ([], []))[0].append(i)
        for edge, (i, j) in enumerate(zip(self.left, self.right, strict=True)):
            if i >= 0 and j >= 0:
                parts[root(i)][1].append(edge)
        return list(parts.values())

    def _inverted(self, part: Sequence[int], edges: Sequence[int]) -> list[float]:
        """The diagonal of the inverse of one part: Cholesky's factor, and its inverse's columns."""
        where = {i: n for n, i in enumerate(part)}
        matrix = [[0.0] * n + [self.diagonal[i]] for n, i in enumerate(part)]
        for edge in edges:
            a, b = where[self.left[edge]], where[self.right[edge]]
            matrix[max(a, b)][min(a, b)] -= self.strength[edge]
        factor: list[list[float]] = []
        for row in matrix:
            made: list[float] = []
            for entry, above in zip(row, factor, strict=False):
                made.append((entry - dot(made, above)) / above[-1])
            made.append(sqrt(row[-1] - dot(made, made)))
            factor.append(made)
        found = []
        for column in range(len(part)):
            inverse = [1.0 / factor[column][column]]
            for row in factor[column + 1 :]:
                inverse.append(-dot(inverse, row[column:-1]) / row[-1])
            found.append(dot(inverse, inverse))
        return found

    def _sampled(self, draws: int) -> list[float]:
        edges, nodes = len(self.strength), len(self.own)
        # of three or four players one edge may be weaker than nothing: it counts as nothing here
        roots = [sqrt(max(strength, 0.0)) for strength in self.strength]
        own = [sqrt(strength) for strength in self.own]
        total = [0.0] * nodes
        for draw in range(draws):
            signs = _signs(draw, edges + nodes)
            noise = [s * one for s, one in zip(signs[edges:], own, strict=True)]
            noise.append(0.0)
            for i, j, s, one in zip(self.left, self.right, signs, roots, strict=False):
                noise[i] += s * one
                noise[j] -= s * one
            noise.pop()
            x = self.solved(noise, _ROUGH)
            for i, (value, pull, d) in enumerate(zip(x, noise, self.diagonal, strict=True)):
                by_others = value - pull / d
                total[i] += by_others * by_others
        return [1.0 / d + one / draws for d, one in zip(self.diagonal, total, strict=True)]


def _signs(draw: int, count: int) -> list[float]:
    """Signs that look random, and are the same everywhere."""
    data = shake_256(f"cantstop ratings {draw}".encode()).digest((count + 7) // 8)
    return [_SIGNS[byte][bit] for byte in data for bit in range(8)][:count]


_SIGNS = [[1.0 if byte >> bit & 1 else -1.0 for bit in range(8)] for byte in range(256)]
