"""Loads: what a cluster may hold of something that points bring, and that their means do not weigh."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.exceptions import InputError
from pcsos.base.tolerances import EPS
from pcsos.base.typing import Floats, Indices
from pcsos.problem.conditions.role import Capacity, Condition, Limit, Place, Rows, Spelling
from pcsos.problem.conditions.weights import Measure, checked_ends
from pcsos.problem.validation.arrays import LARGEST_AMOUNT, numbers
from pcsos.problem.validation.names import refuse_other_index
from pcsos.problem.validation.texts import amounts

#: Limits of the loads: one for all, or one for each, None where there is none.
Ends = float | Sequence[float | None]
#: How they are typed.
AMOUNTS = "X|X,..."


@dataclass(frozen=True, eq=False)
class Loads(Condition):
    """What every cluster must hold of what points bring, to one part in 2^30, whatever the points weigh.

    Parameters
    ----------
    amounts : array_like, shape (n,) or (n, r)
        What each point brings, at least 0; of each of r loads, such as weight and volume.
    at_least, at_most : float, or sequence of r float or None, optional
        Least and greatest load of a cluster, of all loads or of each.

    Raises
    ------
    InputError
        If limits are given, but no amounts.

    Examples
    --------
    >>> import pcsos
    >>> loads = [2, 2, 1, 3]
    >>> pcsos.solve([0.0, 1.0, 2.0, 9.0], 2, conditions=[pcsos.Loads(loads, at_most=4)]).labels.tolist()
    [0, 0, 1, 1]
    """

    SPELLINGS: ClassVar[Mapping[str, Spelling]] = {
        "amounts": Spelling("loads", "what each point brings, a column a load", file_of="load", has_numbers=True),
        "at_least": Spelling("load_min", "minimum load of a cluster", amounts("load"), AMOUNTS),
        "at_most": Spelling("load_max", "maximum load of a cluster", amounts("load"), AMOUNTS),
    }

    amounts: ArrayLike | None = None
    at_least: Ends | None = None
    at_most: Ends | None = None

    def __post_init__(self) -> None:
        for name, value in (("load_min", self.at_least), ("load_max", self.at_most)):
            if value is not None and self.amounts is None:
                raise InputError(f"{name} is given without loads; give what each point brings as loads, too")

    def asks(self, place: Place) -> Iterator[Condition]:
        """Yield the limits of those loads of which something is asked."""
        if self.amounts is None:
            return
        refuse_other_index(place.table, self.amounts, "loads")
        columns = _checked(self.amounts, place.n_points).T
        lows = _each(self.at_least, "load_min", len(columns))
        highs = _each(self.at_most, "load_max", len(columns))
        asked = []
        for column, *given in zip(columns, lows, highs, strict=True):
            low, high = checked_ends("load", *given)
            high = None if high is not None and high >= column.sum() else high
            asked += [(tuple(column.tolist()), low or None, high)] if low or high is not None else []
        if asked:
            yield LoadLimits(*map(tuple, zip(*asked, strict=True)))

    def of_rows(self, rows: Rows) -> Self:
        """Return the same for what some rows bring."""
        return self if self.amounts is None else replace(self, amounts=rows.among(self.amounts, "loads", _checked))


@dataclass(frozen=True)
class LoadLimits(Limit):
    """What every cluster must hold of each load."""

    loads: tuple[tuple[float, ...], ...] = ()  #: of each that is limited, what the n points bring
    #: least and greatest amount of each in a cluster
    load_min: tuple[float | None, ...] = ()
    load_max: tuple[float | None, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the limits that there are by their names: what each point brings, and a limit for each load."""
        if not self.loads:
            return {}
        named = {"load_min": self.load_min, "load_max": self.load_max}
        ends = {name: list(own) for name, own in named.items() if any(end is not None for end in own)}
        return {"loads": [list(row) for row in zip(*self.loads, strict=True)]} | ends

    def shown(self) -> dict[str, str]:
        """Return the limits that there are by their names, for people."""
        return {
            name: ", ".join("none" if end is None else f"{end:.10g}" for end in ends)
            for name, ends in self.to_dict().items()
            if name != "loads"
        }

    def joined(self, other: Self) -> Self:
        """Return the limits of both, whose loads count beside one another."""
        ends = self.load_min + other.load_min, self.load_max + other.load_max
        return replace(self, loads=self.loads + other.loads, load_min=ends[0], load_max=ends[1])

    @cached_property
    def _measures(self) -> list[Measure]:
        units = ["of load"] if len(self.loads) == 1 else [f"of load {number}" for number in range(len(self.loads))]
        rows = zip(self.loads, self.load_min, self.load_max, units, strict=True)
        return [Measure(np.array(own), low, high, "load", unit) for own, low, high, unit in rows]

    def shortage(self, weights: Floats, n_clusters: int) -> str | None:
        """Return one sentence on why no points fill k such clusters, None where they may."""
        return next(filter(None, (own.shortage(n_clusters) for own in self._measures)), None)

    def violation(self, labels: Indices, weights: Floats) -> str | None:
        """Return one sentence on the first cluster of labels ``0..k-1`` that breaks a limit, None if none does."""
        return next(filter(None, (own.violation(labels) for own in self._measures)), None)

    def weight_range(self, weights: Floats) -> tuple[float, float]:
        """Return bounds on the weight of every cluster.

        It weighs no more than what its greatest load lets in, and all but what its least load leaves to others.
        """
        low, high, total = 0.0, math.inf, math.fsum(weights.tolist())
        for own in self._measures:
            amounts, (least, most) = own.amounts, own.ends
            high = min(high, _heaviest(amounts, weights, most))
            low = max(low, total - _heaviest(amounts, weights, math.fsum(amounts.tolist()) - least))
        return low, high

    def capacities(self, component: Indices, weights: Floats) -> Iterator[Capacity]:
        """Yield the loads."""
        for own in self._measures:
            yield own.capacity(np.bincount(component, own.amounts, weights.size).astype(np.float64))

    @property
    def asks_for_least(self) -> bool:
        """Whether a part of a cluster may break what the whole of it keeps."""
        return any(self.load_min)


