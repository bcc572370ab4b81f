"""What Matplotlib draws of a result."""

import io

import matplotlib as mpl
import matplotlib.colors
import matplotlib.figure
import numpy as np
import pytest
from matplotlib.axes import Axes

import pcsos
from pcsos.evidence.result import Reason, Result, Status
from pcsos.problem.generate import gaussian_mixture
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition
from pcsos.report.plane import colour


@pytest.fixture
def axes() -> Axes:
    return mpl.figure.Figure(figsize=(6.4, 4.8), dpi=96).add_subplot()


def test_marks_are_as_large_as_weights(axes: Axes) -> None:
    points = [[0.0, 0.0], [1.0, 0.0], [9.0, 9.0]]
    pcsos.solve(points, 2, weights=[1.0, 3.0, 2.0], workers=1).plot(axes)
    first, second = (marks.get_sizes() for marks in axes.collections)
    assert first[1] == pytest.approx(3.0 * first[0])
    assert second[0] == pytest.approx(2.0 * first[0])
    in_legend = [handle.get_sizes().tolist() for handle in axes.get_legend().legend_handles]
    assert in_legend[0] == in_legend[1]


def test_the_contradiction_is_drawn_bold_and_its_points_are_named(axes: Axes) -> None:
    points = [[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [5.0, 5.0]]
    pcsos.solve(points, 2, must_link=[(0, 1), (1, 2), (2, 3)], cannot_link=[(0, 2)], workers=1).plot(axes)
    lines = {line.get_label(): line for line in axes.lines}
    bold = lines["must-link of the contradiction"]
    ends = np.array(bold.get_xydata()).reshape(-1, 3, 2)[:, :2]  # each pair ends with a break
    np.testing.assert_array_equal(ends, np.array(points)[[[0, 1], [1, 2]]])
    assert bold.get_linewidth() > lines["must-link"].get_linewidth()
    assert lines["cannot-link of the contradiction"].get_linestyle() == "--"
    assert [text.get_text() for text in axes.texts] == ["0", "1", "2"]


def test_many_pairs_are_faint(axes: Axes) -> None:
    points, labels = gaussian_mixture(40, 2, 2, separation=10.0, seed=1)
    pair = np.flatnonzero(labels == labels[0])[:2]
    pcsos.solve(points, 2, must_link=[pair], workers=1, conditions=[pcsos.Diameter(6.0)]).plot(axes)
    must, cannot = axes.lines
    assert must.get_alpha() == 1.0
    assert cannot.get_alpha() < 1.0


def test_each_of_many_clusters_can_be_seen(axes: Axes) -> None:
    labels = np.arange(20_004) % 6  # the sixth is drawn as crosses
    points = 10.0 * np.column_stack([labels % 3, labels // 3]) + np.random.default_rng(0).normal(size=(20_004, 2))
    instance = Instance(points, 6)
    result = Result(instance, Status.FEASIBLE, Reason.TIME_LIMIT, Partition.of(instance, labels), seconds=1.0, seed=0)
    assert all(marks.get_rasterized() for marks in result.plot(axes).collections)
    axes.get_legend().remove()
    axes.figure.savefig(picture := io.BytesIO(), format="rgba")
    shades = np.frombuffer(picture.getvalue(), np.uint8).reshape(-1, 4)[:, :3].astype(float)
    for cluster in range(6):
        own = 255.0 * np.array(mpl.colors.to_rgb(colour(cluster)))
        assert (np.abs(shades - own).max(axis=1) < 40.0).sum() > 1000, cluster


def test_a_gap_that_is_hardly_one_is_said_to_be_small(axes: Axes) -> None:
    pcsos.solve([[0.0, 1.0], [1.0, 0.0], [5.0, 5.0]], 2, workers=1).plot(axes)
    assert axes.get_title() == "OPTIMAL: sum of squares 1, gap below 0.001 %"
