"""The suite on graph clustering: what it draws, what it counts, and what it says of the paper's claims."""

from typing import Any

import numpy as np
import pytest

from benchmarks.case import Settings
from benchmarks.suites import mcssgc


def test_there_is_a_seed_a_class_and_pairs_are_right() -> None:
    classes = np.repeat([0, 1, 2], [30, 4, 1])
    for seed in range(20):
        side = mcssgc.SideInformation.draw(classes, 5, 20, np.random.default_rng(seed))
        assert set(side.seeds) == {-1, 0, 1, 2}
        assert (side.seeds >= 0).sum() == 5
        assert (side.seeds[side.seeds >= 0] == classes[side.seeds >= 0]).all()
        assert (len(side.must_link), len(side.cannot_link), len(side.linked)) == (10, 10, 20)
        assert (classes[side.must_link[:, 0]] == classes[side.must_link[:, 1]]).all()
        assert (classes[side.cannot_link[:, 0]] != classes[side.cannot_link[:, 1]]).all()


def test_agreement_counts_pairs_of_points_without_a_seed() -> None:
    rand, ari = mcssgc.agreement(np.array([0, 0, 1, 1, 9]), np.array([0, 0, 1, 2, 0]), np.array([-1, -1, -1, -1, 0]))
    assert rand == pytest.approx(100.0 * 5 / 6)
    assert ari == pytest.approx(0.5714, abs=1e-4)


@pytest.mark.parametrize(("dataset", "shape"), [("protein", (115, 20)), ("d1", (4000, 30))])
def test_drawn_data_have_the_sizes_of_the_paper(dataset: str, shape: tuple[int, int]) -> None:
    points, classes = mcssgc.drawn(dataset)
    assert points.shape == shape
    assert np.unique(classes).size == {"protein": 6, "d1": 10}[dataset]
    norms = points.sum(axis=1) if dataset == "protein" else np.linalg.norm(points, axis=1)
    np.testing.assert_allclose(norms, 1.0)


def test_a_case_compares_all_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcssgc, "REPEATS", 2)
    monkeypatch.setattr(mcssgc, "GRID", (5, 10))
    (case,) = (case for case in mcssgc.cases(Settings()) if case.name == "iris-35-150")
    row = mcssgc.run(**case.arguments, gap=1e-4)
    assert (row["n"], row["d"], row["k"]) == (150, 4, 3)
    assert all(60.0 < row[f"{name} rand"] <= row[f"{name} best_rand"] <= 100.0 for name in mcssgc.RUNS)
    assert row["MCSSDBS best_neighbours"] == 3
    assert mcssgc.run(n=500, d=2)["MCSSGC ari"] > 0.5


def row(name: str, **values: float) -> dict[str, Any]:
    dataset, seeds, pairs = name.split("-")
    found = {"name": name, "dataset": dataset, "seeds": float(seeds), "pairs": float(pairs), "outcome": "done"}
    for run in mcssgc.RUNS:
        value = values.get(run.replace(" ", "_"), 70.0)
        found |= {f"{run} rand": value, f"{run} best_rand": value + 1.0, f"{run} ari": 0.5}
    return found


def test_claims_are_judged_by_real_data_alone() -> None:
    good = {"SSGC": 80.0, "MCSSDBS": 81.0, "MCSSGC": 93.1, "half_ML": 90.0, "ML_only": 95.0}
    rows = [row("ecoli-90-500", **good), row("haberman-10-800", **good)]
    drawn = row("protein-18-60", **good | {"MCSSGC": 0.0, "ML_only": -1.0})
    verdicts = [claim[3] for claim in mcssgc.claims([*rows, drawn])]
    assert verdicts == ["reproduced"] * 5 + ["not reproduced", "-"]
    assert mcssgc.claims(rows)[2][2] == "94.1"
    text = mcssgc.report([*rows, drawn, {"name": "x", "dataset": "zoo", "outcome": "killed"}], Settings())
    assert "protein*" in text
    assert "failed or killed: 1" in text
    assert [claim[2:] for claim in mcssgc.claims(rows[1:])][2] == ("no data", "-")
    assert mcssgc.claims([drawn]) == []
    published = mcssgc.claims(rows, *mcssgc.JUDGED["as published"])
    assert published[2][2:] == ("71.0", "not reproduced")
    assert all(title in text for title in mcssgc.JUDGED)
    worse = [row("haberman-10-800", **good | {"MCSSDBS": 95.0})]
    assert [claim[3] for claim in mcssgc.claims(worse)][:2] == ["not reproduced", "reproduced"]
