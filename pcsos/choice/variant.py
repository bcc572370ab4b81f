"""Variant: an instance that differs from another one in its number of clusters, or in further limits."""

from pcsos.exceptions import InputError
from pcsos.instance import Instance
from pcsos.limits import Limits


def refuse_gram(instance: Instance) -> None:
    """Refuse a Gram matrix, by whose rounding more clusters may cost more, and which has no diameters."""
    if instance.gram is not None:
        raise InputError("paths and fronts are about points, not about a Gram matrix; solve each number of clusters")


def variant(
    instance: Instance,
    *,
    n_clusters: int | None = None,
    limits: Limits | None = None,
    max_diameter: float | None = None,
    min_split: float | None = None,
) -> Instance:
    """Return the same points, weights and pairs with another number of clusters, or with limits beside the pairs.

    Parameters
    ----------
    limits : Limits, optional
        What every cluster must hold; those of the instance are not taken over.

    Raises
    ------
    InputError
        If no clusters keep to the limits, or those of distance make too many pairs.
    """
    soft = instance.soft
    pairs = soft.pairs.tolist()
    return Instance(
        instance.points,
        instance.n_clusters if n_clusters is None else n_clusters,
        instance.must_link,
        instance.cannot_link,
        instance.weights,
        names=instance.names,
        feature_names=instance.feature_names,
        max_diameter=max_diameter,
        min_split=min_split,
        soft_must_link=[(i, j, cost) for (i, j), cost in zip(pairs, soft.apart.tolist(), strict=True)],
        soft_cannot_link=[(i, j, cost) for (i, j), cost in zip(pairs, soft.together.tolist(), strict=True)],
        **({} if limits is None else limits.to_dict()),
    )
