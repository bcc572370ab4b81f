"""What may not be meant is said, once, to whoever gives points, labels or limits."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pcsos
from pcsos import CertifiedKMeans, Instance, MemeticKMeans
from pcsos.base.events import Event, Notice
from pcsos.problem.notes import notes

LINE = [0.0, 0.0, 1.0, 1.0, 7.0]
PLANE = np.array([[0.0, 0.0], [1.0, 2.0], [5.0, 1.0], [6.0, 3.0]])
DISTANCES = np.abs(np.subtract.outer(np.arange(4.0) ** 2, np.arange(4.0) ** 2))

#: What is given, and what is said about it.
DOUBTFUL: dict[str, tuple[Instance, str]] = {
    "capacity": (
        Instance(PLANE, 2, conditions=[pcsos.Weights(at_most=3.0)]),
        "so that weight_max counts points; give weights, or size_max",
    ),
    "least weight": (
        Instance(PLANE, 2, weights=[1.0] * 4, conditions=[pcsos.Weights(at_least=2)]),
        "so that weight_min counts points",
    ),
    "capacity of products": (
        Instance(pcsos.Gram(PLANE @ PLANE.T), 2, conditions=[pcsos.Weights(at_most=3)]),
        "weight_max counts points",
    ),
    "duplicates": (Instance(LINE, 4), "there are only 3 different points for 4 clusters, so that equal points are in"),
    "zeros": (Instance([0.0, -0.0, 0.0], 2), "there are only 1 different point for 2 clusters"),
    "names": (Instance(PLANE, 4), "each point is a cluster of its own; give fewer clusters, or other labels if these"),
    "distances": (Instance(DISTANCES, 2), "if these are distances, give their squares as distances (--distances FILE"),
    "scales": (Instance(PLANE * [1.0, 99.0], 2), "the feature number 2 has 99.9 % of the variance and decides nearly"),
    "incomes": (Instance(pd.DataFrame(PLANE * [1.0, 99.0], columns=["age", "pay"]), 2), "the feature 'pay' has 99.9 %"),
}

#: What nothing is said about.
PLAIN: dict[str, Instance] = {
    "plane": Instance(PLANE, 3),
    "line": Instance(LINE, 3),
    "point": Instance([[3.0, 4.0]], 1),
    "weights": Instance(PLANE, 2, weights=[1.0, 2.0, 1.0, 1.0], size_max=3, conditions=[pcsos.Weights(at_most=4.0)]),
    "sizes": Instance(PLANE, 2, size_min=2),
    "asymmetric": Instance(np.triu(DISTANCES) + 2.0 * np.tril(DISTANCES), 2),
    "signs": Instance(-DISTANCES, 2),
    "diagonal": Instance(DISTANCES + np.eye(4), 2),
    "two rows": Instance([[0.0, 1.0], [1.0, 0.0]], 1),
    "equal": Instance(np.zeros((3, 3)), 1),
    "squares": Instance(pcsos.Distances(DISTANCES), 2),
    "products": Instance(pcsos.Gram(np.ones((3, 3))), 2),
}


@pytest.mark.parametrize("case", DOUBTFUL)
def test_what_may_not_be_meant_is_one_sentence(case: str) -> None:
    instance, sentence = DOUBTFUL[case]
    (note,) = notes(instance)
    assert sentence in note


@pytest.mark.parametrize("case", PLAIN)
def test_nothing_is_said_of_the_rest(case: str) -> None:
    assert notes(PLAIN[case]) == []


def test_several_things_are_several_sentences() -> None:
    assert len(notes(Instance(np.zeros((3, 2)), 3, conditions=[pcsos.Weights(at_most=1)]))) == 3


@pytest.mark.parametrize("ask", [pcsos.solve, lambda points, _, **more: pcsos.certify(points, [0, 0, 1, 1], **more)])
def test_whoever_gives_points_is_told_in_the_log_or_as_an_event(ask: Any, caplog: pytest.LogCaptureFixture) -> None:
    expected, heard = notes(DOUBTFUL["capacity"][0]), list[Event]()
    ask(DOUBTFUL["capacity"][0], None, workers=1)  # said where the instance was made
    assert not {record.message for record in caplog.records}.intersection(expected)
    caplog.clear()
    for options in (None, pcsos.Options(on_event=heard.append)):
        ask(PLANE, 2, conditions=[pcsos.Weights(at_most=3)], workers=1, options=options)
    assert [record.message for record in caplog.records] == expected
    assert [event.message for event in heard if isinstance(event, Notice)] == expected


def test_labels_that_name_the_points_are_pointed_at(caplog: pytest.LogCaptureFixture) -> None:
    pcsos.certify(PLANE, ["p1", "p2", "p3", "p4"], workers=1)
    assert [record.message for record in caplog.records] == notes(DOUBTFUL["names"][0])


@pytest.mark.parametrize("kind", [CertifiedKMeans, MemeticKMeans])
def test_estimators_warn(kind: Any, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.warns(UserWarning, match="there are only 3 different points for 4 clusters") as caught:
        kind(4, random_state=0).fit(np.array(LINE)[:, None])
    assert (len(caught), caught[0].filename, caplog.records) == (1, __file__, [])
