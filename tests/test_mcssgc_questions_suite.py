"""The suite on questions for graph clustering: what a case does, and what is said of the rows."""

from benchmarks.case import Settings
from benchmarks.suites import mcssgc_questions as suite
from pcsos.analysis.active import LabelOracle, collect
from pcsos.problem.generate import gaussian_mixture


def test_a_case_clusters_with_the_answers_of_every_strategy() -> None:
    case = next(case for case in suite.cases(Settings()) if case.name == "iris-1")
    row = suite.run(**case.arguments, gap=1e-4)
    assert set(row) <= set(suite.COLUMNS)
    assert [row[f"{name} asked"] for name in suite.STRATEGIES] == [60, 60, 60]
    for name in suite.STRATEGIES:
        assert all(70.0 < row[f"{name} {way} {step}"] <= 100.0 for way in suite.WAYS for step in range(4))
    assert any(row[f"{name} published 3"] != row[f"{name} contracted 3"] for name in suite.STRATEGIES)


def test_fewer_questions_are_the_first_of_more() -> None:
    points, classes = gaussian_mixture(60, 2, 3, seed=0)
    for strategy in suite.STRATEGIES:
        few, more = (
            collect(points, LabelOracle(classes), strategy=strategy, budget=budget, n_clusters=3, seed=4).questions
            for budget in (7, 15)
        )
        assert (len(few), len(more)) == (7, 15)
        assert more[:7] == few


def test_data_that_are_not_there_have_no_cases() -> None:
    assert {case.columns["dataset"] for case in suite.cases(Settings())} == {"iris", "protein", "d1"}


def test_the_report_counts_where_kmmffqs_is_ahead() -> None:
    columns = {f"{name} {way} {step}": 90.0 for name in suite.STRATEGIES for way in suite.WAYS for step in range(4)}
    row = {"dataset": "protein", "draw": 0, "outcome": "done", **columns}
    other = row | {"random contracted 2": 80.0, "asc published 0": 95.0}
    text = suite.report([row, other, {"outcome": "killed"}], Settings())
    assert "failed or killed: 1" in text
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    assert ["protein*", "2", "25", "100", "90", "90", "90", "90", "90", "85"] in lines
    assert ["contracted", "random", "1 of 4"] in [line[:3] for line in lines]
    assert ["published", "asc", "0 of 4"] in [line[:3] for line in lines]
