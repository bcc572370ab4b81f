"""Parameters of the algorithms, with the defaults that were measured to serve best.

They change how long a run takes, never whether its claim is true. To study them, hand others to
``pcsos.solve(params=...)``:

>>> from pcsos.problem.params import Params, TreeParams
>>> Params(tree=TreeParams(fixing_gap=0.0)).tree.root_rounds
150
"""

import sys
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

import numpy as np

from pcsos.base.exceptions import InputError


def _ranged(default: Any, least: float, most: float = float("inf")) -> Any:
    """Return a field with a default and the range of its values, both ends included."""
    return field(default=default, metadata={"least": least, "most": most})


class _Checked:
    """Dataclasses whose fields are checked against their ranges; a default of None is a whole number or None."""

    def __post_init__(self) -> None:
        for item in fields(self):  # type: ignore[arg-type]
            value, default = getattr(self, item.name), item.default
            if value is None and default is None:
                continue
            if isinstance(value, list):  # as JSON gives a tuple back
                value = tuple(value)
            value = value.item() if isinstance(value, np.generic) else value
            object.__setattr__(self, item.name, value)
            is_range, whole = isinstance(default, tuple), default is None or isinstance(default, int)
            numbers = value if is_range and isinstance(value, tuple) else (value,)
            least, most = item.metadata["least"], item.metadata["most"]
            fits = all(_is_number(number, whole) and least <= number <= most for number in numbers)
            if not fits or list(numbers) != sorted(numbers) or len(numbers) != 1 + is_range:
                upper = "" if most == float("inf") else f" and at most {most:g}"
                kind = "range of numbers" if is_range else "whole number" if whole else "number"
                raise InputError(
                    f"{type(self).__name__}.{item.name} is {value!r}; give a {kind} of at least {least:g}{upper}"
                )


def _is_number(value: Any, whole: bool) -> bool:
    is_number = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
    return is_number and abs(value) <= sys.float_info.max


@dataclass(frozen=True)
class AdmmParams(_Checked):
    """The default engine (Mathematics 4).

    Parameters
    ----------
    iterations : int
        Iterations between two looks at the bound.
    over_relaxation : float
        Over-relaxation alpha of the alternating projections.
    sweeps : int
        Sweeps of coordinate ascent over the cuts an iteration.
    balance_every : int
        The penalty is balanced every so many iterations.
    residual_ratio : float
        So that the primal residual is so many times the dual one: what counts are the multipliers.
    first_balance, largest_balance : float
        By at most this factor, until the first look at the bound and later.
    balance_for : int
        With the same cuts for longer than that it stays: balanced residuals are not what the bound needs in the end.
    most_multiplier : float
        The penalty does not fall so far that the scaled multiplier U is more than so many times as large as X: where
        new cuts keep the residuals apart it would fall for ever, and the bound stand still.
    first_penalty : float
        First penalty, for a Gram matrix of trace about 1.
    informed_penalty : float
        First penalty where multipliers come from a partition, relative to their size.
    converged : float
        Residuals at which the iterates count as converged.
    inexactness : float
        Error of a spectral projection, as a share of the smaller residual.
    """

    iterations: int = _ranged(30, 1)
    over_relaxation: float = _ranged(1.6, 1.0, 1.99)
    sweeps: int = _ranged(2, 1)
    balance_every: int = _ranged(10, 1)
    residual_ratio: float = _ranged(1.5, 1e-3)
    first_balance: float = _ranged(4.0, 1.0)
    largest_balance: float = _ranged(1.5, 1.0)
    balance_for: int = _ranged(150, 0)
    most_multiplier: float = _ranged(30.0, 1.0)
    first_penalty: float = _ranged(0.1, 1e-6)
    informed_penalty: float = _ranged(0.1, 1e-6)
    converged: float = _ranged(1e-7, 0.0)
    inexactness: float = _ranged(1.0, 0.0)


@dataclass(frozen=True)
class CutParams(_Checked):
    """Cutting planes (Paper 3.2 and 4.1).

    Parameters
    ----------
    per_point : int
        New cuts a round, at most, as a multiple of the number of super-points.
    first_threshold, usual_threshold, last_threshold : float
        Violation asked for, relative to the size k / E of the entries of Z: at first, later, when few cuts are left.
    fall : float
        From one round to the next violations fall to about this share.
    sets : int
        New set cuts a round, at most, under limits of sizes.
    patience, short_patience : int
        Rounds over which progress is judged, and where clusters have limits or pairs are soft: to decide a pair is
        worth more than many rounds there.
    least_progress : float
        Share of the remaining gap that they must close.
    """

    per_point: int = _ranged(60, 1)
    first_threshold: float = _ranged(1e-1, 0.0)
    usual_threshold: float = _ranged(1e-3, 0.0)
    last_threshold: float = _ranged(1e-5, 0.0)
    fall: float = _ranged(0.3, 0.0, 1.0)
    sets: int = _ranged(20, 0)
    patience: int = _ranged(8, 1)
    short_patience: int = _ranged(4, 1)
    least_progress: float = _ranged(0.1, 0.0, 1.0)


