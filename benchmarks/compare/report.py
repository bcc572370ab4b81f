"""The report of a comparison: changed results first, then ratios of seconds with an interval and a verdict, in words.

An interval is Student's, of the mean of the paired rounds' log ratios (Biometrika 1908; for few runs of a program:
Georges, Buytaert and Eeckhout, OOPSLA 2007, section 3.2): it keeps its 95 % with six rounds, and more than these where
some rounds were disturbed. ``tests/benchmarks/test_compare.py`` simulates that.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import t as student

from benchmarks.clock import MOST_BESIDE, is_marked
from benchmarks.compare.child import RESULTS
from benchmarks.compare.runs import Measured
from benchmarks.tables import table

CONFIDENCE = 0.95
#: Fewer rounds say nothing about how much they differ.
FEWEST_ROUNDS = 2
#: Objectives, and bounds, that differ by less are the same but for the order of sums.
SAME = 1e-9
#: What a change must not change; a bound and the number of nodes may differ within the gap that is asked for.
CLAIMED = ("status", "objective")
LETTERS = ("A", "B")
#: What is compared, and what it is called.
MEASURES = {"seconds": "wall-clock seconds", "cpu_seconds": "CPU seconds"}


class Interval(NamedTuple):
    """A ratio of B to A, the geometric mean of the rounds, and between what it lies with the confidence asked for."""

    ratio: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """What this says of B."""
        return "slower" if self.low > 1.0 else "faster" if self.high < 1.0 else "no difference seen"


def interval(of_a: ArrayLike, of_b: ArrayLike, number: int = 1) -> Interval:
    """Return the ratio of B to A, in an interval that holds with a confidence of 95 %.

    Parameters
    ----------
    of_a, of_b : array_like, shape (rounds,) or (cases, rounds)
        What the same rounds took on both sides. Of several cases the geometric mean is taken round by round first, so
        that what disturbs all cases of a round counts once.
    number : int
        How many intervals are to hold at once: each is widened by Bonferroni's rule, so that all of them hold with a
        confidence of 95 %.

    Examples
    --------
    >>> interval([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    Interval(ratio=1.0, low=1.0, high=1.0)
    """
    logs = np.log(np.asarray(of_b, dtype=float)) - np.log(np.asarray(of_a, dtype=float))
    rounds = np.atleast_2d(logs).mean(axis=0)
    if rounds.size < FEWEST_ROUNDS:
        raise ValueError(f"an interval takes at least {FEWEST_ROUNDS} rounds")
    mean, error = rounds.mean(), rounds.std(ddof=1) / math.sqrt(rounds.size)
    half = student.ppf(1.0 - (1.0 - CONFIDENCE) / (2.0 * number), rounds.size - 1) * error
    return Interval(*(float(np.exp(log)) for log in (mean, mean - half, mean + half)))


class Comparison:
    """All runs of a comparison, in the order in which they ran, and what they come to."""

    def __init__(self, runs: Iterable[Measured]) -> None:
        self.runs = list(runs)
        failed = {run.case for run in self.runs if not run.is_done}
        self.cases = [name for name in dict.fromkeys(run.case for run in self.runs) if name not in failed]

    def rows(self, case: str, letter: str) -> list[dict[str, Any]]:
        """Return the rows of a case on one side, round by round."""
        return [run.row for run in self.runs if (run.case, run.letter) == (case, letter)]

    def values(self, case: str, measure: str) -> tuple[list[float], list[float]]:
        """Return what a case took on either side, round by round."""
        of_a, of_b = ([float(row[measure]) for row in self.rows(case, letter)] for letter in LETTERS)
        return of_a, of_b

    def mean(self, measure: str) -> Interval | None:
        """Return the geometric mean of all cases that both sides can run; None if there are none."""
        pairs = [self.values(case, measure) for case in self.cases]
        return interval(*zip(*pairs, strict=True)) if pairs else None

    def of_case(self, case: str, measure: str) -> Interval:
        """Return the ratio of a case, in an interval that holds at once with those of all cases and measures."""
        return interval(*self.values(case, measure), len(MEASURES) * len(self.cases))

    def found(self, case: str, letter: str, names: Sequence[str]) -> list[list[dict[str, Any]]]:
        """Return these results of a case on one side, round by round."""
        return [
            [{name: value for name, value in one.items() if name in names} for one in row["found"]]
            for row in self.rows(case, letter)
        ]

    def changes(self) -> list[str]:
        """Return a sentence for each result that differs between the sides, or between rounds of one."""
        said = []
        for case in self.cases:
            sides = {letter: self.found(case, letter, RESULTS) for letter in LETTERS}
            for letter, rounds in sides.items():
                if any(differences(rounds[0], other) for other in rounds):
                    said.append(f"{case}: the results of {letter} differ between its rounds")
            said += [f"{case}: {one}" for one in differences(sides["A"][0], sides["B"][0])]
        return said

    def is_worse(self) -> bool:
        """Return whether B fails where A does not, or has a status or objective in some round that A has in none."""
        failed = {
            letter: {run.case for run in self.runs if run.letter == letter and not run.is_done} for letter in "AB"
        }
        changed = any(
            all(differences(of_a, of_b) for of_a in self.found(case, "A", CLAIMED))
            for case in self.cases
            for of_b in self.found(case, "B", CLAIMED)
        )
        return changed or bool(failed["B"] - failed["A"])


def differences(before: Sequence[dict[str, Any]], after: Sequence[dict[str, Any]]) -> list[str]:
    """Return what differs between the results of the same instances.

    Examples
    --------
    >>> differences([{"nodes": 3, "objective": 1.0}], [{"nodes": 5, "objective": 1.0 + 1e-12}])
    ['nodes of instance 1: 3 before, 5 now']
    """
    return [
        f"{name} of instance {number}: {old.get(name)} before, {new.get(name)} now"
        for number, (old, new) in enumerate(zip_longest(before, after, fillvalue={}), start=1)
        for name in dict.fromkeys((*old, *new))
        if not _is_same(old.get(name), new.get(name))
    ]


def _is_same(old: object, new: object) -> bool:
    if isinstance(old, float) and isinstance(new, float):
        return math.isclose(old, new, rel_tol=SAME)
    return old == new


def report(comparison: Comparison) -> str:
    """Return all of it as text."""
    changes = comparison.changes()
    failures = [f"{run.case}: {run.letter} {_failure(run.row)}" for run in comparison.runs if not run.is_done]
    parts = [
        "\n".join(["Results have changed:", *changes]) if changes else "",
        "\n".join(["Not compared, because a side cannot run it:", *failures]) if failures else "",
    ]
    if not comparison.cases:
        return "\n\n".join([*filter(None, parts), "Nothing could be compared."])
    parts += [timetable(comparison, measure) for measure in (*MEASURES, "peak_mb")]
    means = {words: comparison.mean(measure) for measure, words in MEASURES.items()}
    said = [
        f"{words}: B / A {mean.ratio:.3f}, 95 % {mean.low:.3f} to {mean.high:.3f}: {mean.verdict}"
        for words, mean in means.items()
        if mean is not None
    ]
    said += [] if changes else ["results: status, objective, bound and number of nodes are the same"]
    marks = [run.beside for run in comparison.runs if is_marked(run.beside)]
    if marks:
        said.append(
            f"* {len(marks)} of {len(comparison.runs)} runs had more than {MOST_BESIDE} cores busy beside them: "
            "believe the CPU seconds rather, or compare again when the machine is idle"
        )
    return "\n\n".join(filter(None, [*parts, "\n".join(said)]))


def _failure(row: dict[str, Any]) -> str:
    return ", ".join(filter(None, [row["outcome"], row.get("error")]))


def timetable(comparison: Comparison, measure: str) -> str:
    """Return a line a case; its interval holds, at once with those of all other cases, with a confidence of 95 %."""
    lines: list[list[object]] = []
    for case in comparison.cases:
        of_a, of_b = map(median, comparison.values(case, measure))
        found = comparison.of_case(case, measure)
        judged = [f"{found.low:.3f} to {found.high:.3f}", found.verdict]
        beside = max(
            (run.beside for run in comparison.runs if run.case == case and run.beside is not None), default=0.0
        )
        loads = [f"{beside:.2f}{'*' * is_marked(beside)}"]
        lines.append([case, of_a, of_b, f"{found.ratio:.3f}", *(judged if measure in MEASURES else loads)])
    last = ("95 %, all at once", "B is") if measure in MEASURES else ("cores beside, at most",)
    return table((MEASURES.get(measure, "peak MB"), "A", "B", "B / A", *last), lines)
