"""What the screens of proofs, sizes, soft pairs and heuristics say of rows of every kind: proved, stopped, failed."""

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks import growth
from benchmarks.case import Row, Settings
from benchmarks.pages.certificates import certificate_lines, in_words
from benchmarks.pages.proofs import not_proved, worst_gap
from benchmarks.pages.rows import NOT_MEASURED
from benchmarks.pages.screens import fact
from benchmarks.record.folder import Record
from benchmarks.suites import suite_named

Filled = Callable[[str, str, list[Row]], Record]


@pytest.fixture
def filled(tmp_path: Path) -> Filled:
    """Return a function that writes rows of a suite into a part of a record."""

    def written(part: str, suite: str, rows: list[Row]) -> Record:
        record = Record(tmp_path)
        columns = ["name", *suite_named(suite).COLUMNS, "outcome", "wall_seconds", "load_beside"]
        with record.file(part).open("w", newline="") as stream:
            writer = csv.DictWriter(stream, columns)
            writer.writeheader()
            writer.writerows(rows)
        return record

    return written


def proved(name: str, seconds: float, **columns: Any) -> Row:
    """Return a row that is proved."""
    ended = {"outcome": "done", "status": "OPTIMAL", "gap": 5e-5, "nodes": 1, "wall_seconds": seconds + 1}
    return {"name": name, "seconds": seconds} | ended | columns


def failed(name: str, **columns: Any) -> Row:
    """Return a row that ended after a second without a result."""
    return {"name": name, "outcome": "failed", "wall_seconds": 1.0} | columns


def of(dataset: str, kind: str, number: int) -> Row:
    """Return the columns of a configuration."""
    return {"dataset": dataset, "constraint_type": kind, "num_constraints": number}


def test_a_ratio_is_of_the_means_of_a_configuration_and_leaves_out_what_is_not_all_proved(filled: Filled) -> None:
    iris, wine = of("iris", "CL", 50), of("wine", "CL", 50)
    rows = [proved("iris/a", 1.0, **iris), proved("iris/b", 3.0, **iris), proved("wine/a", 1.0, **wine)]
    record = filled("published", "published", rows)
    assert fact(record, "constrained.ratio_smaller") == "58"  # of 78.4 / 2 and 85.2
    assert fact(record, "constrained.extremes") == "39 (iris CL 50) to 85 (wine CL 50)"
    record = filled("published", "published", [*rows, failed("wine/b", **wine)])
    assert fact(record, "constrained.ratio_smaller") == "39 (without 1 of 2 configurations)"
    assert fact(record, "constrained.proved") == "3 of 4"
    record = filled("published", "published", [failed("wine/b", **wine)])
    assert fact(record, "constrained.ratio_smaller") == "– (without 1 of 1 configurations)"
    assert fact(record, "constrained.extremes") == "on none, as no configuration is all proved"
    assert fact(record, "constrained.slowest") == "wine/b: 1.0 seconds, failed"


def test_where_the_older_method_is_faster_is_told_and_what_the_published_ones_did_not_solve(filled: Filled) -> None:
    quick, slow, hard = of("iris", "ML", 100), of("iris", "CL", 50), of("ecoli", "CL", 100)
    rows = [proved("a", 0.3, **quick), proved("b", 0.3, **slow), proved("c", 3.0, **hard)]
    record = filled("published", "published", rows)
    faster = "1 of 2 configurations: iris ML 100 (0.02 seconds, pcsos 0.30); it did not solve all instances of 1"
    assert fact(record, "constrained.cprbba_faster") == faster
    assert fact(record, "constrained.not_solved") == "ecoli CL 100 (3 of 5)"
    assert fact(record, "constrained.sample") == (
        "3 of the 360 instances of the paper, in 3 of its 72 configurations; without ECG5000, Gene, accent, computers, "
        "connectionist, glass, heart, seeds, vertebral, wine"
    )
    record = filled("published", "published", [failed("a", **quick)])
    assert "iris ML 100 (0.02 seconds, pcsos does not prove all)" in fact(record, "constrained.cprbba_faster")