@dataclass(frozen=True)
class TreeParams(_Checked):
    """Branch and bound (Paper, Algorithm 3).

    Parameters
    ----------
    root_rounds, node_rounds : int
        Rounds of cutting planes at most, at the root and below.
    fixing_gap : float
        Pairs are fixed once the gap is below this (a negative number: never),
    least_fixed_share : float
        if that share of the free pairs can be.
    fixing_loss : float
        Share of the gap that rounding the multipliers of a fixing may cost.
    rounding_every : int
        The heuristic that rounds the relaxation runs every so many rounds.
    heuristic_needed_gap : float
        The root waits for the heuristic that runs beside it once its own gap is below this.
    largest_left_open : int
        Super-points beyond which an interrupted node is not written down: it would take one more eigendecomposition.
    """

    root_rounds: int = _ranged(150, 1)
    node_rounds: int = _ranged(60, 1)
    fixing_gap: float = _ranged(0.02, -1.0, 1.0)
    least_fixed_share: float = _ranged(0.2, 0.0, 1.0)
    fixing_loss: float = _ranged(0.01, 0.0, 1.0)
    rounding_every: int = _ranged(4, 1)
    heuristic_needed_gap: float = _ranged(0.005, 0.0)
    largest_left_open: int = _ranged(1500, 0)


@dataclass(frozen=True)
class ColouringParams(_Checked):
    """Colouring the cannot-link graph, which every assignment to given centres does (Paper (11) and (12)).

    Parameters
    ----------
    quick_steps : int
        Steps of DSATUR before a clique of k + 1 nodes is looked for, for each node of the component.
    tabu_steps : int
        Steps of a tabu search after that.
    refutation_steps, refutation_work : int
        Steps of DSATUR, and nodes it may look at, to refute every colouring before an integer program looks for one.
    forced_nodes, forced_intersections : int
        Nodes that take part in the inference of forced pairs, and entries of sets of them that may be compared for
        cannot-links.
    region_steps : int
        Steps of branch and bound on a region of conflict before a descent or an integer program (negative: none).
    """

    quick_steps: int = _ranged(20, 0)
    tabu_steps: int = _ranged(100_000, 0)
    refutation_steps: int = _ranged(20_000_000, 0)
    refutation_work: int = _ranged(2_000_000_000, 0)
    forced_nodes: int = _ranged(2000, 0)
    forced_intersections: int = _ranged(3_200_000_000, 1)
    region_steps: int = _ranged(100_000, -1)


@dataclass(frozen=True)
class MemeticParams(_Checked):
    """S-MDEClust, with the defaults of its paper.

    Parameters
    ----------
    population : int
        Number of solutions P.
    max_stall : int
        Offspring in a row that do not improve the best solution before the run ends (N_MAX).
    max_generations : int or None
        Generations of P offspring after which the run ends.
    delta : float
        The run ends when the absolute differences of all pairs of objectives sum to no more than this (the variant
        ``pcsos``: than this times the best objective); never, if negative.
    scale : tuple of float
        Range of the factor F of the crossover.
    alpha : float
        Share of distance in the mutation's draw.
    max_local_iterations : int
        Greatest number of iterations of one local search.
    grafts_from : int
        Clusters from which on solutions take over clusters of each other, in the variant ``pcsos``.
    polish_up_to : int
        Super-points times neighbours of all, up to which all Kempe chains are tried in the end where cannot-links are
        dense.
    swaps_up_to : int
        Super-points up to which swaps are tried, on all pairs.
    alone_up_to : int
        Super-points times clusters up to which it runs before the root of the tree rather than beside it.
    """

    population: int = _ranged(20, 4)
    max_stall: int = _ranged(500, 1)
    max_generations: int | None = _ranged(None, 0)
    delta: float = _ranged(1e-4, -1.0)
    scale: tuple[float, float] = _ranged((0.5, 0.8), 0.0)
    alpha: float = _ranged(0.5, 0.0, 1.0)
    max_local_iterations: int = _ranged(500, 1)
    grafts_from: int = _ranged(10, 2)
    polish_up_to: int = _ranged(500_000_000, 0)
    swaps_up_to: int = _ranged(2000, 0)
    alone_up_to: int = _ranged(300, 0)


