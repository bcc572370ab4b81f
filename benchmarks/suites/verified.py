"""Solve, write the run file, and check it: what journaling and verification cost beside the solve.

The instances of this repository and, with ``--data``, those of the PC-SOS-SDP paper. Each is solved without and with a
run file in the same process, after one solve that is not timed, and the run file is verified against the data of the
instance.
"""

import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.case import Case, Row, Settings
from benchmarks.solving import load
from benchmarks.solving import solve as solve_instance
from benchmarks.suites import instances, published
from benchmarks.tables import geometric_mean, table
from pcsos.evidence.run_file import RunFile
from pcsos.evidence.steps import FixedStep
from pcsos.verify import verify

COLUMNS = (
    *("status", "gap", "n_super_points", "nodes", "leaves", "seconds", "journaled_seconds"),
    *("verify_seconds", "verified_gap", "file_kb", "kb_per_leaf"),
)


def cases(settings: Settings) -> list[Case]:
    """Return one case an instance."""
    found = [Case(f"instances/{case.name}", {}, case.arguments) for case in instances.cases(settings)]
    if settings.data is not None:
        found += [Case(case.name, {}, case.arguments) for case in published.cases(settings)]
    return found


def run(points: str, constraints: str | None, n_clusters: int, **options: Any) -> Row:
    """Solve, journal and verify one instance."""
    instance = load(points, constraints, n_clusters)
    solve_instance(instance, **options)  # loads the compiled kernels
    plain = solve_instance(instance, **options)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.run"
        journaled = solve_instance(instance, run_file=str(path), **options)
        begun = time.perf_counter()
        verdict = verify(path, instance.points, (instance.must_link, instance.cannot_link))
        verify_seconds = time.perf_counter() - begun
        size = path.stat().st_size / 1024
        with RunFile.open(path) as file:
            leaves = sum(1 + sum(isinstance(step, FixedStep) for step in record.steps) for record in file.records())
    return {
        **{key: journaled[key] for key in ("status", "gap", "n_super_points", "nodes")},
        "leaves": leaves,
        "seconds": plain["seconds"],
        "journaled_seconds": journaled["seconds"],
        "verify_seconds": verify_seconds,
        "verified_gap": verdict.gap,
        "file_kb": size,
        "kb_per_leaf": size / max(leaves, 1),
    }


def report(rows: list[Row], settings: Settings) -> str:
    """Return the shares and ratios over all instances."""
    done = [row for row in rows if row["outcome"] == "done"]
    proved = [row for row in done if row["status"] == "OPTIMAL"]
    infeasible = [row for row in done if row["status"] == "INFEASIBLE"]
    journaling = geometric_mean(row["journaled_seconds"] / row["seconds"] for row in proved)
    lines = [
        ("instances", len(rows)),
        ("accepted by the checker", len(done)),
        ("of these proved infeasible", len(infeasible)),
        ("accepted with a verified gap of at most 1.0e-4", sum(row["verified_gap"] <= 1e-4 for row in proved)),
        ("verification / solve, geometric mean", geometric_mean(r["verify_seconds"] / r["seconds"] for r in proved)),
        ("solve with / without run file, geometric mean", journaling),
        ("largest kB per set of multipliers", max((row["kb_per_leaf"] for row in proved), default=None)),
    ]  # fmt: skip
    failed = [f"{row['name']}: {row['outcome']} {row['error'] or ''}" for row in rows if row["outcome"] != "done"]
    return "\n".join([table(("what", "figure"), lines), *failed])
