"""Figures of results in words."""

#: Clusters whose sizes are listed one by one.
MOST_SIZES = 12


def shown(value: float | None) -> str:
    """Return a figure as text, nothing where it is not known."""
    return "" if value is None else f"{value:.10g}"


def listed_sizes(sizes: list[int]) -> str:
    """Return the number of clusters and of the points in them."""
    points = f"point{'s' * (max(sizes) > 1)}"
    if len(sizes) == 1 or len(sizes) > MOST_SIZES:
        span = f"{min(sizes)} to {max(sizes)}" if min(sizes) < max(sizes) else f"{sizes[0]}"
        return f"{len(sizes)} of {span} {points}"
    return f"{len(sizes)} of {', '.join(map(str, sizes[:-1]))} and {sizes[-1]} {points}"
