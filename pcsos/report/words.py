"""Words: what is proved, in sentences that need no mathematics."""

from pcsos.report.contents import Contents
from pcsos.result import Status


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
    share = f"{100.0 * result.gap:.2g} %"
    if result.status is Status.OPTIMAL:
        return f"No other way to {task} is more than {share} better than the one shown here: that is proved."
    return f"A better way to {task} may exist, but none is more than {share} better than this one: that is proved."


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


def _task(contents: Contents) -> str:
    """Return what was to be done, in words that follow a "to"."""
    instance = contents.instance
    num_pairs = len(instance.must_link) + len(instance.cannot_link)
    kept = f" so that {_counted(num_pairs, 'constraint')} on pairs of points hold" if num_pairs else ""
    return f"divide {_counted(instance.n_points, 'point')} into {_counted(instance.n_clusters, 'cluster')}{kept}"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun if count == 1 else noun + 's'}"
