"""``python -m benchmarks.gap_over_time --out FILE.csv --figure FILE.svg``: the gap against the seconds of a run.

A line is an instance of the suite ``trace``. It ends in a dot where the gap asked for was reached, in a cross where the
time was up.
"""

import argparse
import math
from itertools import cycle
from pathlib import Path
from typing import cast

from benchmarks.case import Row
from benchmarks.listening import from_json
from benchmarks.runner import read_rows
from tests.pages import drawing

#: Gaps are drawn down to this one: logarithms know no 0.
LEAST_GAP = 1e-6


def draw(rows: list[Row], figure: Path) -> None:
    """Write the picture; the name's ending chooses the format."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    with drawing():
        axes = cast(plt.Axes, plt.figure(figsize=(7.2, 4.2)).subplots())
        colours = plt.rcParams["axes.prop_cycle"].by_key()["color"]
        done = [row for row in rows if row["outcome"] == "done"]
        for row, colour, style in zip(done, cycle(colours), cycle(("-", "--", "-.")), strict=False):
            points = [point for point in from_json(row["trace"]) if math.isfinite(point.gap)]
            if not points:
                continue
            seconds, gaps = [point.seconds for point in points], [max(point.gap, LEAST_GAP) for point in points]
            axes.step(seconds, gaps, style, where="post", color=colour, label=row["name"])
            axes.plot(seconds[-1], gaps[-1], "o" if row["status"] == "OPTIMAL" else "x", color=colour)
        axes.set(xscale="log", yscale="log", xlabel="seconds", ylabel="relative gap")
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), handlelength=3.0)
        figure.parent.mkdir(parents=True, exist_ok=True)
        plt.savefig(figure, bbox_inches="tight", metadata={"Date": None} if figure.suffix == ".svg" else None)


def main() -> None:
    """Draw what the command line asks for."""
    command = argparse.ArgumentParser(prog="python -m benchmarks.gap_over_time", description=__doc__)
    command.add_argument("--out", type=Path, required=True, metavar="FILE.csv", help="rows of the suite trace")
    command.add_argument("--figure", type=Path, required=True, metavar="FILE.svg")
    options = command.parse_args()
    draw(read_rows(options.out), options.figure)


if __name__ == "__main__":
    main()
