"""The judge: named checks of what a process did, of what it claims, and of what is left after trouble."""

import csv
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.soak.process import Ran
from benchmarks.soak.truth import SLACK, Truth, broken, cost

#: What a traceback, or an exception that nobody expected, looks like.
SLIPS = ("Traceback (most recent call last)", "unexpected error", "Exception ignored", "Fatal Python error")
Record = Mapping[str, Any]


class Progress(NamedTuple):
    """How far a run is: the least cost of a partition, infinite without one, and the nodes that are closed."""

    objective: float
    nodes: frozenset[int]


class Judge:
    """Counts checks by name, and keeps what failed.

    Attributes
    ----------
    counts : Counter
        How often each check was made.
    wrong : list of (str, str)
        Name and sentence of each that failed.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.wrong: list[tuple[str, str]] = []

    def check(self, name: str, is_right: bool, sentence: str) -> bool:
        """Count a check; keep the sentence if it failed."""
        self.counts[name] += 1
        if not is_right:
            self.wrong.append((name, sentence))
        return is_right

    # One process

    def process(self, ran: Ran, fitting: set[int]) -> None:
        """Judge how a process ended, what it said, and what it left behind."""
        self.check("ends", not ran.is_hung, f"hung for {ran.seconds:.0f} s: {ran.sentence}")
        if not (ran.is_hung or ran.met_python):
            fits = ran.status in fitting
            self.check("exit status", fits, f"{ran.status} instead of one of {sorted(fitting)}: {ran.sentence}")
        if not (ran.met.is_tight or ran.met_python):
            slip = next((slip for slip in SLIPS if slip in ran.err), "")
            self.check("no traceback", not slip, f"{slip!r} in {ran.sentence}")
        self.check("no process left", not ran.left_running, f"{ran.left_running} after {ran.sentence}")
        if ran.status >= 0:
            self.check("no file left", not ran.left_files, f"{ran.left_files} after {ran.sentence}")

    def standard_output(self, ran: Ran, is_empty: bool) -> None:
        """Judge that standard output holds nothing, where all results go to files; else one value of JSON."""
        if is_empty:
            self.check("standard output", not ran.out, f"{ran.out[:200]!r} on standard output of {ran.sentence}")
        elif ran.out:
            self.check("standard output", _json(ran.out) is not None, f"{ran.out[:200]!r} is no JSON: {ran.sentence}")

    def in_time(self, ran: Ran, limit: float, grace: float) -> None:
        """Judge that a process that has a time limit ended within some grace."""
        late = f"{ran.seconds:.1f} s with a limit of {limit:.1f} s: {ran.sentence}"
        self.check("time limit", ran.seconds <= limit + grace, late)

    def rescued(self, ran: Ran, record: Record | None) -> None:
        """Judge that a result that could not be written is somewhere else."""
        self.check("result rescued", record is not None, f"no result anywhere after {ran.sentence}")

    # Files

    def output(self, path: Path, before: bytes | None, ran: Ran, names: Sequence[str]) -> None:
        """Judge that a file is whole or absent, and is not gone if it was there."""
        data = path.read_bytes() if path.exists() else None
        if data is None and before is None:
            return
        fault = "is gone" if data is None else "" if data == before else _fault(path, data, names)
        self.check("outputs whole", not fault, f"{path.name} {fault} after {ran.sentence}")

    def written(self, path: Path, is_new: bool, ran: Ran) -> None:
        """Judge that a command that says it has a result has written it."""
        self.check("outputs written", is_new, f"{path.name} was not written by {ran.sentence}")

    # Claims

    def claim(self, record: Record, truth: Truth, gap: float, source: str) -> None:
        """Judge status, bound, objective and labels of a result; what is right narrows what is known."""
        status, objective, bound = (record.get(name) for name in ("status", "objective", "lower_bound"))
        labels = record.get("labels")
        proves = status == "INFEASIBLE"
        if truth.is_feasible:
            self.check("infeasible", not proves, f"INFEASIBLE, but it is feasible: {source}")
        if truth.is_feasible is False:
            self.check("no partition", labels is None, f"{status} with labels, but it is infeasible: {source}")
            return
        self.partition(labels, objective, truth, source)
        if bound is not None and not proves:
            self.bound(bound, truth, source)
        if status == "OPTIMAL" and self.check("proof", None not in (objective, bound), f"OPTIMAL without: {source}"):
            within = objective - truth.most <= gap * objective + SLACK * truth.most
            self.check("optimal", within, f"OPTIMAL at {objective!r}, but {truth.most!r} can be had: {source}")
            reached = objective - bound <= gap * objective * (1 + SLACK)
            self.check("gap", reached, f"OPTIMAL with bound {bound!r}, objective {objective!r}, gap {gap}: {source}")

    def partition(self, labels: Any, objective: float | None, truth: Truth, source: str) -> None:
        """Judge labels and the objective that is claimed of them."""
        if labels is None:
            self.check("objective", objective is None, f"objective {objective!r} without labels: {source}")
            return
        fault = broken(truth.about, labels)
        if not self.check("labels", not fault, f"{fault}: {source}"):
            return
        real = cost(truth.about, labels)
        same = objective is not None and math.isclose(objective, real, rel_tol=SLACK)
        self.check("objective", same, f"objective {objective!r}, but the labels cost {real!r}: {source}")
        if truth.least > 0.0:
            possible = real >= truth.least * (1 - SLACK)
            self.check("bounds before", possible, f"labels that cost {real!r}, below {truth.least!r}: {source}")
        truth.learn(labels)

    def bound(self, bound: float, truth: Truth, source: str) -> None:
        """Judge a lower bound."""
        holds = bound <= truth.most * (1 + SLACK)
        if self.check("bound", holds, f"bound {bound!r} above a cost of {truth.most!r}: {source}"):
            truth.believe(bound)

    # After trouble

    def kept(self, earlier: Record, later: Record, source: str) -> None:
        """Judge that nothing is lost from one look at a run file to the next."""
        before, now = (record.get("objective") for record in (earlier, later))
        if before is not None:
            better = now is not None and now <= before * (1 + 1e-12)
            self.check("best partition kept", better, f"objective {now!r} after {before!r}: {source}")
        before, now = (record.get("lower_bound") for record in (earlier, later))
        if before is not None and later.get("status") != "INFEASIBLE":
            higher = now is not None and now >= before - 1e-12 * abs(before)
            self.check("bound kept", higher, f"lower bound {now!r} after {before!r}: {source}")

    def announced(self, told: Progress, filed: Progress, source: str) -> None:
        """Judge that a run file holds the best partition and the closed nodes that the log of the run tells of."""
        if math.isfinite(told.objective):
            better = filed.objective <= told.objective * (1 + 1e-12)
            costs = f"{told.objective!r} was told, {filed.objective!r} is in the file"
            self.check("announced partition kept", better, f"{costs}: {source}")
        if told.nodes:
            lost = sorted(told.nodes - filed.nodes)
            self.check("announced nodes kept", not lost, f"nodes {lost[:5]} are not in the file: {source}")

    def same_end(self, alone: Record, resumed: Record, gap: float, source: str) -> None:
        """Judge that a run that was resumed to its end ends like the one that was left alone."""
        if "TIME_LIMIT" in (alone.get("reason"), resumed.get("reason")):
            return
        statuses = alone["status"], resumed["status"]
        self.check("same status", statuses[0] == statuses[1], f"{statuses[1]}, but alone {statuses[0]}: {source}")
        one, other = alone["objective"], resumed["objective"]
        same = one == other or (None not in (one, other) and abs(one - other) <= gap * max(one, other) * (1 + SLACK))
        self.check("same objective", same, f"objective {other!r}, but alone {one!r}: {source}")


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _fault(path: Path, data: bytes, names: Sequence[str]) -> str:
    """Return what is wrong with the content of an output, by the ending of its name."""
    text = data.decode(errors="replace")
    if path.suffix == ".json":
        return "" if _json(text) is not None else f"is no JSON ({text[:80]!r})"
    if path.suffix == ".html":
        return "" if text.rstrip().endswith("</html>") else "is half a page"
    if path.suffix == ".csv":
        rows = list(csv.reader(text.splitlines()))
        is_whole = text.endswith("\n") and all(len(row) == 2 for row in rows)
        is_whole = is_whole and [name for name, _ in rows[1:]] in ([], [*names])
        return "" if is_whole else f"has {len(rows)} lines for {len(names)} points, or other points"
    if path.suffix == ".txt" and text.startswith("{"):
        return "" if _json(text) is not None else f"is half a list of pairs ({text[-40:]!r})"
    if path.suffix == ".txt":
        words = all(len(line.split()) == 3 for line in text.splitlines())
        return "" if words and (not text or text.endswith("\n")) else f"has half a pair ({text[-40:]!r})"
    return ""
