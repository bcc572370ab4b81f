"""Falling costs: whether more clusters cost no more than fewer do (Mathematics 12)."""

from pcsos.problem.instance import Instance


def costs_fall(instance: Instance) -> bool:
    """Tell whether the least cost falls with the number of clusters, as long as there are groups for them.

    A group of points that leaves a cluster breaks no cannot-link, and both parts hold at most what the cluster did. But
    they may hold less than they must, and a soft must-link may be broken.

    Examples
    --------
    >>> from pcsos import Instance
    >>> from pcsos.analysis.choice.falling import costs_fall
    >>> points = [0.0, 1.0, 5.0, 6.0]
    >>> costs_fall(Instance(points, 2, size_max=3)), costs_fall(Instance(points, 2, size_min=2))
    (True, False)
    """
    keeps = instance.limits is None or not instance.limits.asks_for_least
    return keeps and not instance.soft.apart.any()
