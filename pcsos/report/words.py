"""Words: what is proved, in sentences that need no mathematics."""

import math

from pcsos.report.contents import Contents
from pcsos.result import Status

#: Per cent below which it is enough to say that it is no more than this.
LEAST_PERCENT = 1e-4
#: Of a last digit, what is put down to the rounding of a double.
SLACK = 1e-6


def headline(contents: Contents) -> str:
    """Return in a sentence or two what is known."""
    if not contents.has_ended:
        return "This run has not ended: it was killed, or it still goes on. What it has found so far is shown below."
    match contents.result.status:
        case Status.INFEASIBLE:
            return f"It is impossible to {_task(contents)}: that is proved."
        case Status.UNKNOWN:
            return f"Neither a way to {_task(contents)} was found, nor a proof that there is none."
    return _quality(contents)


def _quality(contents: Contents) -> str:
    """Return in a sentence how good the partition is."""
    result, task = contents.result, _task(contents)
    if result.gap == 0.0:
        return f"No other way to {task} is better than the one shown here: that is proved."
    if result.gap is None or result.gap >= 1.0:
        return f"This is a way to {task}. How much better another one could be is not proved."
    share = percent(result.gap)
    if result.status is Status.OPTIMAL:
        return f"No other way to {task} is more than {share} better than the one shown here: that is proved."
    return f"A better way to {task} may exist, but none is more than {share} better than this one: that is proved."


def percent(share: float) -> str:
    """Return a share in per cent with two digits, rounded up, and never as a power of ten."""
    value = max(100.0 * share, LEAST_PERCENT)
    decimals = 1 - math.floor(math.log10(value))
    rounded = math.ceil(value * 10.0**decimals - SLACK) / 10.0**decimals
    return f"{rounded:.{max(decimals, 0)}f}".rstrip("0").rstrip(".") + " %" if decimals > 0 else f"{rounded:.0f} %"


def trust(contents: Contents) -> str:
    """Return in a sentence why to believe that."""
    check, result = contents.check, contents.result
    if check is not None and check.verdict is None:
        return f"Do not rely on this page: the checker refuses the file, because {check.refusal}."
    if check is not None:
        return "An independent checker has confirmed this from the points, the constraints and the file of the run."
    if result.status in (Status.OPTIMAL, Status.INFEASIBLE) or result.lower_bound:
        return "The checker was not asked; “pcsos verify” on the file of the run repeats the proof."
    return ""


def measure(contents: Contents) -> str:
    """Return what better means."""
    squares = "add up, over all points, the squared distance to the centre of their cluster"
    if len(contents.instance.soft):
        return f"Better means a smaller cost: {squares}, and the penalties of the soft pairs that are broken."
    return f"Better means a smaller sum of squares: {squares}."


def _task(contents: Contents) -> str:
    """Return what was to be done, in words that follow a "to"."""
    instance = contents.instance
    num_pairs = len(instance.must_link) + len(instance.cannot_link)
    held = [f"{_counted(num_pairs, 'constraint')} on pairs of points hold"] if num_pairs else []
    if instance.limits is not None:
        held.append("clusters keep to their limits")
    kept = f" so that {' and '.join(held)}" if held else ""
    return f"divide {_counted(instance.n_points, 'point')} into {_counted(instance.n_clusters, 'cluster')}{kept}"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun if count == 1 else noun + 's'}"
