"""Every comparison of bounds and gaps, so that no such literal stands anywhere else.

Bounds and objectives are sums of squares (units of the data, squared). None of these tolerances enters a
bound: a lower bound is a proved number (:mod:`pcsos.bounds.relaxation.safe_bound`), these only decide what to do.
"""

import math

#: The gap between 1 and the next double; what it multiplies is floating-point error, never a tolerance.
EPS = 2.0**-52

#: Smallest relative gap that double precision can be asked for.
MIN_GAP = 1e-9
#: Largest relative distance from the least cost that is asked about: beyond it costs would overflow.
LARGEST_EPSILON = 1e20

#: Coordinates beyond this magnitude would overflow when squared and summed.
LARGEST_COORDINATE = 1e140
#: Coordinates that differ by less (after centring) would underflow when squared and summed.
SMALLEST_SPREAD = 1e-140

#: What costs below the normal range of doubles may be rounded by; nothing beside any sum of squares that is admitted.
UNDERFLOW = 1e-300
#: Penalties of soft pairs below this would underflow in products.
SMALLEST_PENALTY = 1e-280

#: An incumbent replaces another only if it is better by this relative amount (rounding is not progress).
IMPROVEMENT = 1e-12


#: Nodes are closed at this share of the gap asked for, so that rounding cannot spoil the claim at the end.
WORKING_SHARE = 0.999
#: Share of it by which a bound goes beyond where it steers only, and is still to be proved.
UNPROVED = 0.05


#: What an objective may be rounded by, relative to it, wherever something is claimed beyond it.
OBJECTIVE_ERROR = 1e-11

#: By this much a gap must be better than the one asked for, so that exact arithmetic finds it reached as well.
GAP_MARGIN = 2.0**-42

#: Share of the gap asked for that rounding may take before far blocks of points are looked for and moved together.
ROUNDING_SHARE = 0.1


def relative_gap(objective: float, lower_bound: float) -> float:
    """Return ``(objective - lower_bound) / objective``, 0 where the objective is 0.

    Infinity where either of them is not known yet.
    """
    if math.isinf(objective) or math.isinf(lower_bound):
        return math.inf
    if objective <= 0.0:
        return 0.0
    return max(0.0, (objective - lower_bound) / objective)


def reaches(gap: float, wanted: float) -> bool:
    """Tell whether a relative gap is at most the one asked for, beyond the rounding of objective and gap."""
    return gap + GAP_MARGIN <= wanted


def cutoff(objective: float, gap: float) -> float:
    """Return the lower bound from which on a node needs no more work, a little above ``objective * (1 - gap)``."""
    return objective if math.isinf(objective) else objective * (1.0 - WORKING_SHARE * gap)


def is_absorbed(error: float, gap: float, objective: float) -> bool:
    """Tell whether what is taken off a lower bound in the end is nothing beside the share at which nodes are closed."""
    return error == 0.0 or (math.isfinite(objective) and error <= 0.1 * (1.0 - WORKING_SHARE) * gap * objective)


def narrowed(gap: float, error: float, objective: float) -> float:
    """Return the gap to ask for where a lower bound will be lowered by ``error``: at least half of ``gap``."""
    return gap if objective <= 0.0 else max(gap - 2.0 * error / objective, 0.5 * gap, MIN_GAP)


def is_improvement(objective: float, incumbent: float) -> bool:
    """Tell whether ``objective`` is better than ``incumbent`` by more than rounding."""
    if math.isinf(incumbent):
        return objective < incumbent
    return objective < incumbent - IMPROVEMENT * abs(incumbent)


def beyond(objective: float, epsilon: float) -> float:
    """Return the lower bound from which on a partition costs more than ``(1 + epsilon) * objective``."""
    return math.nextafter(objective * (1.0 + epsilon) * (1.0 + OBJECTIVE_ERROR), math.inf)
