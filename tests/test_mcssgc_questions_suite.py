"""The suite on questions for graph clustering: what a case does, and what is said of the rows."""

import pytest

from benchmarks.case import Settings
from benchmarks.suites import mcssgc_questions as suite


def test_a_case_clusters_with_the_answers_of_every_strategy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "REPEATS", 2)
    (case,) = (case for case in suite.cases(Settings()) if case.name == "iris-6-30")
    row = suite.run(**case.arguments, gap=1e-4)
    assert set(row) <= set(suite.COLUMNS)
    assert [row[f"{name} asked"] for name in suite.STRATEGIES] == [30, 30, 30]
    for name in suite.STRATEGIES:
        assert all(70.0 < row[f"{name} {way} rand"] <= 100.0 for way in suite.WAYS)
    assert any(row[f"{name} published rand"] != row[f"{name} contracted rand"] for name in suite.STRATEGIES)


def test_data_that_are_not_there_have_no_cases() -> None:
    assert {case.columns["dataset"] for case in suite.cases(Settings())} == {"iris", "protein", "d1"}


def test_the_report_counts_where_kmmffqs_is_ahead() -> None:
    columns = {f"{name} {way} rand": 90.0 for name in suite.STRATEGIES for way in suite.WAYS}
    row = {"dataset": "protein", "seeds": 25.0, "questions": 60.0, "outcome": "done", **columns}
    ahead = row | {"random contracted rand": 80.0, "asc published rand": 95.0}
    text = suite.report([row, ahead, {"outcome": "killed"}], Settings())
    assert "protein*" in text
    assert "failed or killed: 1" in text
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    assert ["contracted", "random", "1 of 2"] in [line[:3] for line in lines]
    assert ["published", "asc", "0 of 2"] in [line[:3] for line in lines]
