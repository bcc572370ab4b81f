"""Variant: an instance that differs from another one in its number of clusters, or in further limits of distance."""

from pcsos.exceptions import InputError
from pcsos.instance import Instance


def refuse_conditions(instance: Instance) -> None:
    """Refuse limits of clusters and soft pairs, under which more clusters may cost more."""
    if not instance.is_plain:
        raise InputError(
            "paths and fronts take neither limits of sizes nor soft pairs (lines SML and SCL of a file); leave them out"
        )


def variant(
    instance: Instance,
    *,
    n_clusters: int | None = None,
    max_diameter: float | None = None,
    min_split: float | None = None,
) -> Instance:
    """Return the same points, weights and pairs with another number of clusters, or with limits beside the pairs.

    Raises
    ------
    InputError
        If clusters have limits of size, or pairs are soft: more clusters could then cost more. So they could with a
        Gram matrix, by its rounding.
    """
    refuse_conditions(instance)
    if instance.gram is not None:
        raise InputError("paths and fronts are about points, not about a Gram matrix; solve each number of clusters")
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
    )
