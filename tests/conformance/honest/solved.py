"""Run files that the program writes itself, without its clock and its version."""

import json
import sqlite3
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import pcsos
from pcsos import Options
from pcsos.problem.params import BlockParams, Params, PriceParams, TreeParams
from pcsos.verify.reading.columns import TABLES
from tests.asked import asked
from tests.conformance.certificate import FILLING, Certificate, Claim, Row

#: Points without clusters, whose bounds leave gaps.
DRAWN = np.random.default_rng(6).integers(0, 40, (12, 2)).astype(float)
LINKS: dict[str, Any] = {"must_link": [(0, 3), (4, 9)], "cannot_link": [(0, 1), (1, 2), (2, 5), (6, 7), (0, 6)]}
LOADS = [[p % 5, 1.0 + 0.1 * p] for p in range(12)]
WEIGHTS = [1, 2, 0.5, 1, 3, 0.25, 1, 1, 1.5, 2, 1, 1]
#: Relaxations that are left early, so that there is a tree.
SHALLOW = Options(params=Params(tree=TreeParams(root_rounds=1, node_rounds=1)))
PRICED = Options(params=Params(prices=PriceParams(points_from=0)))
#: Three heaps in the plane.
HEAPS = np.repeat(np.arange(3.0), 6)[:, None] * 90.0 + np.random.default_rng(1).integers(0, 30, (18, 2))
BLOCKS = Params(
    blocks=BlockParams(least_size=2, least_members=1, largest_size=5), tree=TreeParams(root_rounds=60, node_rounds=60)
)
SIMILAR = np.exp(-((DRAWN[:8, None] - DRAWN[None, :8]) ** 2).sum(axis=2) / 800.0)

#: The share by which bounds are lowered.
ROOM = 1e-7

Run = Callable[[Path], object]


def solving(points: Any = DRAWN, k: int = 3, options: Options | None = None, **given: Any) -> Run:
    return lambda path: pcsos.solve(points, k, workers=1, run_file=path, options=options, **asked(**given))


def certifying(points: Any, k: int, labels: Any, **given: Any) -> Run:
    return lambda path: pcsos.certify(
        pcsos.Instance(points, k), labels, workers=1, run_file=path, options=Options(**given)
    )


RUNS: Mapping[str, tuple[str, Run]] = {
    "solved-tree": ("A tree of a few problems.", solving(options=SHALLOW)),
    "solved-links": ("Must-links and cannot-links.", solving(options=SHALLOW, **LINKS)),
    "solved-weights": ("Weights.", solving(weights=WEIGHTS, options=SHALLOW)),
    "solved-stopped": ("A run that stopped early.", solving(options=replace(SHALLOW, node_limit=2), **LINKS)),
    "solved-sizes": ("Clusters of four points each.", solving(size_min=4, size_max=4)),
    "solved-groups": ("Limits of groups.", solving(groups=[*"aabbccaabbcc"], group_min=1, options=SHALLOW)),
    "solved-loads": (
        "Limits of two loads.",
        solving(loads=LOADS, load_max=[8, 7.5], load_min=[5, None], options=SHALLOW),
    ),
    "solved-soft": (
        "Soft pairs.",
        solving(soft_must_link=[(0, 1, 90.0), (2, 5, 70.0)], soft_cannot_link=[(3, 4, 200.0)]),
    ),
    "solved-gram": ("A Gram matrix.", lambda path: pcsos.solve(pcsos.Gram(SIMILAR), 3, workers=1, run_file=path)),
    "solved-line": ("One feature.", solving(DRAWN[:, 0], 4)),
    "solved-prices": (
        "Prices of points of which some are apart.",
        solving(HEAPS, 6, options=PRICED, must_link=[(12, 13)], cannot_link=[(0, 1), (2, 3), (6, 7)]),
    ),
    "solved-infeasible": (
        "Cannot-links that no partition keeps.",
        solving(cannot_link=[(i, j) for i in range(4) for j in range(i)]),
    ),
    "solved-blocks": ("A cover.", certifying(HEAPS, 3, np.repeat(np.arange(3), 6), params=BLOCKS, gap=0.2)),
}


def certificates() -> list[Certificate]:
    with tempfile.TemporaryDirectory() as folder:
        return [_certificate(name, *own, Path(folder) / name) for name, own in RUNS.items()]


def _certificate(name: str, shows: str, run: Run, path: Path) -> Certificate:
    run(path)
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    rows = {
        table: [_still(table, dict(row)) for row in connection.execute(f"SELECT * FROM {table}")] for table in TABLES
    }
    connection.close()
    (claim,) = rows["claim"]
    said = Claim(claim["status"], None, claim["objective"], claim["lower_bound"])
    gap = json.loads(rows["instance"][0]["options"])["gap"]
    return Certificate(name, "solved", shows, "1", rows | {"events": []}, said, gap)


def _still(table: str, row: Row) -> Row:
    """The row without what the clock and the version say, and with bounds that leave room for rounding."""
    moving = {"version", "seconds"} if table == "instance" else {"seconds", "digest"}
    constant = {name: FILLING[name] for name in moving & row.keys()}
    bounds = {name: row[name] * (1.0 - ROOM) for name in ("bound", "lower_bound") if row.get(name)}
    return row | constant | bounds | ({"details": "{}"} if "details" in row else {})
