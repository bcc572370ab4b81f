"""``python -m benchmarks.growth --out FILE.csv --figure FILE.svg [--family plane]``: seconds of certificates against n.

Mixtures of the suite ``certify`` that were certified to the gap asked for are dots, others are
crosses with their gap. Clusters have variance 1; the variance of their centres says how far they are apart.
"""

import argparse
import re
from pathlib import Path
from typing import cast

from benchmarks.case import Row
from benchmarks.runner import read_rows

DRAWN = {
    "drawn": ("four features, five clusters", re.compile(r"drawn/n(\d+)_spread(\d+)_pairs0")),
    "plane": ("two features, ten clusters", re.compile(r"plane/n(\d+)_spread(\d+)")),
}
#: The variances of the centres, of which the colours tell.
CENTRES = {9: "centres of variance 9", 2: "centres of variance 2"}


def draw(rows: list[Row], family: str, figure: Path) -> None:
    """Write the picture of a family of mixtures; the name's ending chooses the format."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    title, pattern = DRAWN[family]
    axes = cast(plt.Axes, plt.figure(figsize=(6.0, 3.6)).subplots())
    for (spread, words), colour in zip(CENTRES.items(), ("C0", "C1"), strict=True):
        own = [row for row in rows if (found := pattern.fullmatch(row["name"])) and int(found[2]) == spread]
        own = sorted((row for row in own if row["seconds"] is not None), key=lambda row: float(row["n_points"]))
        proved, others = ([row for row in own if (row["status"] == "OPTIMAL") == is_so] for is_so in (True, False))
        if proved:
            axes.plot(*_places(proved), "o-", color=colour, label=f"{words}, certified")
        if others:
            axes.plot(*_places(others), "x", color=colour, label=f"{words}, gap at the limit")
        for row in others:
            gap = "no bound" if row["gap"] is None else f"{row['gap']:.1g}"
            axes.annotate(f" {gap}", (row["n_points"], row["seconds"]), color=colour, va="center")
    axes.set(xscale="log", yscale="log", xlabel="points", ylabel="seconds of the certificate", title=title)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="lower right")
    figure.parent.mkdir(parents=True, exist_ok=True)
    plt.savefig(figure, bbox_inches="tight", metadata={"Date": None} if figure.suffix == ".svg" else None)
    plt.close()


def main() -> None:
    """Draw what the command line asks for."""
    command = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    command.add_argument("--out", type=Path, required=True, metavar="FILE.csv", help="rows of the suite certify")
    command.add_argument("--figure", type=Path, required=True, metavar="FILE.svg")
    command.add_argument("--family", choices=DRAWN, default="drawn")
    options = command.parse_args()
    draw(read_rows(options.out), options.family, options.figure)


def _places(rows: list[Row]) -> tuple[list[float], list[float]]:
    return [row["n_points"] for row in rows], [row["seconds"] for row in rows]


if __name__ == "__main__":
    main()