@dataclass(frozen=True)
class EvolutionParams(_Checked):
    """Hybrid differential evolution, with the defaults of its paper; no part of a solve.

    Parameters
    ----------
    population : int
        Number of vectors N.
    max_evaluations : int or None
        Evaluations of vectors after which the run ends; by default 20,000 for each of their components.
    spread : float
        The run ends when the values of the population differ by no more than this share of the best one.
    threshold : float
        Centres are rearranged with probability ``1 - threshold - spread of the values``, if that is above zero.
    local_tolerance : float
        K-means ends when the value changes by no more than this share.
    max_local_iterations : int
        Greatest number of iterations of one k-means.
    """

    population: int = _ranged(30, 4)
    max_evaluations: int | None = _ranged(None, 1)
    spread: float = _ranged(1e-4, 0.0)
    threshold: float = _ranged(0.5, 0.0, 1.0)
    local_tolerance: float = _ranged(1e-4, 0.0)
    max_local_iterations: int = _ranged(500, 1)


@dataclass(frozen=True)
class BlockParams(_Checked):
    """Block bounds (Mathematics 7).

    Parameters
    ----------
    least_size, least_members : int
        Super-points of the smallest blocks, and members of a cluster in them.
    largest_size : int
        Super-points beyond which blocks are not merged.
    exchanges : int
        Exchanges that are tried for each super-point.
    probes : int
        Blocks that are looked at before a size is chosen.
    whole_up_to : int
        Super-points up to which an instance is solved without blocks.
    own_gap : float
        The gap that blocks are solved to, as a share of the gap asked for.
    own_slack : float
        The same as a share of what a better partition of the block alone takes from its bound, if that is more.
    nodes : int
        Nodes of a block's tree at most.
    memetic_up_to : int
        Super-points times clusters up to which S-MDEClust looks for a better partition of a block.
    """

    least_size: int = _ranged(64, 2)
    least_members: int = _ranged(8, 1)
    largest_size: int = _ranged(4000, 2)
    whole_up_to: int = _ranged(800, 0)
    exchanges: int = _ranged(500, 0)
    probes: int = _ranged(2, 1)
    own_gap: float = _ranged(0.25, 0.0, 1.0)
    own_slack: float = _ranged(0.25, 0.0, 1.0)
    nodes: int = _ranged(5, 1)
    memetic_up_to: int = _ranged(30_000, 0)


@dataclass(frozen=True)
class PriceParams(_Checked):
    """Prices (Mathematics 9).

    Parameters
    ----------
    features_up_to : int
        Features that vary, or axes along which points differ, up to which prices are tried: boxes have a side for each.
        With more than two, a probe decides whether there are too many boxes. 0: never.
    points_from, points_up_to : int
        Numbers of points for which they are tried.
    first_cells, last_cells : int
        Cells of super-points whose prices change together, at first and in the end.
    share_of_time : float
        Share of the time left after which they give way, where there is a limit: sooner where they hardly rise, later
        where nothing else has a chance.
    """

    features_up_to: int = _ranged(16, 0)
    points_from: int = _ranged(20, 0)
    points_up_to: int = _ranged(1_000_000_000, 0)
    first_cells: int = _ranged(128, 1)
    last_cells: int = _ranged(6144, 1)
    share_of_time: float = _ranged(0.8, 0.0, 1.0)


@dataclass(frozen=True)
class Params:
    """All of them, by algorithm."""

    admm: AdmmParams = field(default_factory=AdmmParams)
    cuts: CutParams = field(default_factory=CutParams)
    tree: TreeParams = field(default_factory=TreeParams)
    colouring: ColouringParams = field(default_factory=ColouringParams)
    memetic: MemeticParams = field(default_factory=MemeticParams)
    blocks: BlockParams = field(default_factory=BlockParams)
    prices: PriceParams = field(default_factory=PriceParams)

    def __post_init__(self) -> None:
        for name, kind in PARTS.items():
            if not isinstance(getattr(self, name), kind):
                raise InputError(f"Params.{name} is {getattr(self, name)!r}; give a {kind.__name__}")

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return them as plain values, for a run file."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, dict[str, Any]]) -> Self:
        """Return what :meth:`to_dict` wrote."""
        return cls(**{name: kind(**values[name]) for name, kind in PARTS.items() if name in values})


#: The parts by their names.
PARTS: dict[str, Any] = {own.name: own.default_factory for own in fields(Params)}
