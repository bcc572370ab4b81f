"""Replica: a priced tree as a worker elsewhere keeps it, the one that it was given last."""

import threading
from typing import Any, NamedTuple

import numpy as np

from pcsos.bounds.prices.tree import Priced, priced_nodes

#: What goes with prices, and what is computed from them; everything else in a priced tree is the tree.
WITH_PRICES = (
    "prices", "knot_first", "choice_first", "choices", "group_means", "group_weights", "group_prices", "group_first",
    "members",
)  # fmt: skip
COMPUTED = ("paid", "least", "most")
OF_TREE = tuple(name for name in Priced._fields if name not in WITH_PRICES + COMPUTED)

#: What a worker has not got.
NO_TREE, NO_PRICES = "tree", "prices"

Values = dict[str, Any]


class Name(NamedTuple):
    """Which tree, and which prices."""

    tree: tuple[str, int]
    prices: int


class Replica:
    """A tree and its prices; threads of one worker share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tree: tuple[object, Values] = (None, {})
        self._priced: tuple[Name, Priced] | None = None

    def priced(self, name: Name, tree: Values | None, prices: Values | None) -> Priced | str:
        """Return the priced tree of a name, kept until another is given, or what is missing."""
        with self._lock:
            if self._priced is not None and self._priced[0] == name:
                return self._priced[1]
            if self._tree[0] != name.tree:
                if tree is None:
                    return NO_TREE
                self._tree, self._priced = (name.tree, _own(tree)), None
            if prices is None:
                return NO_PRICES
            given: Values = self._tree[1] | _own(prices)
            sums = priced_nodes(*(given[field] for field in ("prices", "weights", "first", "last", "halves")))
            given |= zip(COMPUTED, sums, strict=True)
            priced = Priced(**given)
            self._priced = (name, priced)
            return priced


def parts(priced: Priced, names: tuple[str, ...]) -> Values:
    """Return these parts of a priced tree."""
    return {name: getattr(priced, name) for name in names}


def _own(values: Values) -> Values:
    """Return arrays as kernels know them: whoever sends them may have made them read-only."""
    return {
        name: np.require(value, requirements=["C", "A", "W"]) if isinstance(value, np.ndarray) else value
        for name, value in values.items()
    }
