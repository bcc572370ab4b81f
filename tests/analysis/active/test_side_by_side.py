"""Two points side by side: features and what else is known, with differences in standard deviations."""

import numpy as np
import pytest

from pcsos.analysis.active import SideBySide
from pcsos.analysis.active.side_by_side import MOST_FEATURES, Row
from pcsos.base.exceptions import InputError
from pcsos.problem.instance import Instance

INSTANCE = Instance([[-1.0, 5.0], [1.0, 5.0]], 2, feature_names=("age", "size"))


def test_what_else_is_known_comes_first_and_as_it_was_given() -> None:
    show = SideBySide(INSTANCE, shown={"town": ["Bonn", "Rome"], "born": np.array([1960, 1980])})
    assert [(row.name, row.values) for row in show.rows(0, 1)] == [
        ("town", ("Bonn", "Rome")), ("born", ("1960", "1980")), ("age", ("-1", "1")), ("size", ("5", "5")),
    ]  # fmt: skip
    assert show(0, 1).splitlines() == [
        "point     0     1",
        "town   Bonn  Rome",
        "born   1960  1980  ***  by 2 standard deviations",
        "age      -1     1  ***  by 2 standard deviations",
        "size      5     5  =",
    ]


def test_scaled_features_are_shown_as_they_were() -> None:
    originals = np.array([[34.0, 170.0], [51.0, 170.0]])
    rows = SideBySide(INSTANCE, originals=originals).rows(0, 1)
    assert [(row.name, row.values, row.apart) for row in rows] == [
        ("age", ("34", "51"), 2.0),
        ("size", ("170", "170"), 0.0),
    ]


def test_texts_are_the_same_or_not_and_have_no_size_of_a_difference() -> None:
    other, same = SideBySide(INSTANCE, shown={"a": ["x", "y"], "b": ["x", "x"]}).rows(0, 1)[:2]
    assert (other.is_same, other.apart, other.num_marks, other.difference) == (False, None, 0, "")
    assert (same.is_same, same.difference) == (True, "the same")


def test_a_column_with_a_gap_is_text() -> None:
    row = SideBySide(INSTANCE, shown={"income": ["", "20"]}).rows(0, 1)[0]
    assert (row.values, row.apart) == (("", "20"), None)


def test_one_is_singular() -> None:
    rows = SideBySide(Instance([[-1.0, 0.0], [1.0, 0.0], [-1.0, 4.0], [1.0, 4.0]], 2), shown={"x": [1, 2, 3, 3.236]})
    assert [row.difference for row in rows.rows(0, 3)] == [
        "2.5 standard deviations", "2 standard deviations", "2 standard deviations",
    ]  # fmt: skip
    assert Row("x", ("0", "1"), 1.0).difference == "1 standard deviation"


def test_whole_numbers_keep_their_digits() -> None:
    rows = SideBySide(Instance([[20231231.0, 0.1234567], [20231232.0, 1e100]], 2)).rows(0, 1)
    assert [row.values for row in rows] == [("20231231", "20231232"), ("0.123457", "1e+100")]


def test_long_texts_go_on_below_and_cannot_forge_a_line() -> None:
    shown = {"note": ["words " * 20, "a\nage  0  0  ="]}
    lines = SideBySide(INSTANCE, shown=shown)(0, 1).splitlines()
    assert len(max(lines, key=len)) < 110
    assert " ".join(lines).count("words") == 20
    assert sum(line.startswith("age") for line in lines) == 1


def test_of_many_features_those_that_differ_most_are_shown() -> None:
    points = np.zeros((2, MOST_FEATURES + 3))
    points[1, 5:] = 1.0
    points[:, 0] = [0.0, 4.0]
    show = SideBySide(Instance(points, 2), shown={"name": ["a", "b"]})
    names = [row.name for row in show.rows(0, 1)]
    assert len(names) == 1 + MOST_FEATURES
    assert names[:2] == ["name", "feature 1"]
    assert "feature 5" not in names
    assert show.num_hidden == 3
    assert show(0, 1).endswith("\nand 3 features that differ less")


def test_what_is_about_other_points_is_refused() -> None:
    with pytest.raises(InputError, match=r"shown has 3 values of 'town', for 2 points; give one per point"):
        SideBySide(INSTANCE, shown={"town": ["a", "b", "c"]})
    with pytest.raises(InputError, match=r"originals have shape \(1, 2\), points \(2, 2\); give the same features"):
        SideBySide(INSTANCE, originals=[[1.0, 2.0]])


def test_a_table_of_pandas_is_taken() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"town": ["Bonn", "Rome"], "born": [1960, 1980]}, index=["p", "q"])
    assert [row.values for row in SideBySide(INSTANCE, shown=table).rows(1, 0)[:2]] == [
        ("Rome", "Bonn"),
        ("1980", "1960"),
    ]
