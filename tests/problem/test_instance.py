import time
from collections import deque
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pcsos.base.exceptions import InputError, PcsosError
from pcsos.problem.instance import Instance

POINTS = np.arange(12.0).reshape(6, 2)


def test_stores_what_it_was_given() -> None:
    instance = Instance(POINTS, 3, [(4, 1)], [(2, 3)], [1, 2, 3, 4, 5, 6])
    assert (instance.n_points, instance.n_features, instance.n_clusters) == (6, 2, 3)
    np.testing.assert_array_equal(instance.points, POINTS)
    np.testing.assert_array_equal(instance.must_link, [[1, 4]])
    np.testing.assert_array_equal(instance.cannot_link, [[2, 3]])
    np.testing.assert_array_equal(instance.weights, [1, 2, 3, 4, 5, 6])


def test_weights_are_one_unless_given() -> None:
    np.testing.assert_array_equal(Instance(POINTS, 1).weights, np.ones(6))
    np.testing.assert_array_equal(Instance(POINTS, 1, weights=None).weights, np.ones(6))  # type: ignore[arg-type]


def test_iterators_are_points_and_weights() -> None:
    instance = Instance(zip([1, 2], [3, 4], strict=True), 1, weights=(w for w in (1, 2)))  # type: ignore[arg-type]
    assert instance.points.tolist() == [[1.0, 3.0], [2.0, 4.0]]
    assert instance.weights.tolist() == [1.0, 2.0]


def test_a_vector_is_points_with_one_feature() -> None:
    assert Instance([3.0, 1.0, 2.0], 2).points.shape == (3, 1)


def test_pairs_are_sorted_and_deduplicated_and_trivial_must_links_dropped() -> None:
    instance = Instance(POINTS, 2, [(5, 0), (0, 5), (2, 2), (0, 5)], [(4, 3), (3, 4)])
    np.testing.assert_array_equal(instance.must_link, [[0, 5]])
    np.testing.assert_array_equal(instance.cannot_link, [[3, 4]])


def test_whole_floats_are_indices() -> None:
    np.testing.assert_array_equal(Instance(POINTS, 2, [(0.0, 5.0)]).must_link, [[0, 5]])


def test_contradictory_constraints_are_not_invalid() -> None:
    assert len(Instance(POINTS, 2, [(0, 1)], [(0, 1)]).cannot_link) == 1


def test_nothing_can_be_changed_afterwards() -> None:
    instance = Instance(POINTS, 2, [(0, 1)], [(2, 3)])
    for name in ("points", "must_link", "cannot_link", "weights"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(instance, name)[0] = 7
    with pytest.raises(AttributeError):
        instance.n_clusters = 3  # type: ignore[misc]


def test_later_changes_of_the_callers_arrays_do_not_reach_the_instance() -> None:
    points, weights = POINTS.copy(), np.ones(6)
    instance = Instance(points, 2, weights=weights)
    points[0, 0] = weights[0] = 99.0
    assert instance.points[0, 0] == 0.0
    assert instance.weights[0] == 1.0


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([[1.0, 2.0], [3.0]], "points must be a rectangular array"),
        ([["a"]], "points must be a rectangular array"),
        ([[1.0 + 2.0j]], "points must be a rectangular array"),
        (np.zeros((2, 2, 2)), "two dimensions"),
        (3.0, "two dimensions"),
        ([], "points are empty"),
        (np.empty((3, 0)), "points are empty"),
        ([[0.0, 1.0], [np.nan, 2.0]], r"points\[1, 0\] is nan"),
        ([[0.0, np.inf]], r"points\[0, 1\] is inf"),
        ([[0.0], [None]], r"points\[1, 0\] is nan"),
        ([[1e200], [0.0]], r"points\[0, 0\] is 1e\+200, too large"),
        ([[1e-200], [0.0]], "too little to be squared"),
        (None, "points is of type NoneType; give an array with one row per point"),
        ({(0.0, 1.0), (2.0, 3.0)}, "points is of type set; give an array"),
        ({"x": [0.0, 1.0]}, "points is of type dict; give an array"),
        ("points.csv", "points is of type str; give an array"),
    ],
)
def test_refuses_points(points: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Instance(points, 1)


def test_sparse_points_are_made_dense() -> None:
    thin = sparse.csr_array([[0.0, 3.0], [1.0, 0.0]])
    assert Instance(thin, 1).points.tolist() == thin.toarray().tolist()


@pytest.mark.parametrize("k", [0, -3, 7, 2.0, True, "2"])
def test_refuses_numbers_of_clusters(k: object) -> None:
    with pytest.raises(InputError, match=f"^n_clusters is {k!r} for 6 points; give a whole number from 1 to"):
        Instance(POINTS, k)  # type: ignore[arg-type]


@pytest.mark.parametrize("k", [1, 6, np.int64(3)])
def test_accepts_every_number_of_clusters_up_to_n(k: int) -> None:
    assert Instance(POINTS, k).n_clusters == k


@pytest.mark.parametrize("name", ["must_link", "cannot_link"])
@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([(0, 6)], r"link\[0\] is \(0, 6\), but point indices go from 0 to 5"),
        ([(0, 1), (-1, 2)], r"link\[1\] is \(-1, 2\)"),
        ([(0, 1, 2)], r"shape \(1, 3\)"),
        ([0, 1], r"shape \(2,\)"),
        ([(0, 1), (2,)], "must be pairs"),
        ([(0.5, 1)], "not whole numbers"),
        ([(0, np.inf)], "not whole numbers"),
        ([(0, np.nan)], "not whole numbers"),
        ([("0", "1")], "has the label '0' where a point index from 0 to 5 belongs"),
        ([(False, True)], "not whole numbers"),
        (np.array([(0, "1")], object), "has the label '1' where a point index"),
        ([(0, 2**70)], r"link\[0\] is \(0, 1180591620717411303424\)"),
        ([{0, 1}, {2, 3}], r"link\[0\] is of type set; give a pair"),
        ({0: 1, 2: 3}, "is of type dict; give pairs"),
        ("01", "is of type str; give pairs"),
        (sparse.csr_array(np.eye(2)), r"is a sparse matrix \(csr_array\); list its entries with numpy.argwhere"),
        (np.ma.array([(0, 1)], mask=[(False, True)]), "has masked values"),
    ],
)
def test_refuses_pairs(name: str, pairs: object, message: str) -> None:
    with pytest.raises(InputError, match=name + ".*" + message.removeprefix("link")):
        Instance(POINTS, 2, **{name: pairs})


