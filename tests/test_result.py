import dataclasses
import io
import json
import re
import sys
from pathlib import Path

import matplotlib.figure
import matplotlib.pyplot
import numpy as np
import pandas
import pytest

import pcsos
from pcsos.base.exceptions import InputError
from pcsos.evidence.result import Reason, Result, Status
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition
from tests.conftest import LINE_OPTIMUM

KEYS = {
    *("status", "reason", "objective", "lower_bound", "gap", "n_points", "n_features", "n_clusters"),
    *("n_super_points", "n_must_link", "n_cannot_link", "nodes", "root_lower_bound", "root_gap"),
    *("root_seconds", "seconds", "seed", "version", "labels"),
    *("n_soft_pairs", "limits", "penalty", "violated"),
}


@pytest.fixture
def result(line: Instance) -> Result:
    return Result(
        line, Status.OPTIMAL, Reason.GAP_REACHED, Partition.of(line, [0, 0, 1, 1, 1]),
        lower_bound=LINE_OPTIMUM * (1 - 1e-5), root_lower_bound=LINE_OPTIMUM * (1 - 1e-3), n_super_points=3,
        seconds=0.25, seed=0, nodes=1,
    )  # fmt: skip


def test_labels_objective_and_gaps_come_from_partition_and_bounds(result: Result) -> None:
    np.testing.assert_array_equal(result.labels, [0, 0, 1, 1, 1])
    assert result.objective == pytest.approx(LINE_OPTIMUM)
    assert result.gap == pytest.approx(1e-5)
    assert result.root_gap == pytest.approx(1e-3)


def test_broken_soft_pairs_are_listed_and_paid_for(result: Result) -> None:
    instance = Instance(
        [0.0, 2.0, 3.0, 9.0, 11.0],
        2,
        size_max=3,
        conditions=[pcsos.SoftPairs(must_link=[(1, 2, 0.5), (0, 1, 9.0)], cannot_link=[(3, 4)], penalty=2.75)],
    )
    own = dataclasses.replace(result, instance=instance, partition=Partition.of(instance, [0, 0, 1, 1, 1]))
    assert own.penalty == 3.25
    assert own.objective == pytest.approx(LINE_OPTIMUM + 3.25)
    assert [tuple(pair) for pair in own.violated] == [(3, 4, "cannot_link", 2.75), (1, 2, "must_link", 0.5)]
    assert own.figures()["penalties"] == "3.25 for 2 of 3 soft pairs"
    stored = json.loads(json.dumps(own.to_dict()))
    assert (stored["penalty"], stored["n_soft_pairs"], stored["limits"]) == (3.25, 3, {"size_max": 3})
    assert stored["violated"][0] == {"i": 3, "j": 4, "kind": "cannot_link", "penalty": 2.75}


def test_without_soft_pairs_nothing_is_paid_or_said(result: Result) -> None:
    assert (result.penalty, result.violated) == (0.0, [])
    assert "penalties" not in result.figures()
    nothing = dataclasses.replace(result, partition=None)
    assert (nothing.penalty, nothing.violated, nothing.to_dict()["violated"]) == (None, None, None)


def test_what_is_not_known_is_none(result: Result) -> None:
    unknown = dataclasses.replace(
        result, partition=None, lower_bound=None, root_lower_bound=None, status=Status.UNKNOWN
    )
    assert (unknown.labels, unknown.objective, unknown.gap, unknown.root_gap) == (None, None, None, None)
    assert dataclasses.replace(result, lower_bound=None).gap is None


def test_the_dictionary_is_json_with_the_documented_keys(result: Result) -> None:
    stored = json.loads(json.dumps(result.to_dict()))
    assert set(stored) >= KEYS
    assert stored["status"] == "OPTIMAL"
    assert stored["labels"] == [0, 0, 1, 1, 1]
    assert stored["gap"] == result.gap


def test_a_result_keeps_its_instance_but_does_not_show_it(line: Instance, result: Result) -> None:
    assert result.instance is line
    assert "Instance" not in repr(result)
    assert "instance" not in result.to_dict()


