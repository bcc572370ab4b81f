"""The suite that sets strategies against one another: areas, rivals, and files of real data."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.case import Row, Settings
from benchmarks.suites import active
from pcsos.analysis.active import ActiveSession
from pcsos.problem.generate import gaussian_mixture


def row(dataset: str, **areas: float) -> Row:
    figures = dict.fromkeys(active.FIGURES[-3:], 1.0)
    rows = {name: areas.get(name.replace("-", "_"), 0.0) for name in active.RUNS}
    values = {f"{name} {key}": value for name in rows for key, value in figures.items()}
    for name, level in rows.items():
        values |= {f"{name} {index}_{step}": level for index in active.INDICES for step in active.STEPS}
    return {"dataset": dataset, "n": 9.0, "k": 2.0, "outcome": "done", **values}


def test_strategies_are_compared_by_their_mean_areas() -> None:
    rows = [row("a", random=0.5, asc=0.6), row("a", random=0.3, asc=0.4), row("b", random=0.9, asc=0.8)]
    text = active.report(rows, Settings())
    cells = {line.split("|")[1].strip(): line.split("|")[2:] for line in text.splitlines() if line.startswith("|")}
    assert cells["a"][2].strip() == "2"
    assert cells["a"][3].strip() == "0.4"
    assert [cell.strip() for cell in cells["asc"][:3]] == ["3", "1 of 2", "2 of 2"]
    assert "failed or killed: 0" in text


def test_a_strategy_is_compared_over_the_runs_in_which_it_took_part() -> None:
    absent = row("a", random=0.1) | {f"sdp-branch ari_{step}": None for step in active.STEPS}
    text = active.report([row("a", random=0.5, sdp_branch=0.4), absent], Settings())
    cells = {line.split("|")[1].strip(): line.split("|")[2:] for line in text.splitlines() if line.startswith("|")}
    assert [cell.strip() for cell in cells["sdp-branch"][:3]] == ["1", "0 of 1", "1 of 1"]


def test_the_area_is_that_under_the_line_through_the_points() -> None:
    figures = {f"asc ari_{step}": value for step, value in zip(active.STEPS, (0.0, 0.2, 0.4, 0.6, 1.0), strict=True)}
    assert active.area(figures, "asc") == pytest.approx((0.1 + 0.3 + 0.5 + 0.8) / 4.0)


@pytest.mark.slow
def test_a_strategy_that_ends_early_keeps_its_agreement() -> None:
    points, classes = gaussian_mixture(12, 2, 2, separation=8.0, seed=1)
    found = active.asked(points, classes, "certified", 1e-3, 0)
    assert found["questions"] == 5
    assert {found[f"ari_{step}"] for step in active.STEPS} == {1.0}
    assert {found[f"rand_{step}"] for step in active.STEPS} == {1.0}


def test_clusters_are_grown_under_the_pairs_so_far() -> None:
    """Two long groups side by side: one labelled point each is enough to grow them, unless pairs say otherwise."""
    classes = np.arange(60) % 2
    points = np.column_stack([np.arange(60) // 2, 20.0 * classes])
    session = ActiveSession(points, 2)
    assert active.agreement(session, classes, 5)["mcssgc_5"] == 1.0
    session.tell((2, 3), True)
    assert active.agreement(session, classes, 5)["mcssgc_5"] < 1.0


def test_the_rand_index_counts_pairs() -> None:
    assert active.rand_index(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 2])) == pytest.approx(5 / 6)


def test_files_of_real_data_are_read_where_they_are_given(tmp_path: Path) -> None:
    tmp_path.joinpath("ecoli.data.txt").write_text("A 0.1 0.5 cp\nB 0.3 0.5 im\nC 0.5 0.5 cp\n")
    tmp_path.joinpath("zoo.dat").write_text("@data\n1, 0, 2\n3, 4, 1\n")
    assert {case.columns["dataset"] for case in active.cases(Settings(data=tmp_path))} == {
        *active.BUNDLED,
        *active.DRAWN,
        *active.FILES,
    }
    points, classes = active.labelled("ecoli", str(tmp_path / "ecoli.data.txt"))
    assert points.shape == (3, 1)
    assert classes.tolist() == [0, 1, 0]
    assert points.mean() == pytest.approx(0.0)
    assert active.labelled("zoo", str(tmp_path / "zoo.dat"))[1].tolist() == [1, 0]
    assert len(active.cases(Settings())) == len(active.SEEDS) * 6
