"""``python -m benchmarks.growth --out FILE.csv --figure FILE.svg [--family plane]``: seconds of certificates against n.

Mixtures of the suite ``certify`` that were certified to the gap asked for are dots, others are
crosses with their gap.
"""

import argparse
import re
from pathlib import Path
from typing import cast

from benchmarks.case import Row
from benchmarks.runner import read_rows

DRAWN = {
    "drawn": ("d = 4, k = 5", re.compile(r"drawn/n(\d+)_spread(\d+)_pairs0")),
    "plane": ("d = 2, k = 10", re.compile(r"plane/n(\d+)_spread(\d+)")),
}


def draw(rows: list[Row], family: str, figure: Path) -> None:
    """Write the picture of a family of mixtures; the name's ending chooses the format."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    title, pattern = DRAWN[family]
    axes = cast(plt.Axes, plt.figure(figsize=(6.0, 3.6)).subplots())
    for spread, colour in ((9, "C0"), (2, "C1")):
        own = [row for row in rows if (found := pattern.fullmatch(row["name"])) and int(found[2]) == spread]
        own = [row for row in own if row["seconds"] is not None]
        proved = sorted((row["n_points"], row["seconds"]) for row in own if row["status"] == "OPTIMAL")
        if proved:
            axes.plot(*zip(*proved, strict=True), "o-", color=colour, label=f"centres N(0, {spread} I), proved")
        for row in own:
            if row["status"] != "OPTIMAL":
                axes.plot(row["n_points"], row["seconds"], "x", color=colour)
                axes.annotate(f" gap {row['gap']:.1g}", (row["n_points"], row["seconds"]), color=colour, va="center")
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


if __name__ == "__main__":
    main()
