"""Pictures of the pages: one a screen, drawn in the style of the documentation, the same each time."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

STAMP = "<!-- rows {} -->\n"
MARKERS = "osD^v"


@contextmanager
def picture(path: Path, height: float = 3.6) -> Iterator[Any]:
    """Give axes, and write what is drawn on them."""
    from matplotlib import pyplot

    axes = pyplot.figure(figsize=(7.2, height)).subplots()
    yield axes
    path.parent.mkdir(parents=True, exist_ok=True)
    pyplot.savefig(path, bbox_inches="tight", metadata={"Date": None})
    pyplot.close()


def dots(path: Path, names: Sequence[str], values: Mapping[str, Sequence[float | None]], label: str) -> None:
    """Draw a line for each name from its least value to its greatest, with a dot for each method."""
    with picture(path, height=1.1 + 0.27 * len(names)) as axes:
        for i in range(len(names)):
            there = [found[i] for found in values.values() if found[i] is not None]
            if there:
                axes.plot([min(there), max(there)], [i, i], color="0.6", linewidth=0.8, zorder=1)
        for (method, found), marker in zip(values.items(), MARKERS, strict=False):
            places = [(value, i) for i, value in enumerate(found) if value is not None]
            axes.plot(*zip(*places, strict=True), marker, label=method) if places else None
        axes.set(xscale="log", xlabel=label, yticks=range(len(names)), yticklabels=names)
        axes.invert_yaxis()
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(values))


def stamp(path: Path, digest: str) -> None:
    """Write into a picture from which rows it was drawn."""
    path.write_text(path.read_text(encoding="utf-8") + STAMP.format(digest), encoding="utf-8")


def is_drawn_from(path: Path, digest: str) -> bool:
    """Return whether a picture is there and was drawn from these rows."""
    return path.exists() and path.read_text(encoding="utf-8").endswith(STAMP.format(digest))
