"""``python -m benchmarks.profiles SUITE --out FILE.csv --figure FILE.svg``: performance profiles of heuristics.

For a method and a factor tau: the share of the instances on which its value is at most tau times the best value of all
methods (Dolan and More, Mathematical Programming 91, 2002). A method without a value is within no factor.
"""

import argparse
from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from benchmarks.case import Row
from benchmarks.heuristics import SAME, time_to_best
from benchmarks.runner import read_rows
from benchmarks.suites import suite_named

#: The suites whose rows hold runs of several methods on the same instance.
SUITES = ("memetic", "variants", "constrained_kmeans", "synthetic")
#: Seconds are counted from here on: the clock says nothing below.
LEAST_SECONDS = 0.001
Values = Mapping[str, float | None]


def ratios(values: Sequence[Values]) -> dict[str, NDArray[np.float64]]:
    """Return for each method its value divided by the best one, on each instance; infinity where it has none.

    What differs from the best by no more than :data:`~benchmarks.heuristics.SAME` counts as the best.
    """
    names = list(dict.fromkeys(name for instance in values for name in instance))
    found = np.array([[_number(instance.get(name)) for name in names] for instance in values])
    found = found[np.isfinite(found).any(axis=1)]
    factors = found / found.min(axis=1, keepdims=True)
    return dict(zip(names, np.where(factors <= 1.0 + SAME, 1.0, factors).T, strict=True))


def share_within(factors: NDArray[np.float64], tau: float) -> float:
    """Return the value of the profile at tau: the share of the ratios that are at most tau."""
    return float(np.mean(factors <= tau))


def draw(profile: Mapping[str, NDArray[np.float64]], measure: str, figure: Path) -> None:
    """Write the profiles as a picture; the name's ending chooses the format.

    Objectives are so close to each other that tau - 1 is drawn for them, from the difference that counts as none.
    """
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    less, left = (1.0, SAME) if measure == "objective" else (0.0, 1.0)
    drawn = {name: np.maximum(np.sort(factors) - less, left) for name, factors in profile.items()}
    right = 1.2 * max(10.0 * left, *(steps[np.isfinite(steps)].max(initial=left) for steps in drawn.values()))
    axes = cast(plt.Axes, plt.figure(figsize=(6.0, 3.6)).subplots())
    for (name, steps), style in zip(drawn.items(), cycle(("-", "--", "-.", ":")), strict=False):
        taus = np.array([left, *steps[np.isfinite(steps)], right])
        axes.step(taus, np.searchsorted(steps, taus, side="right") / steps.size, style, where="post", label=name)
    axes.set(xscale="log", xlim=(left, right), ylim=(0.0, 1.03), xlabel=LABELS[measure], ylabel="share of instances")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    figure.parent.mkdir(parents=True, exist_ok=True)
    plt.savefig(figure, bbox_inches="tight", metadata={"Date": None} if figure.suffix == ".svg" else None)
    plt.close()


def values_of(instances: Mapping[str, Mapping[str, Row]], measure: str) -> list[Values]:
    """Return a value for each method on each instance, objectives or CPU seconds to the best objective."""
    if measure == "objective":
        return [{name: row["objective"] for name, row in runs.items()} for runs in instances.values()]
    return [
        {name: None if seconds is None else max(seconds, LEAST_SECONDS) for name, seconds in time_to_best(runs).items()}
        for runs in instances.values()
    ]


def main() -> None:
    """Draw the profile that the command line asks for."""
    command = argparse.ArgumentParser(prog="python -m benchmarks.profiles", description=__doc__)
    command.add_argument("suite", choices=SUITES)
    command.add_argument("--out", type=Path, required=True, metavar="FILE.csv", help="rows of the suite")
    command.add_argument("--figure", type=Path, required=True, metavar="FILE.svg")
    command.add_argument("--measure", choices=LABELS, default="objective")
    options = command.parse_args()
    instances = suite_named(options.suite).measured(read_rows(options.out))  # type: ignore[attr-defined]
    draw(ratios(values_of(instances, options.measure)), options.measure, options.figure)


LABELS = {
    "objective": "objective above the best of all, relative to it",
    "seconds": "CPU seconds to the best objective of all, times the fastest",
}


def _number(value: float | None) -> float:
    return np.inf if value is None else value


if __name__ == "__main__":
    main()
