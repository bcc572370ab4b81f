"""Plain values: a result as JSON may hold it."""

from typing import TYPE_CHECKING, Any

from pcsos._version import __version__

if TYPE_CHECKING:
    from pcsos.result.result import Result


def plain_values(result: "Result") -> dict[str, Any]:
    """Return the fixed keys of the JSON output, with plain Python values."""
    return {
        "status": str(result.status),
        "reason": str(result.reason),
        "objective": result.objective,
        "lower_bound": result.lower_bound,
        "gap": result.gap,
        "n_points": result.n_points,
        "n_features": result.n_features,
        "n_clusters": result.n_clusters,
        "n_super_points": result.n_super_points,
        "n_must_link": result.n_must_link,
        "n_cannot_link": result.n_cannot_link,
        "n_soft_pairs": 0 if result.instance is None else result.instance.soft.num_links,
        "limits": {} if result.instance is None or result.instance.limits is None else result.instance.limits.to_dict(),
        "penalty": result.penalty,
        "violated": None if result.violated is None else [pair._asdict() for pair in result.violated],
        "nodes": result.nodes,
        "root_lower_bound": result.root_lower_bound,
        "root_gap": result.root_gap,
        "root_seconds": None if result.root_lower_bound is None else result.root_seconds,
        "seconds": result.seconds,
        "seed": result.seed,
        "version": __version__,
        "gram_error": None if result.instance is None or result.instance.gram is None else result.instance.cost_error,
        "message": result.message,
        "conflict": None if result.conflict is None else result.conflict.to_dict(),
        "labels": None if result.labels is None else result.labels.tolist(),
    }
