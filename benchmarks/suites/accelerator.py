"""Whole roots on an accelerator: certificates of what is too large for a relaxation on the processor, or slow there.

``data/`` are sets of ``large/NAME.txt.gz``, ``drawn/`` mixtures of five unit Gaussians in ten dimensions about centres
from N(0, 2 I), ``digits`` the images of scikit-learn. A partition is found first, then certified as closely as asked
for. All together take eight minutes at most.
"""

import tempfile
import time
from pathlib import Path
from typing import Any

import pcsos
from benchmarks.case import Case, Figure, Row
from benchmarks.instances import build
from benchmarks.solving import found_labels
from pcsos.bounds.relaxation.gpu import device
from pcsos.problem.options import Options

COLUMNS = (
    *("n_points", "n_features", "n_clusters", "n_super_points", "status", "reason", "objective", "lower_bound", "gap"),
    *("n_blocks", "search_seconds", "seconds", "file_mb", "device"),
)
SHOWN = ("name", "n_super_points", "status", "gap", "seconds", "wall_seconds", "peak_mb")
FIGURES: dict[str, Figure] = {}
#: Share of the limit that the search for the partition may take that is certified.
SEARCH_SHARE = 0.1


def cases(data: Path | None) -> list[Case]:
    """Return the cases, those of files only with a folder of data."""
    facebook = [] if data is None else [("data/facebook_k3", {"files": [str(data / "large/facebook.txt.gz"), None, 3]})]
    given = [
        ("drawn/n2000", {"spread": [2000, 2, 0, 5, 10]}, 2e-5, 40.0),
        *((*case, 2e-5, 80.0) for case in facebook),
        ("drawn/n10000", {"spread": [10_000, 2, 0, 5, 10]}, 2e-5, 150.0),
        ("digits_k10", {"digits": [1797, 10]}, 1e-4, 60.0),
        ("drawn/n20000", {"spread": [20_000, 2, 0, 5, 10]}, 1e-4, 240.0),
    ]
    return [Case(name, described, gap=gap, time_limit=limit) for name, described, gap, limit in given]


def run(*, gap: float, time_limit: float, workers: int | None, **described: Any) -> Row:
    """Find a partition of the instance that is described, certify it on a device, and return the columns of its row."""
    instance = build(**described)
    begun = time.perf_counter()
    labels = found_labels(instance, SEARCH_SHARE * time_limit)
    searched = time.perf_counter() - begun
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.run"
        options = Options(engine="gpu", gap=gap, time_limit=time_limit - searched, workers=workers)
        record = pcsos.certify(instance, labels, options=options, run_file=path).to_dict()
        record |= {"search_seconds": searched, "file_mb": path.stat().st_size / 2**20, "device": device.name()}
    return {column: record.get(column) for column in COLUMNS}