def test_seconds_of_who_was_stopped_are_bounds(filled: Filled) -> None:
    rows = [proved("u2152/k40", 10.0, n_points=2152), proved("u2152/k50", 10.0, n_points=2152)]
    record = filled("tsplib", "tsplib", rows)
    assert fact(record, "unconstrained.ratio_sos_sdp") == "at least 8,278 over the 2 that pcsos proves"
    assert fact(record, "unconstrained.stopped") == "u2152 (k = 50)"
    assert fact(record, "unconstrained.left_out") == "pr299, fl417, ali535, gr666, u1060, fl3795, rl5934"
    open_row = proved("u2152/k20", 58.0, status="FEASIBLE", gap=2e-3, n_points=2152)
    record = filled("tsplib", "tsplib", [rows[0], open_row])
    assert fact(record, "unconstrained.ratio_sos_sdp") == (
        "7,931 over the 1 that pcsos proves, at most 2,939 over the 2 that either proves, "
        "where the other one counts with its limit"
    )
    assert fact(record, "unconstrained.not_proved") == "not proved within 60 seconds each: u2152/k20 (gap 2.0e-3)"
    neither = open_row | {"name": "u2152/k50"}
    record = filled("tsplib", "tsplib", [rows[0], neither])
    assert fact(record, "unconstrained.ratio_sos_sdp") == "7,931 over the 1 that pcsos proves"


def test_the_worst_gap_is_that_of_a_row_without_a_bound() -> None:
    rows = [proved("a", 1.0), proved("b", 60.0, status="FEASIBLE", gap=1e-2), failed("c", gap=None, seconds=None)]
    rows = [{"status": None} | row for row in rows]
    names = str.upper
    assert worst_gap(rows, lambda row: names(row["name"])) == "unknown after 1.0 seconds (C)"
    assert worst_gap(rows[:2], lambda row: names(row["name"])) == "1.0e-2 after 60 seconds (B)"
    assert worst_gap(rows[:1], lambda row: names(row["name"])) == "no more than was asked for, as all are proved"
    assert not_proved(rows, "plane") == "not proved within 30 seconds each: b (gap 1.0e-2), c (no bound)"
    assert not_proved(rows[:1], "plane") == "all are proved within 30 seconds each"


def test_each_number_of_pairs_has_a_column(filled: Filled) -> None:
    rows = [proved("n1000-k2-c100", 1.0), proved("n1000-k2-c500", 1.0, gap=9e-4), failed("n5000-k20-c500")]
    lines = fact(filled("plane", "plane", rows), "plane.with_pairs").splitlines()
    assert [[cell.strip() for cell in line.strip("|").split("|")] for line in (lines[0], *lines[2:])] == [
        ["points", "clusters", "gap with 100 pairs", "gap with 500 pairs"],
        ["1,000", "2", "5.0e-5", "9.0e-4"],
        ["5,000", "20", "–", "no bound"],
    ]


def test_a_gap_that_is_too_large_is_bold_and_the_sample_is_told(filled: Filled) -> None:
    rows = [proved("n1000-k2-c100", 1.0), proved("n1000-k20-c100", 30.0, status="FEASIBLE", gap=2e-2)]
    record = filled("plane", "plane", rows)
    assert fact(record, "plane.with_pairs").splitlines()[-1].split("|")[3].strip() == "**2.0e-2**"
    assert fact(record, "plane.sample") == "2 of 72 (1,000 points in 2 and 20 clusters)"


def test_clusterings_are_named_in_words() -> None:
    names = ("plane/n1000_spread9", "drawn/n100000_spread2_pairs0", "large/10000_2_05", "large/GT")
    assert [in_words(name) for name in names] == [
        *(f"drawn, centres of variance {variance}" for variance in (9, 2)),
        *("AVOC 10000_2_05", "GT"),
    ]
    for case in suite_named("certify").cases(Settings(data=Path())):
        assert not re.search(r"spread|_pairs|/|_k\d", in_words(case.name))