class TestShown:
    def test_print_reads_like_the_summary_of_the_command_line(self, result: Result) -> None:
        assert str(result).splitlines() == [
            "status       OPTIMAL (GAP_REACHED)",
            "objective    36.66666667",
            "lower bound  36.6663",
            "gap          0.001000 %",
            "clusters     2 of 2 and 3 points",
            "nodes        1",
            "time         0.25 s",
        ]

    def test_an_infeasible_one_says_why(self) -> None:
        result = pcsos.solve([0.0, 1.0, 5.0], 2, must_link=[(0, 1)], cannot_link=[(0, 1)], workers=1)
        status, _, why = str(result).splitlines()
        assert (status, why) == ("status       INFEASIBLE", f"why          {result.message}")

    def test_limited_weights_of_clusters_are_shown(self) -> None:
        weights = {"weights": [1.0, 2.0, 3.0, 4.5], "workers": 1}
        limited = pcsos.solve([0.0, 1.0, 5.0, 6.0], 2, conditions=[pcsos.Weights(at_most=8.0)], **weights)
        assert "loads        3, 7.5\n" in str(limited)
        assert "loads" not in str(pcsos.solve([0.0, 1.0, 5.0, 6.0], 2, size_max=3, **weights))

    def test_a_certificate_tells_of_its_blocks_and_of_a_better_partition(self) -> None:
        result = pcsos.certify([0.0, 1.0, 5.0, 6.0], [1, 1, 1, 2], workers=1)
        lines = str(result).splitlines()
        better = next(line for line in lines if line.startswith("better"))
        assert re.fullmatch(r"better       1 \(other labels, at most [\de.-]+ % above the optimum\)", better)
        assert any(line.startswith("blocks") for line in lines)
        assert not any(line.startswith("nodes") for line in lines)

    def test_no_representation_dumps_labels_or_points(self, line: Instance, result: Result) -> None:
        assert repr(result) == (
            f"Result(OPTIMAL, GAP_REACHED, objective={result.objective}, lower_bound={result.lower_bound}, "
            f"gap={result.gap})"
        )
        assert repr(result.partition) == f"Partition(objective={result.objective})"
        assert repr(line) == "Instance(n_points=5, n_features=1, n_clusters=2: 1 must-links, 1 cannot-links)"

    def test_a_notebook_shows_a_table_in_which_text_stays_text(self, result: Result) -> None:
        html = dataclasses.replace(result, message="a < b")._repr_html_()
        assert html.count("<tr>") == 8
        assert "a &lt; b" in html
        assert "36.66666667" in html

    def test_a_plot_takes_axes_and_returns_them(self, result: Result, line: Instance) -> None:
        figure = matplotlib.figure.Figure()
        axes = figure.add_subplot()
        known = dataclasses.replace(result, instance=line)
        assert known.plot(axes) is axes
        drawn = [marks.get_offsets() for marks in axes.collections]
        assert sorted(np.concatenate(drawn)[:, 0].tolist()) == line.points[:, 0].tolist()
        assert {text.get_text() for text in axes.get_legend().get_texts()} == {
            *("must-link", "cannot-link", "cluster 0", "cluster 1"),
        }
        assert "OPTIMAL: sum of squares 36.6667, gap 0.001 %" in axes.get_title()

    def test_a_plot_makes_axes_where_none_are_given(self) -> None:
        with matplotlib.rc_context({"backend": "agg"}):
            axes = pcsos.solve([[0.0, 1.0, 2.0], [1.0, 1.0, 5.0], [7.0, 0.0, 0.0]], 1, workers=1).plot()
            assert axes.get_xlabel().startswith("principal component 1")
            matplotlib.pyplot.close(axes.figure)

    def test_dollars_in_names_of_features_are_no_formulas(self) -> None:
        figure = matplotlib.figure.Figure()
        names = ["price $} and cost $", "x_1 $^$"]
        points = pandas.DataFrame([[0.0, 1.0], [1.0, 5.0]], columns=names)
        axes = pcsos.solve(points, 1, workers=1).plot(figure.add_subplot())
        figure.savefig(io.BytesIO())
        assert [axes.get_xlabel(), axes.get_ylabel()] == names

    def test_an_infeasible_instance_can_be_plotted(self) -> None:
        axes = matplotlib.figure.Figure().add_subplot()
        pcsos.solve([0.0, 1.0], 1, cannot_link=[(0, 1)], workers=1).plot(axes)
        assert axes.get_title() == "INFEASIBLE"


