"""Small random graphs, and the cheapest colourings by trying all labelings."""

import itertools

import numpy as np
from numpy.typing import NDArray

Edges = NDArray[np.intp]


def random_edges(rng: np.random.Generator, size: int, density: float) -> Edges:
    pairs = [(i, j) for j in range(size) for i in range(j) if rng.random() < density]
    return np.array(pairs, np.intp).reshape(-1, 2)


def random_tree(rng: np.random.Generator, size: int) -> Edges:
    return np.array([(int(rng.integers(v)), v) for v in range(1, size)], np.intp).reshape(-1, 2)


def cycle(size: int) -> Edges:
    return np.array([(v, (v + 1) % size) for v in range(size)], np.intp)


def clique(size: int) -> Edges:
    return np.array(list(itertools.combinations(range(size), 2)), np.intp).reshape(-1, 2)


def colourings(size: int, edges: Edges, k: int, required: set[int] | None = None) -> NDArray[np.intp]:
    """All proper colourings with colours 0..k-1 that use every required one, a row each."""
    every = np.array(list(itertools.product(range(k), repeat=size)), np.intp).reshape(-1, size)
    kept = (every[:, edges[:, 0]] != every[:, edges[:, 1]]).all(axis=1)
    for colour in required or ():
        kept &= (every == colour).any(axis=1)
    return every[kept]


def cheapest(costs: NDArray[np.float64], labelings: NDArray[np.intp]) -> float:
    """The least cost of these labelings; infinity if there are none."""
    if len(labelings) == 0:
        return np.inf
    return float(costs[np.arange(costs.shape[0]), labelings].sum(axis=1).min())


def is_proper(labels: NDArray[np.intp], edges: Edges) -> bool:
    return bool((labels[edges[:, 0]] != labels[edges[:, 1]]).all())