#: The pairs (0, 4) and (5, 1), made anew for each test, because some collections can be read only once.
COLLECTIONS: dict[str, Callable[[], object]] = {
    "zip": lambda: zip([0, 5], [4, 1], strict=True),
    "generator": lambda: ((i, j) for i, j in [(0, 4), (5, 1)]),
    "map": lambda: map(tuple, [[0, 4], [5, 1]]),
    "set": lambda: {(0, 4), (5, 1)},
    "frozenset": lambda: frozenset({(4, 0), (1, 5)}),
    "items": {0: 4, 5: 1}.items,
    "values": {"a": (0, 4), "b": (5, 1)}.values,
    "deque": lambda: deque([(0, 4), (5, 1)]),
    "tuples and lists": lambda: ((0, 4), [5, 1]),
    "small integers": lambda: np.array([[0, 4], [5, 1]], np.uint8),
    "objects": lambda: np.array([[0, 4], [5, 1]], object),
    "whole floats": lambda: np.array([[0, 4], [5, 1]], np.float32),
    "data frame": lambda: pd.DataFrame({"i": [0, 5], "j": [4, 1]}),
    "data frame with nullable integers": lambda: pd.DataFrame({"i": [0, 5], "j": [4, 1]}, dtype="Int64"),
}


@pytest.mark.parametrize("name", ["must_link", "cannot_link"])
@pytest.mark.parametrize("kind", COLLECTIONS)
def test_pairs_of_every_kind_of_collection(name: str, kind: str) -> None:
    instance = Instance(POINTS, 2, **{name: COLLECTIONS[kind]()})  # type: ignore[arg-type]
    assert getattr(instance, name).tolist() == [[0, 4], [1, 5]]


@pytest.mark.parametrize("nothing", [None, [], (), np.empty((0, 2)), iter([]), set()])
def test_no_pairs(nothing: object) -> None:
    instance = Instance(POINTS, 2, nothing, nothing)  # type: ignore[arg-type]
    assert instance.must_link.shape == instance.cannot_link.shape == (0, 2)


@pytest.mark.slow
def test_a_million_pairs_are_checked_in_a_moment() -> None:
    n = 100_000
    pairs = np.random.default_rng(0).integers(0, n, (1_000_000, 2))
    points = np.zeros((n, 1))
    begun = time.process_time()
    found = Instance(points, 2, pairs).must_link
    assert time.process_time() - begun < 2.0
    low, high = pairs.min(axis=1), pairs.max(axis=1)
    np.testing.assert_array_equal(found[:, 0] * n + found[:, 1], sorted({*(low * n + high)[low < high].tolist()}))


def test_refuses_a_point_that_cannot_be_linked_to_itself() -> None:
    with pytest.raises(InputError, match=r"cannot_link\[1\] links point 3 to itself"):
        Instance(POINTS, 2, cannot_link=[(0, 1), (3, 3)])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0] * 5, "there are 6 points"),
        ([1.0] * 5 + [0.0], r"weights\[5\] is 0.0"),
        ([1.0] * 5 + [-1.0], r"weights\[5\] is -1.0"),
        ([np.nan] + [1.0] * 5, r"weights\[0\] is nan"),
        ([np.inf] + [1.0] * 5, r"weights\[0\] is inf"),
        (["a"] * 6, "weights must be numbers"),
        (["1"] * 6, "weights must be numbers: they are <U1"),
        (np.full(6, 1j), "weights must be numbers: they are complex"),
        (dict.fromkeys(range(6), 1.0), "weights is of type dict; give one positive number per point"),
        ({1.0, 2.0}, "weights is of type set"),
        (sparse.coo_array(np.ones((6, 1))), r"weights is a sparse matrix \(coo_array\)"),
        (np.ma.array(np.ones(6), mask=[1, 0, 0, 0, 0, 0]), "weights has masked values"),
    ],
)
def test_refuses_weights(weights: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Instance(POINTS, 2, weights=weights)


@pytest.mark.parametrize("scale", [1e-130, 1e130])
def test_refuses_weights_that_take_costs_out_of_range(scale: float) -> None:
    with pytest.raises(InputError, match=r"too (large|little) for double precision"):
        Instance(POINTS * scale, 2, weights=np.full(6, scale))


def test_bad_input_is_a_pcsos_error_and_a_value_error() -> None:
    with pytest.raises(PcsosError):
        Instance([], 1)
    with pytest.raises(ValueError, match="empty"):
        Instance([], 1)


@pytest.mark.parametrize(
    "points",
    [
        np.ma.array([[0.0], [1.0]], mask=[[0], [1]]),
        np.array([["2020-01-01"], ["NaT"]], "M8[D]"),
        np.array([[1], [2]], "m8[s]"),
        [["1"], ["2"]],
        [[10**400], [1]],
    ],
)
def test_what_only_looks_like_numbers_is_refused(points: object) -> None:
    with pytest.raises(InputError, match="real numbers"):
        Instance(points, 1)  # type: ignore[arg-type]