def _heaviest(amounts: Floats, weights: Floats, room: float) -> float:
    """Return what points weigh at most that bring so much, if they may be divided: most weight for the load first."""
    with np.errstate(over="ignore", divide="ignore"):
        order = np.argsort((amounts / amounts.max()) / (weights / weights.max()), kind="stable")
    held = np.cumsum(amounts[order])
    room = max(room, 0.0) + 4.0 * held.size * EPS * held[-1] + math.ulp(0.0)  # what sums and limits are rounded by
    whole = int(np.searchsorted(held, room, "right"))
    weight = math.fsum(weights[order[:whole]].tolist())
    if whole == held.size:
        return weight
    first, left = order[whole], room - (held[whole - 1] if whole else 0.0)
    return weight + float(weights[first] * (left / amounts[first]))


def _checked(values: ArrayLike, n_points: int) -> Floats:
    """Return what each point brings, shape (n, r)."""
    remedy = "give one number of at least 0 per point, or a column of them for each load"
    array = numbers(values, "loads", remedy)
    table = array[:, None] if array.ndim == 1 else array
    if table.ndim != 2 or len(table) != n_points or not table.size:
        raise InputError(f"loads have the shape {array.shape} for {n_points} points; {remedy}")
    is_wrong = ~((table >= 0.0) & (table <= LARGEST_AMOUNT / n_points))
    if is_wrong.any():
        row, column = np.argwhere(is_wrong)[0].tolist()
        raise InputError(f"loads[{row}, {column}] is {table[row, column]:g}; {remedy}")
    return table


def _each(given: object, name: str, n_loads: int) -> Sequence[Any]:
    """Return a limit for each load."""
    if isinstance(given, str | bytes) or not hasattr(given, "__len__"):
        return [given] * n_loads
    ends: list[Any] = list(given)  # type: ignore[call-overload]
    if len(ends) != n_loads:
        raise InputError(f"{name} are {len(ends)} limits for {n_loads} loads; give one for each, or one for all")
    return ends
