"""Tables of pandas and other plausible input: what names or orders points and features otherwise is refused."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pcsos
from pcsos import Instance
from pcsos.analysis.active import ActiveSession, SideBySide
from pcsos.base.exceptions import InputError
from pcsos.clusterers import ConnectedKMeans, KMeans
from pcsos.clusterers.selection import Protocol, held_out_scores, pairwise_f, signed_ranks, sparsity_grid
from pcsos.io import read_points
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.params import MemeticParams, Params

TABLE = pd.DataFrame({"h": [0.0, 1, 100, 101], "w": [5.0, 5, 6, 6]}, index=pd.Index([*"abcd"], name="who"))
SWAPPED = TABLE[["w", "h"]]
PATH_GRAPH = pd.DataFrame(np.eye(4, k=1) + np.eye(4, k=-1), index=TABLE.index, columns=[*"abcd"])


@pytest.fixture(scope="module")
def result() -> pcsos.Result:
    return pcsos.solve(TABLE, 2, workers=1)


class TestColumns:
    def test_of_points_to_predict(self, result: pcsos.Result) -> None:
        assert result.predict(TABLE).tolist() == [0, 0, 1, 1]
        assert result.predict(TABLE.to_numpy()).tolist() == [0, 0, 1, 1]
        for other in (SWAPPED, TABLE.rename(columns={"w": "x"}), TABLE.assign(z=1.0)):
            with pytest.raises(InputError, match=r"points have the columns .*, but the features are h, w; give"):
                result.predict(other)

    def test_of_centres(self, result: pcsos.Result) -> None:
        centres = pd.DataFrame(result.centers, columns=["h", "w"])
        assert result.matched_to(centres).labels.tolist() == [0, 0, 1, 1]
        assert pcsos.solve(TABLE, 2, workers=1, start=centres).objective == result.objective
        with pytest.raises(InputError, match="match_to have the columns w, h, but the features are h, w"):
            result.matched_to(centres[["w", "h"]])
        with pytest.raises(InputError, match="centres have the columns w, h"):
            pcsos.solve(TABLE, 2, workers=1, start=centres[["w", "h"]])

    @pytest.mark.slow
    def test_of_a_graph(self) -> None:
        assert ConnectedKMeans(2).fit(TABLE, connectivity=PATH_GRAPH).labels_.tolist() == [0, 0, 1, 1]
        with pytest.raises(InputError, match="connectivity has other columns than rows"):
            ConnectedKMeans(2).fit(TABLE, connectivity=PATH_GRAPH[[*"badc"]])


class TestIndex:
    def test_of_earlier_labels(self, result: pcsos.Result) -> None:
        assert result.matched_to(pd.Series([1, 0], index=["a", "d"])).labels.tolist() == [1, 1, 0, 0]
        with pytest.raises(InputError, match="match_to names none of the points in its index"):
            result.matched_to(pd.Series([1, 0], index=["x", "y"]))
        with pytest.raises(InputError, match="match_to has a point twice in its index"):
            result.matched_to(pd.Series([1, 0], index=["a", "a"]))

    def test_of_what_is_shown(self) -> None:
        instance, known = Instance(TABLE, 2), pd.DataFrame({"name": ["Ann", "Bo", "Cy", "Di"]}, index=TABLE.index)
        assert "Ann" in SideBySide(instance, shown=known, originals=TABLE)(0, 1)
        for given in ({"shown": known[::-1]}, {"originals": TABLE[::-1]}, {"shown": {"name": known["name"][::-1]}}):
            arguments: dict[str, Any] = given
            with pytest.raises(InputError, match="have another index than the points"):
                SideBySide(instance, **arguments)
        plain = Instance(TABLE.to_numpy(), 2)
        assert "Ann" in SideBySide(plain, shown=known)(0, 1)
        with pytest.raises(InputError, match="have another index"):
            SideBySide(plain, shown={"name": pd.Series([*"wxyz"], index=[3, 2, 1, 0])})

    def test_of_classes(self) -> None:
        protocol, points = Protocol(n_folds=2, n_repeats=1), pd.concat([TABLE, TABLE + 1.0], ignore_index=True)
        classes = pd.Series([0, 0, 1, 1] * 2)
        assert held_out_scores([KMeans(2, random_state=0)], points, classes, protocol).shape == (2, 1)
        for y, message in (
            (classes[::-1], "y have another index"),
            (classes.where(classes > 0), r"y\[0\] is not finite"),
            (classes[:4], "another index"),
        ):
            with pytest.raises(InputError, match=message):
                held_out_scores([KMeans(2)], points, y, protocol)
        with pytest.raises(InputError, match="models is one estimator"):
            held_out_scores(KMeans(2), points, classes, protocol)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="no class has more than 4 samples"):
            held_out_scores([KMeans(2)], points, classes)

    def test_of_several_levels(self) -> None:
        index = pd.MultiIndex.from_product([["x", "y"], [1, 2]], names=["kind", "number"])
        solved = pcsos.solve(TABLE.set_axis(index), 2, workers=1)
        assert solved.to_frame().index.equals(index)
        wrong: list[Any] = [5, "abcd", TABLE]
        for given in wrong:
            with pytest.raises(InputError, match=r"index has .* dimensions; give one entry per point"):
                solved.to_frame(index=given)


def test_paths_and_fronts_are_gone_through(result: pcsos.Result) -> None:
    path = pcsos.path([0.0, 1.0, 5.0, 6.0], range(1, 4), workers=1)
    assert [own.n_clusters for own in path] == [1, 2, 3]
    assert (2 in path, 4 in path) == (True, False)
    front = pcsos.front([0.0, 4.0, 5.0, 11.0, 12.0, 16.0], 2, "diameter", workers=1)
    assert [*front] == [*front.corners]
    assert front[0] is front.corners[0]


@pytest.mark.parametrize("pair", [(0.7, 3.2), "05", ("0", "2"), (True, 2), {0, 2}, {0: 1, 2: 3}, (float("inf"), 2), 5])
def test_a_pair_is_two_indices(pair: Any) -> None:
    session = ActiveSession(TABLE.to_numpy(), 2)
    with pytest.raises(InputError, match=r"pair is .*; give two point indices such as"):
        session.tell(pair, True)
    session.tell(np.array([0, 1]), True)


def test_labels_that_constraints_are_held_against() -> None:
    constraints = Constraints(4, [(0, 1)], [(1, 2)])
    assert constraints.violation([0, 0, 1, 1]) is None
    wrong: list[Any] = [[0, 0], TABLE, None, np.ma.masked_array([0, 0, 1, 1], mask=[0, 1, 0, 0])]
    for labels in wrong:
        with pytest.raises(InputError, match=r"labels have shape .*; give one label for 4 points"):
            constraints.violation(labels)


def test_numbers_of_numpy_are_parameters() -> None:
    params = Params(memetic=MemeticParams(population=np.int64(20)))  # type: ignore[arg-type]
    assert type(params.memetic.population) is int
    with pytest.raises(InputError, match="whole number"):
        MemeticParams(population=np.float64(2.5))  # type: ignore[arg-type]


def test_scores_of_a_wrong_kind() -> None:
    wrong: list[tuple[Any, Any]] = [(None, None), ([0, 1], [0]), ([[0]], [[0]])]
    for classes, labels in wrong:
        with pytest.raises(InputError, match="classes and labels have the shapes"):
            pairwise_f(classes, labels)
    for first, second in (([0.1, 0.2], [0.1]), ([0.1, np.nan], [0.1, 0.2])):
        with pytest.raises(InputError, match="give one mean score per condition and method"):
            signed_ranks(first, second)
    with pytest.raises(InputError, match="n_features is -1"):
        sparsity_grid(-1)
    with pytest.raises(InputError, match="step is 0"):
        sparsity_grid(4, 0)
    shares: list[Any] = ["a", None, 1.5]
    for share in shares:
        with pytest.raises(InputError, match=r"share is .*; give a share of the pairs from 0 to 1"):
            Protocol(share=share)


def test_columns_that_are_left_out(tmp_path: Any) -> None:
    path = tmp_path / "points.csv"
    path.write_text("x,y,z\n1,2,3\n4,5,7\n")
    numbers: list[Any] = [2]
    assert read_points(path, ignore=numbers).tolist() == [[1.0, 3.0], [4.0, 7.0]]
    with pytest.raises(InputError, match=r"ignore is the text 'x'; give a list of columns, such as \['x'\]"):
        read_points(path, ignore="x")


def test_an_executor_that_is_none() -> None:
    none: Any = 5
    with pytest.raises(InputError, match="executor is 5; give an executor"):
        pcsos.solve(TABLE, 2, options=pcsos.Options(executor=none))
