import numpy as np
import pandas as pd
import pytest

from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.estimators.samples import checked_classes, constraints_on_rows, pairs_of_classes
from pcsos.problem.conditions.pairs import Constraints, connected_components
from pcsos.problem.validation.names import row_labels


class TestClasses:
    def test_few_pairs_say_which_samples_are_together_and_which_apart(self) -> None:
        rng = np.random.default_rng(0)
        classes = rng.choice([-1, 4, 7, 9], 60)
        together, apart = pairs_of_classes(classes, 3)
        known = np.flatnonzero(classes != -1)
        assert (len(together), len(apart)) == (len(known) - 3, 3)
        groups = connected_components(60, together)
        cannot = {frozenset(pair) for pair in groups[apart].tolist()}
        for i in known:
            for j in known:
                if classes[i] == classes[j]:
                    assert groups[i] == groups[j]
                else:
                    assert {groups[i], groups[j]} in cannot
        assert len(np.unique(groups)) == 60 - len(together)

    @pytest.mark.parametrize("classes", [[-1, -1, -1], [-1, 5, -1]])
    def test_unknown_classes_and_a_single_sample_say_nothing(self, classes: list[int]) -> None:
        together, apart = pairs_of_classes(np.array(classes), 1)
        assert (together.shape, apart.shape) == ((0, 2), (0, 2))

    def test_more_classes_than_clusters_are_refused_before_their_pairs_are_listed(self) -> None:
        with pytest.raises(InfeasibleError, match="have 100000 classes, which cannot be apart in 3 clusters") as caught:
            pairs_of_classes(np.arange(100_000), 3)
        assert caught.value.witness["kind"] == "clique"

    @pytest.mark.parametrize(
        "given", [[3, -1, 3], (3.0, -1.0, 3.0), pd.Series([3, -1, 3], dtype="Int64"), np.array([3, -1, 3], object)]
    )
    def test_classes_are_whole_numbers_of_any_kind(self, given: object) -> None:
        assert checked_classes(given, 3).tolist() == [3, -1, 3]  # type: ignore[arg-type]

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ([0, 1], r"has shape \(2,\) but there are 3 samples"),
            ([0, 0.5, 1], r"partial_labels\[1\] is 0.5"),
            ([0, np.nan, 1], r"partial_labels\[1\] is nan"),
            (["a", "b", "c"], "must be whole numbers"),
            (pd.Series([0, None, 1], dtype="Int64"), r"partial_labels\[1\] is nan"),
            ("abc", "partial_labels is of type str"),
        ],
    )
    def test_anything_else_is_refused(self, given: object, message: str) -> None:
        with pytest.raises(InputError, match=message + ".*-1 where the class is not known"):
            checked_classes(given, 3)  # type: ignore[arg-type]


class TestRows:
    def test_rows_of_arrays_and_of_tables_without_an_index_of_their_own_are_called_by_position(self) -> None:
        assert row_labels([[1.0], [2.0]]) is None
        assert row_labels(np.eye(2)) is None
        assert row_labels(pd.DataFrame(np.eye(2))) is None
        assert row_labels(pd.DataFrame(np.eye(2), index=[0, 2])) == [0, 2]

    @pytest.mark.parametrize(
        "pairs",
        [
            [("c", "a")],
            {("c", "a")},
            zip(["c"], ["a"], strict=True),
            np.array([["c", "a"]]),
            pd.DataFrame({"from": ["c"], "to": ["a"]}),
        ],
    )
    def test_pairs_of_any_kind_name_labels(self, pairs: object) -> None:
        found = constraints_on_rows(pairs, None, 3, ["a", "b", "c"])  # type: ignore[arg-type]
        assert found.must_link.tolist() == [[0, 2]]

    def test_whole_numbers_name_labels_too(self) -> None:
        found = constraints_on_rows((), np.array([[30, 10]]), 3, [30, 20, 10])
        assert found.cannot_link.tolist() == [[0, 2]]

    def test_pairs_of_rows_that_are_not_there_are_left_out_with_a_warning(self) -> None:
        with pytest.warns(UserWarning, match="must_link has 2 of 3 pairs .* such as 'z'; they are left out"):
            found = constraints_on_rows([("a", "z"), ("a", "b"), ("y", "a")], (), 3, ["a", "b", "c"])
        assert found.must_link.tolist() == [[0, 1]]

    @pytest.mark.parametrize("pair", ["ab", ("a",), ("a", "b", "c"), 5, (["a"], "b")])
    def test_what_is_no_pair_of_labels_is_refused(self, pair: object) -> None:
        with pytest.raises(InputError, match=r"must_link\[1\] is .*; give a pair of labels of the index"):
            constraints_on_rows([("a", "b"), pair], (), 3, ["a", "b", "c"])  # type: ignore[list-item]

    @pytest.mark.parametrize("pairs", [5, np.array(5), "ab", {"a": "b"}])
    def test_what_is_no_collection_of_pairs_is_refused(self, pairs: object) -> None:
        with pytest.raises(InputError, match=r"cannot_link is .*; give pairs of labels of the index"):
            constraints_on_rows((), pairs, 3, ["a", "b", "c"])  # type: ignore[arg-type]

    def test_an_index_with_a_label_twice_cannot_name_rows(self) -> None:
        with pytest.raises(InputError, match="labels that occur twice"):
            constraints_on_rows([("a", "b")], (), 3, ["a", "b", "a"])
        assert isinstance(constraints_on_rows((), None, 3, ["a", "b", "a"]), Constraints)
