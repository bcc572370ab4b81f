"""The suite on sizes and soft pairs: what it draws, that it runs on something small, and what it reports."""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from benchmarks.case import Settings
from benchmarks.suites import sizes
from pcsos.base.exceptions import InputError
from pcsos.heuristics.multi_start import multi_start


class Balanced:
    """A rival whose clusters are points in their order."""

    labels_: np.ndarray

    def __init__(self, k: int, **options: Any) -> None:
        self.k, self.size_min = k, options["size_min"]

    def fit(self, points: np.ndarray) -> "Balanced":
        self.labels_ = np.repeat(np.arange(self.k), self.size_min)
        return self


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {"num_starts": 2}
    monkeypatch.setattr(sizes, "multi_start", lambda *args, **options: multi_start(*args, **options | few))
    module = ModuleType("k_means_constrained")
    module.KMeansConstrained = Balanced  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "k_means_constrained", module)
    monkeypatch.setattr(module, "__spec__", ModuleSpec(module.__name__, None))


@pytest.mark.usefixtures("quick")
def test_a_small_case_compares_all_runs() -> None:
    row = sizes.run(n=60, k=3, size_min=20, size_max=20, gap=1e-4, time_limit=3600.0)
    for method in sizes.LIMITS:
        assert row[f"{method} 10 objective"] <= row[f"{method} first_objective"]
        assert row[f"{method} first_cpu_seconds"] > 0.0
        for starts in sizes.STARTS:
            assert row[f"{method} 10 objective"] < row[f"rival {starts} objective"]
            assert row[f"{method} cpu_seconds_to_rival_{starts}"] == row[f"{method} first_cpu_seconds"]
    assert set(row) < set(sizes.COLUMNS)


@pytest.mark.usefixtures("quick")
def test_a_rival_beyond_the_sizes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Balanced, "labels_", np.minimum(np.arange(60), 2), raising=False)
    monkeypatch.setattr(Balanced, "fit", lambda model, _: model)
    with pytest.raises(InputError, match="less than size_min"):
        sizes.run(n=60, k=3, size_min=20, size_max=20)


def test_pairs_are_different_and_four_of_five_are_right() -> None:
    classes = np.repeat([0, 1, 2], 50)
    shares = []
    for seed in range(40):
        pairs, is_must_link = sizes.random_pairs(classes, np.random.default_rng(seed))
        assert len({tuple(pair) for pair in pairs.tolist()}) == sizes.PAIRS
        assert (pairs[:, 0] < pairs[:, 1]).all()
        shares.append(np.mean((classes[pairs[:, 0]] == classes[pairs[:, 1]]) == is_must_link))
    assert np.mean(shares) == pytest.approx(0.8, abs=0.03)


def test_soft_pairs_are_compared_by_one_objective(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "DRAWS", 1)
    monkeypatch.setattr(sizes, "PCKM_STARTS", 2)
    row = sizes.run(penalty=1.0, gap=1e-4)
    assert row["s_mdeclust_reached"] == 1
    assert row["pckm_excess_percent"] == row["pckm_worst_percent"] >= 0.0
    assert set(row) < set(sizes.COLUMNS)


def test_the_report_has_both_tables() -> None:
    blobs = dict.fromkeys(sizes.COLUMNS, 2.0) | {"name": "blobs", "outcome": "done", "penalty": None}
    soft = dict.fromkeys(sizes.COLUMNS, 3.0) | {"name": "iris", "outcome": "done"}
    never = blobs | {f"s-mdeclust cpu_seconds_to_rival_{starts}": None for starts in sizes.STARTS}
    text = sizes.report([blobs, never, soft, {"name": "x", "outcome": "killed", "penalty": None}], Settings())
    assert text.count("2-2") == 4
    assert "S-MDEClust reached" in text
    assert text.endswith("failed or killed: 1")


def test_cases_have_different_names() -> None:
    names = [case.name for case in sizes.cases(Settings())]
    assert len(set(names)) == len(names) == len(sizes.BLOBS) + len(sizes.PENALTIES)
