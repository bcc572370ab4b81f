"""The report of a comparison: changed results first, then seconds and CPU seconds with a verdict, in words."""

import math
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from statistics import median
from typing import Any

from benchmarks.comparison.child import RESULTS
from benchmarks.comparison.intervals import Interval, interval
from benchmarks.comparison.running import Measured
from benchmarks.load import MOST_BESIDE, is_marked
from benchmarks.tables import table

#: Objectives, and bounds, that differ by less are the same but for the order of sums.
SAME = 1e-9
#: What a change must not change; a bound and the number of nodes may differ within the gap that is asked for.
CLAIMED = ("status", "objective")
LETTERS = ("A", "B")
#: What is compared, and what it is called.
MEASURES = {"seconds": "wall-clock seconds", "cpu_seconds": "CPU seconds"}


class Comparison:
    """All runs of a comparison, and what they come to.

    Parameters
    ----------
    runs : iterable of Measured
        In the order in which they ran.
    """

    def __init__(self, runs: Iterable[Measured]) -> None:
        self.runs = list(runs)
        names = dict.fromkeys(run.case for run in self.runs)
        failed = {run.case for run in self.runs if not run.is_done}
        self.cases = [name for name in names if name not in failed]

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

    def changes(self, names: Sequence[str] = RESULTS) -> list[str]:
        """Return a sentence for each of these results that differs between the sides, or between rounds of one."""
        return [f"{case}: {said}" for case in self.cases for said in self._changes_of(case, names)]

    def is_changed(self, names: Sequence[str]) -> bool:
        """Return whether B has a result in some round that A has in none."""
        return any(
            all(differences(of_a, of_b) for of_a in self._found(case, "A", names))
            for case in self.cases
            for of_b in self._found(case, "B", names)
        )

    def broken(self) -> list[str]:
        """Return the cases that failed on side B, and not on side A."""
        failed = {
            letter: {run.case for run in self.runs if run.letter == letter and not run.is_done} for letter in LETTERS
        }
        return sorted(failed["B"] - failed["A"])

    def failures(self) -> list[str]:
        """Return a sentence for each case and side that did not end by itself."""
        failed = {(run.case, run.letter): run.row for run in reversed(self.runs) if not run.is_done}
        return [
            f"{case}: {letter} {row['outcome']}" + (f", {row['error']}" if "error" in row else "")
            for (case, letter), row in sorted(failed.items())
        ]

    def marks(self) -> list[float]:
        """Return how many cores were busy beside, of the runs that are marked."""
        return [run.beside for run in self.runs if run.beside is not None and is_marked(run.beside)]

    def _found(self, case: str, letter: str, names: Sequence[str]) -> list[list[dict[str, Any]]]:
        """Return the results of a case on one side, round by round."""
        return [
            [{name: value for name, value in one.items() if name in names} for one in row["found"]]
            for row in self.rows(case, letter)
        ]

    def _changes_of(self, case: str, names: Sequence[str]) -> Iterable[str]:
        found = {letter: self._found(case, letter, names) for letter in LETTERS}
        for letter, rounds in found.items():
            if any(differences(rounds[0], other) for other in rounds):
                yield f"the results of {letter} differ between its rounds"
        yield from differences(found["A"][0], found["B"][0])


def differences(before: Sequence[dict[str, Any]], after: Sequence[dict[str, Any]]) -> list[str]:
    """Return what differs between the results of the same instances.

    Examples
    --------
    >>> differences([{"nodes": 3, "objective": 1.0}], [{"nodes": 5, "objective": 1.0 + 1e-12}])
    ['nodes of instance 1 were 3, are 5']
    """
    return [
        f"{name} of instance {number} were {old.get(name)}, are {new.get(name)}"
        if name == "nodes"
        else f"{name} of instance {number} was {old.get(name)}, is {new.get(name)}"
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
    changes, failures = comparison.changes(), comparison.failures()
    parts = [
        "\n".join(["Results have changed:", *changes]) if changes else "",
        "\n".join(["Not compared, because a side cannot run it:", *failures]) if failures else "",
    ]
    if not comparison.cases:
        return "\n\n".join([*filter(None, parts), "Nothing could be compared."])
    parts += [*(timetable(comparison, measure) for measure in MEASURES), surroundings(comparison)]
    parts += ["\n".join([*conclusions(comparison), *remarks(comparison, changes)])]
    return "\n\n".join(filter(None, parts))


def timetable(comparison: Comparison, measure: str) -> str:
    """Return a line a case; its interval holds, at once with those of all other cases, with a confidence of 95 %."""
    lines: list[list[object]] = []
    for case in comparison.cases:
        of_a, of_b = map(median, comparison.values(case, measure))
        found = comparison.of_case(case, measure)
        ends = f"{found.low:.3f} to {found.high:.3f}"
        lines.append([case, of_a, of_b, f"{found.ratio:.3f}", ends, found.verdict])
    return table((MEASURES[measure], "A", "B", "B / A", "95 %, all at once", "B is"), lines)


def surroundings(comparison: Comparison) -> str:
    """Return a line a case on its memory, and on what else the machine did."""
    lines: list[list[object]] = []
    for case in comparison.cases:
        of_a, of_b = map(median, comparison.values(case, "peak_mb"))
        lines.append([case, of_a, of_b, f"{of_b / of_a:.3f}", _beside(comparison, case)])
    return table(("peak MB", "A", "B", "B / A", "cores beside, at most"), lines)


def _beside(comparison: Comparison, case: str) -> str | None:
    loads = [run.beside for run in comparison.runs if run.case == case and run.beside is not None]
    return f"{max(loads):.2f}{'*' if is_marked(max(loads)) else ''}" if loads else None


def conclusions(comparison: Comparison) -> list[str]:
    """Return the verdict on all cases in words, a sentence a measure."""
    found = {words: comparison.mean(measure) for measure, words in MEASURES.items()}
    return [
        f"{words}: {_said(mean)} (geometric mean of B / A {mean.ratio:.3f}, 95 % {mean.low:.3f} to {mean.high:.3f})"
        for words, mean in found.items()
        if mean is not None
    ]


def _said(mean: Interval) -> str:
    return mean.verdict if mean.verdict == "no difference seen" else f"B is {mean.verdict} than A"


def remarks(comparison: Comparison, changes: Sequence[str]) -> list[str]:
    """Return what a reader has to know of results and of the machine."""
    said = [] if changes else ["results: status, objective, bound and number of nodes are the same"]
    marks = comparison.marks()
    if marks:
        said.append(
            f"* {len(marks)} of {len(comparison.runs)} runs had more than {MOST_BESIDE} cores busy beside them, up to "
            f"{max(marks):.1f}: believe the CPU seconds rather, or compare again when the machine is idle"
        )
    return said