class TestClusters:
    def test_centres_are_weighted_means_in_the_units_of_the_points(self) -> None:
        points = [[0.0, 10.0], [100.0, 0.0], [4.0, 30.0], [100.0, 2.0]]
        result = pcsos.solve(points, 2, weights=[3.0, 1.0, 1.0, 1.0], workers=1)
        np.testing.assert_array_equal(result.centers, [[1.0, 15.0], [100.0, 1.0]])
        np.testing.assert_array_equal(result.sizes, [2, 2])

    def test_centres_of_equal_points_are_the_points(self) -> None:
        result = pcsos.solve([0.1] * 7 + [1e17] * 3, 2, weights=[0.3] * 10, workers=1)
        np.testing.assert_array_equal(result.centers, [[0.1], [1e17]])
        np.testing.assert_array_equal(result.sizes, [7, 3])

    def test_inner_products_have_no_centres_but_distances_to_them(self) -> None:
        points = np.random.default_rng(3).normal(size=(20, 3))
        weights = np.random.default_rng(4).uniform(0.1, 9.0, 20)
        own = pcsos.solve(points, 2, weights=weights, workers=1)
        for place in (pcsos.Gram(points @ points.T), pcsos.Kernel(points, "linear")):
            result = pcsos.solve(place, 2, weights=weights, workers=1)
            assert own.centers.shape == (2, 3)
            assert result.centers is None
            np.testing.assert_array_equal(result.labels, own.labels)
            pytest.importorskip("pandas")
            np.testing.assert_allclose(result.to_frame()["distance"], own.to_frame()["distance"], rtol=1e-6)

    def test_distances_add_up_to_the_objective(self) -> None:
        points = np.random.default_rng(0).normal(size=(40, 3))
        weights = np.random.default_rng(1).uniform(0.1, 9.0, 40)
        result = pcsos.solve(points, 3, weights=weights, workers=1, options=pcsos.Options(node_limit=1))
        table = result.to_frame()
        assert list(table.columns) == ["label", "distance"]
        assert (table.index.name, len(table)) == ("point", 40)
        assert weights @ table["distance"] ** 2 == pytest.approx(result.objective, rel=1e-12)
        np.testing.assert_array_equal(table["label"], result.labels)
        np.testing.assert_array_equal(table.groupby("label").size(), result.sizes)

    def test_a_table_joins_the_one_that_the_points_came_from(self) -> None:
        given = pandas.DataFrame({"x": [0.0, 1.0, 5.0]}, index=["ash", "beech", "cedar"])
        joined = given.join(pcsos.solve(given, 2, workers=1).to_frame(index=given.index))
        assert joined["label"].to_dict() == {"ash": 0, "beech": 0, "cedar": 1}

    def test_an_index_that_does_not_fit_is_refused(self) -> None:
        with pytest.raises(InputError, match="index has 2 entries for 3 points"):
            pcsos.solve([0.0, 1.0, 5.0], 2, workers=1).to_frame(index=["a", "b"])

    def test_without_a_partition_there_are_no_clusters(self) -> None:
        result = pcsos.solve([0.0, 1.0], 1, cannot_link=[(0, 1)], workers=1)
        assert (result.centers, result.sizes) == (None, None)
        with pytest.raises(InputError, match="the status is INFEASIBLE"):
            result.to_frame()

    def test_without_pandas_a_sentence_says_so(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "pandas", None)
        with pytest.raises(InputError, match="needs pandas"):
            pcsos.solve([0.0, 1.0, 5.0], 2, workers=1).to_frame()

    def test_a_certificate_shows_the_labels_given(self) -> None:
        result = pcsos.certify([0.0, 1.0, 5.0, 6.0, 7.0], ["a", "a", "a", "a", "b"], workers=1)
        np.testing.assert_array_equal(result.centers, [[3.0], [7.0]])
        np.testing.assert_array_equal(result.sizes, [4, 1])

    def test_a_finished_run_has_its_points(self, tmp_path: Path) -> None:
        first = pcsos.solve([0.0, 1.0, 5.0], 2, run_file=tmp_path / "a.run", workers=1)
        np.testing.assert_array_equal(pcsos.resume(tmp_path / "a.run").centers, first.centers)


@pytest.mark.parametrize("value", [1e200, -1e141])
def test_points_and_centres_too_large_to_be_squared_are_refused(value: float) -> None:
    result = pcsos.solve([0.0, 1.0, 5.0], 2, workers=1)
    with pytest.raises(InputError, match=r"^points\[1, 0\] is .*, too large to be squared; divide the data"):
        result.predict([[0.0], [value]])
    with pytest.raises(InputError, match=r"^match_to\[0, 0\] is .*, too large to be squared"):
        result.matched_to([[value], [0.0]])
