"""The suite of soft pairs beside PCKM."""

import numpy as np

from benchmarks.suites import soft_optimum


def test_draws_are_the_same_again_and_say_mostly_what_classes_say() -> None:
    classes = np.repeat([0, 1, 2], 50)
    must, cannot = soft_optimum.drawn_pairs(classes, 1)
    assert len(must) + len(cannot) == soft_optimum.N_PAIRS
    right = (classes[must[:, 0]] == classes[must[:, 1]]).sum() + (classes[cannot[:, 0]] != classes[cannot[:, 1]]).sum()
    assert 22 <= right < 30
    np.testing.assert_array_equal(soft_optimum.drawn_pairs(classes, 1)[0], must)


def test_the_report_has_a_line_a_case() -> None:
    row = dict.fromkeys(soft_optimum.COLUMNS, 0.5) | {"name": "iris/0", "outcome": "done"}
    text = soft_optimum.report([row, {"name": "wine/0", "outcome": "failed"}], None)
    assert "iris/0" in text
    assert "failed or killed: 1" in text
