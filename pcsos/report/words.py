"""Words: what is proved, in sentences that need no mathematics."""

from pcsos.report.contents import Contents
from pcsos.result import Status


def headline(contents: Contents) -> str:
    """Return in a sentence or two what is known."""
    instance, result = contents.instance, contents.result
    task = f"divide {instance.n_points:,} points into {instance.n_clusters} {_plural(instance.n_clusters, 'cluster')}"
    kept = _kept(len(instance.must_link) + len(instance.cannot_link))
    if not contents.has_ended:
        return "This run has not ended: it was killed, or it still goes on. What it has found so far is shown below."
    match result.status:
        case Status.INFEASIBLE:
            return f"It is impossible to {task}{kept}: that is proved."
        case Status.UNKNOWN:
            return f"Neither a way to {task}{kept} was found, nor a proof that there is none."
    if result.gap is None or not (result.lower_bound or 0.0) > 0.0 < (result.objective or 0.0):
        if result.gap == 0.0:
            return f"No other way to {task}{kept} is better than the one shown here: that is proved."
        return f"This is a good way to {task}{kept}. How much better another one could be is not proved."
    share = f"{100.0 * result.gap:.2g} %"
    if result.status is Status.OPTIMAL:
        return f"No other way to {task}{kept} is more than {share} better than the one shown here: that is proved."
    return f"A better way to {task}{kept} may exist, but none is more than {share} better than this one: that is proved."


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


def measure() -> str:
    """Return what better means."""
    return (
        "Better means a smaller sum of squares: add up, over all points, the squared distance to the centre of their "
        "cluster."
    )


def _kept(num_pairs: int) -> str:
    if num_pairs == 0:
        return ""
    return f" so that the {num_pairs:,} {_plural(num_pairs, 'constraint')} on pairs of points hold"


def _plural(count: int, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"
