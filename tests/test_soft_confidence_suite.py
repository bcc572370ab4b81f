"""The suite of many soft pairs that are held with confidence."""

from benchmarks.suites import soft_confidence


def test_draws_are_the_same_again_of_the_number_asked_for_and_mostly_right() -> None:
    first, again = (soft_confidence.drawn("iris", 100, 1) for _ in range(2))
    assert (first.soft.pairs == again.soft.pairs).all()
    assert len(first.soft) == 100
    _, classes = soft_confidence.load("iris")
    i, j = first.soft.pairs.T
    assert 80 <= ((classes[i] == classes[j]) == (first.soft.apart > 0.0)).sum() < 100


def test_the_report_has_a_line_a_case() -> None:
    row = dict.fromkeys(soft_confidence.COLUMNS, 0.5) | {"name": "iris/100/0", "outcome": "done"}
    text = soft_confidence.report([row, {"name": "wine/100/0", "outcome": "failed"}], None)
    assert "iris/100/0" in text
    assert "failed or killed: 1" in text
