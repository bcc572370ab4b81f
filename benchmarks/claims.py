"""The claims of the abstract of the paper on hybrid differential evolution, each over all pairs of runs it is about.

The cost of a run is its mean number of passes over the points, divided by its share of successes at 1e-6: what it takes
on average until a success when it is repeated.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from benchmarks.case import Row
from benchmarks.profiles import ratios, share_within
from benchmarks.tables import geometric_mean, mean, table
from pcsos.heuristics.differential_evolution.landscape import CRITERIA

KINDS = ("rand/1/bin", "jDE", "b6e6rl")
FACTORS = (1.0, 2.0, 5.0, 10.0, 100.0, 1000.0)
#: Costs that differ by less than this factor are alike.
ALIKE = 1.25
#: Share of the pairs in which a claim has to hold.
MOST = 0.9
#: Restarts that succeed no more often than this, in percent, tell a hard set.
HARD = 90.0
HEADER = ("claim", "pairs", "less", "alike", "more", "success %", "of the other", "cost ratio", "verdict")


@dataclass(frozen=True)
class Claim:
    """A claim: the first run of every pair costs less than the second one, or as much.

    Parameters
    ----------
    text : str
        The claim in words.
    pairs : tuple of (str, str)
        Names of the runs.
    is_equality : bool
        Whether the two are said to cost the same.
    is_hard : bool
        Whether only sets count on which the second run often fails.
    """

    text: str
    pairs: tuple[tuple[str, str], ...]
    is_equality: bool = False
    is_hard: bool = False


HYBRIDS = tuple(f"{kind}-H{letter}" for kind, letter in product(KINDS, "NG"))
VERSUS_RESTARTS = tuple((f"{name} TRW", f"restarts for {name}") for name in HYBRIDS)

CLAIMS = (
    Claim(
        "hybrids are essentially more efficient than plain variants",
        tuple((f"{k}-H{g} {c}", f"{k}-N{g} {c}") for k, g, c in product(KINDS, "NG", CRITERIA)),
    ),
    Claim("hybrids are more reliable than restarted k-means at equal cost", VERSUS_RESTARTS),
    Claim("the same on hard sets", VERSUS_RESTARTS, is_hard=True),
    Claim(
        "hybrids are more efficient than single runs of k-means",
        tuple((f"{name} TRW", "one k-means") for name in HYBRIDS),
    ),
    Claim(
        "hybrids with rearrangement are much faster than without",
        tuple((f"{k}-HG {c}", f"{k}-HN {c}") for k, c in product(KINDS, CRITERIA)),
    ),
    Claim(
        "TRW and VRC do not differ in efficiency",
        tuple((f"{k}-{s} TRW", f"{k}-{s} VRC") for k, s in product(KINDS, ("NN", "NG", "HN", "HG"))),
        is_equality=True,
    ),
)


def cost(row: Row, name: str) -> float:
    """Return the passes of a run for each success, infinity without any."""
    share = row[f"{name} success_1e-6"] / 100.0
    return float(row[f"{name} passes"]) / share if share > 0.0 else math.inf


def profile(rows: Sequence[Row], names: Iterable[str]) -> str:
    """Return the performance profile of the costs: the share of sets on which a run is within a factor of the best."""
    factors = ratios([{name: cost(row, name) for name in names} for row in rows])
    header = ("run", *(f"within {factor:g}" for factor in FACTORS))
    return table(header, [[name, *(share_within(found, tau) for tau in FACTORS)] for name, found in factors.items()])


def claims(rows: Sequence[Row]) -> str:
    """Return a line for each claim: the pairs in which it holds, the size of the effect, and a verdict."""
    return table(HEADER, [line(claim, rows) for claim in CLAIMS])


def line(claim: Claim, rows: Sequence[Row]) -> list[object]:
    """Return the line of one claim; the cost ratio is that of the second run to the first, a geometric mean."""
    compared = [
        (row, first, second)
        for row in rows
        for first, second in claim.pairs
        if not claim.is_hard or row[f"{second} success_1e-6"] <= HARD
    ]
    factors = [cost(row, second) / cost(row, first) for row, first, second in compared]
    less, more = sum(factor > ALIKE for factor in factors), sum(factor < 1.0 / ALIKE for factor in factors)
    alike = len(factors) - less - more
    verdict = "reproduced" if (alike if claim.is_equality else less) >= MOST * len(factors) else "not reproduced"
    return [
        *(claim.text, len(factors), less, alike, more),
        *(mean(row[f"{names[side]} success_1e-6"] for row, *names in compared) for side in (0, 1)),
        geometric_mean(factor for factor in factors if 0.0 < factor < math.inf),
        verdict if factors else None,
    ]