def test_a_certificate_that_has_failed_has_a_line_and_a_mark_where_there_is_no_bound(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    empty = dict.fromkeys(suite_named("certify").COLUMNS) | {"peak_mb": None}
    assert certificate_lines([empty | failed("plane/n1000_spread2")])[0][0] == "drawn, centres of variance 2"
    open_row = empty | proved("plane/n1000_spread2", 60.0, status="FEASIBLE", gap=None, n_points=1000.0)
    growth.draw([open_row], "plane", tmp_path / "growth.svg")
    assert "no bound" in (tmp_path / "growth.svg").read_text()


def test_sizes_have_a_column_for_each_published_method_and_words(filled: Filled) -> None:
    iris = {"dataset": "iris", "n_points": 150, "n_clusters": 3}
    rows = [
        proved("iris/50-", 0.2, size_min=50, **iris),
        proved("iris/50-50", 0.2, size_min=50, size_max=50, **iris),
        proved("wine/balanced", 0.5, dataset="wine", size_min=59, size_max=60),
        failed("glass/balanced", dataset="glass"),
    ]
    record = filled("balanced", "balanced", rows)
    lines = fact(record, "sizes.limits").splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert [(line[3], *line[-2:]) for line in cells] == [
        ("at least 50", "295", "–"),
        ("50 each", "–", "5"),
        ("59 or 60 each", "–", "–"),
        ("equal", "–", "–"),
    ]
    assert fact(record, "sizes.proved") == "3 of 4"
    assert fact(record, "sizes.not_proved") == "not proved within 120 seconds each: glass, equal (no bound)"


def test_a_cheaper_cost_than_what_was_not_proved_is_shown(filled: Filled) -> None:
    below = {"objective": 96.2, "num_broken": 1, "pckm_reached": 3, "pckm_median_excess": 0.05}
    below |= {"pckm_best_excess": -0.01, "pckm_worst_excess": 0.3}
    record = filled("soft_optimum", "soft_optimum", [proved("iris/0", 60.0, status="FEASIBLE", gap=0.02, **below)])
    assert "-1.0 %" in fact(record, "soft.optimum")
    assert fact(record, "soft.optimum_proved") == "0 of 1"


def dense_row(seed: int, objective: float | None, n: int = 500) -> Row:
    """Return a run of the suite ``dense``."""
    columns = {"n": n, "k": 20, "percent": 5, "seed": seed, "objective": objective}
    return {"name": f"n{n}-seed{seed}", "outcome": "done", "wall_seconds": 12.0} | columns


def test_seeds_are_compared_with_the_best_of_their_set(filled: Filled) -> None:
    rows = [dense_row(0, 20.0), dense_row(1, 20.03), dense_row(2, 21.0), dense_row(3, None)]
    record = filled("dense", "dense", rows)
    assert fact(record, "heuristics.dense_apart") == "5.0 %; 1 run without a partition"
    assert fact(record, "heuristics.dense_sample") == "4 runs of 10 seconds on 1 set"
    assert fact(filled("dense", "dense", rows[:2]), "heuristics.dense_apart") == "0.15 %"
    assert fact(filled("dense", "dense", rows[:1]), "heuristics.dense_apart") == NOT_MEASURED  # nothing to compare with


def test_what_the_limit_has_ended_is_counted(filled: Filled) -> None:
    runs = [
        {"run": "pcsos", "objective": 1.0, "message": None, "name": "a"},
        {"run": "blp-km", "objective": None, "message": "time limit reached", "name": "b"},
    ]
    rows = [{"n": 1000, "k": 20, "num_constraints": 500, "outcome": "done", "cpu_seconds": 2.0} | run for run in runs]
    record = filled("synthetic", "synthetic", rows)
    lines = [line for line in fact(record, "heuristics.drawn").splitlines() if "BLP-KM" in line or "(pcsos)" in line]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells == [["S-MDEClust (pcsos)", "1", "1", "0", "0", "2.0"], ["BLP-KM", "1", "0", "1", "1", "2.0"]]
    assert fact(record, "heuristics.drawn_sample") == "1 of 72 sets: 1,000 points, 20 clusters, 500 pairs"
