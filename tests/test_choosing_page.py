"""The page of paths and executors: failed rows are told, and an executor with one block is no measurement."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.pages.rows import NotMeasuredError
from benchmarks.pages.screens import choosing
from benchmarks.suites import executors, path
from tests.records import record_of


def repeats(name: str, seconds: list[float], blocks: int) -> list[dict[str, Any]]:
    return [
        {"name": f"{name}/{i}", "executor": name, "seconds": value, "n_blocks": blocks}
        for i, value in enumerate(seconds)
    ]


def test_executors_count_runs_of_each_and_need_blocks_to_hand_out(tmp_path: Path) -> None:
    both = repeats("pool", [1.0, 2.0, 9.0], 64) + repeats("dask", [3.0, 4.0], 64)
    text = choosing.executors(record_of(tmp_path / "many", "executors", executors.COLUMNS, both))
    assert text.startswith("2.0 seconds by a pool of processes and 3.5 by a Dask cluster")
    assert "medians of 2 runs each, 64 blocks" in text
    one = repeats("pool", [1.0], 1) + repeats("dask", [3.0], 1)
    with pytest.raises(NotMeasuredError):
        choosing.executors(record_of(tmp_path / "one", "executors", executors.COLUMNS, one))


def test_a_path_that_failed_has_a_line_and_no_share(tmp_path: Path) -> None:
    rows = [
        {"name": "path/iris", "kind": "path", "dataset": "iris", "cpu_seconds": 3.0, "cpu_seconds_alone": 4.0},
        {"name": "path/wine", "kind": "path", "dataset": "wine", "outcome": "killed"},
        {"name": "front/iris/split", "kind": "front", "dataset": "iris", "criterion": "split", "cpu_seconds": 1.0},
    ]
    record = record_of(tmp_path, "path", path.COLUMNS, rows)
    assert choosing.saved(record) == "75 %"
    assert "wine: k = 2 to 10 (killed)" in choosing.fronts(record)
    assert "iris: cost and split, k = 3" in choosing.fronts(record)
