"""Adjacency: the graph of neighbours as users give it, as a list of neighbours a sample."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Indices
from pcsos.problem.conditions.pairs import connected_components, pairs_of_points, unique_pairs
from pcsos.problem.validation.arrays import numbers, spelled_out
from pcsos.problem.validation.names import positions, refuse_other_index, row_labels

REMEDY = "give an adjacency matrix with a row and a column a sample, or edges, two samples a row"


@dataclass(frozen=True, eq=False)
class Adjacency:
    """Which samples are neighbours."""

    n_nodes: int  #: number of samples n
    edges: Indices  #: shape (m, 2): pairs of neighbours i < j, sorted, each once

    @classmethod
    def of(cls, connectivity: Any, samples: Any) -> "Adjacency":
        """Return a graph as users give it: a matrix, dense or sparse, or edges; None is the complete graph.

        Edges name the rows of a DataFrame of samples by the labels of its index.

        Raises
        ------
        InputError
            If it is neither, or not a graph of so many samples.
        """
        n_nodes = len(samples)
        if connectivity is None:
            return cls(n_nodes, np.column_stack(np.triu_indices(n_nodes, 1)).astype(np.intp))
        pairs = _pairs(connectivity, samples)
        return cls(n_nodes, unique_pairs(pairs[pairs[:, 0] != pairs[:, 1]].astype(np.intp)))

    @cached_property
    def starts(self) -> Indices:
        """Where the neighbours of each sample begin in ``targets``, shape (n + 1,)."""
        return np.concatenate([[0], np.cumsum(np.bincount(self.edges.ravel(), minlength=self.n_nodes))])

    @cached_property
    def targets(self) -> Indices:
        """The neighbours of the samples, one sample behind the other, shape (2m,)."""
        both = np.vstack([self.edges, self.edges[:, ::-1]])
        return np.ascontiguousarray(both[np.lexsort(both.T[::-1]), 1])

    @cached_property
    def component(self) -> Indices:
        """The component of each sample, numbered by first appearance, shape (n,)."""
        return connected_components(self.n_nodes, self.edges)

    @property
    def n_components(self) -> int:
        """Number of components."""
        return int(self.component.max()) + 1

    def pieces(self, labels: Indices) -> Indices:
        """Return the connected pieces of clusters, numbered by first appearance, shape (n,)."""
        inner = self.edges[labels[self.edges[:, 0]] == labels[self.edges[:, 1]]]
        return connected_components(self.n_nodes, inner)


def _pairs(connectivity: Any, samples: Any) -> Indices:
    """Return the pairs of a graph as they are given."""
    n, labels = len(samples), row_labels(samples)
    is_sparse = sparse.issparse(connectivity)
    given = connectivity if is_sparse else spelled_out(connectivity, "connectivity", REMEDY, ordered=False)
    try:
        shape = np.shape(given)
    except ValueError as error:
        raise InputError(f"connectivity has rows of different lengths; {REMEDY}") from error
    if shape == (n, n):
        refuse_other_index(samples, given, "connectivity")
        if hasattr(given, "iloc") and not given.columns.equals(given.index):
            raise InputError("connectivity has other columns than rows; give connectivity[connectivity.index]")
        return _entries(given if is_sparse else sparse.coo_array(numbers(given, "connectivity", REMEDY)))
    if is_sparse or (shape != (0,) and shape[1:] != (2,)):
        raise InputError(f"connectivity has shape {shape} but there are {n} samples; {REMEDY}")
    if labels is not None:
        return np.array(positions(given, labels, "connectivity"), np.intp).reshape(-1, 2)
    return pairs_of_points(given, n, "connectivity")


def _entries(given: Any) -> Indices:
    """Return the places of the entries of a sparse matrix that are not zero."""
    matrix = given.tocsr().tocoo()  # entries that are given twice are added
    is_good = np.isfinite(matrix.data)
    if not is_good.all():
        at = int(np.argmin(is_good))
        place = f"[{matrix.row[at]}, {matrix.col[at]}]"
        raise InputError(f"connectivity{place} is {matrix.data[at]}; give 1 for neighbours and 0 for others")
    is_edge = matrix.data != 0
    return np.column_stack([matrix.row[is_edge], matrix.col[is_edge]])
