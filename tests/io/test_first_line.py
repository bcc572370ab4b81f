"""Whether a first line of numbers is a point or names the columns."""

import io
import sys
from pathlib import Path

import numpy as np
import pytest

from pcsos.base.exceptions import InputError
from pcsos.io import read_points, read_table
from tests.io.files import refusal, written

#: First lines that differ in kind from the others, and the words for the difference.
DOUBTFUL = {
    "0,1,2\n3,4,5\n": "counts the columns",
    "0,1\n7,3\n2,2\n": "counts the columns",
    "0 1\n7 3\n2 2\n": "counts the columns",
    "0,1,2\n": "counts the columns",
    "0,1,2\n1.5,2,3.25\n": "counts the columns",
    "2019,2020\n12,2\n15,30\n": "looks like years",
    "2020,1990\n1.5,2\n8,30\n": "looks like years",
    "2019\n12\n15\n": "looks like years",
    "1900,1950\n1930,1980\n1,2\n3,4\n5,6\n7,8\n9,9\n": "looks like years",
    "1,2,3\n4,4,8\n7,8,1\n": "is a sequence",
    "10,20,30\n4,4,8\n7,8,1\n": "is a sequence",
    "0.5,1.0,1.5\n0.25,0.75,0.5\n": "is a sequence",
    "2,3,5,7,11,13\n4,4,8,1,2,3\n": "is a sequence",
    "9,8,6,5,3,1\n4,4,8,1,2,3\n": "is a sequence",
    "7\n1.5\n2.5\n": "has whole numbers above decimals",
    "17,5\n1.5,2\n3,1e-3\n": "has whole numbers above decimals",
    "17,5\n1.0,2.0\n3.0,4.0\n": "has whole numbers above decimals",
    '"17","5"\n1,2\n3,4\n': "has quoted values",
}

#: Points whose first line is like the others.
ORDINARY = [
    "1,2\n1,4\n1,0\n10,2\n10,4\n10,0\n",
    "1,2\n3,4\n5,6\n",
    "1,2,3\n4,5,6\n7,8,9\n",
    "5,3\n4.5,3.5\n5,2\n6,1\n",
    "0.0,1.0\n3.0,4.0\n",
    "3,3\n1.5,2.5\n",
    "1900,1980\n1910,1990\n1850,1920\n",
    "2019\n2000\n1990\n",
    "0\n2\n3\n",
    "8,7,5,4,3,1\n9,8,7,3,2,1\n6,5,4,3,1,0\n",
    '"1.5","2"\n"3","4"\n',
    "0,0,1,0\n0,1,0,0\n",
    "1e308,-1e308,3\n1,2,4\n",
    "1.5,2.5\n",
]


@pytest.mark.parametrize("content", DOUBTFUL)
def test_what_differs_in_kind_is_refused_until_it_is_settled(tmp_path: Path, content: str) -> None:
    path = written(tmp_path, content)
    message = refusal(read_points, path)
    first, *others = content.splitlines()
    assert message.startswith(f"{path} line 1 ({first!r}) {DOUBTFUL[content]}")
    assert "--header" in message
    assert "--no-header" in message
    delimiter = "," if "," in content else None
    rows = [[float(value.strip('"')) for value in line.split(delimiter)] for line in (first, *others)]
    assert read_points(path, header=False).tolist() == rows
    if others:
        assert read_points(path, header=True).tolist() == rows[1:]


@pytest.mark.parametrize("content", ORDINARY)
def test_what_is_like_the_others_is_a_point(tmp_path: Path, content: str) -> None:
    path = written(tmp_path, content)
    rows = [[float(value.strip('"')) for value in line.split(",")] for line in content.splitlines()]
    assert read_points(path).tolist() == read_points(path, header=False).tolist() == rows


@pytest.mark.slow
def test_hardly_any_rows_of_whole_numbers_are_refused_by_chance(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    refused = 0
    for _ in range(1000):
        np.savetxt(tmp_path / "points.csv", rng.integers(0, 100, (20, int(rng.integers(1, 9)))), "%d", delimiter=",")
        try:
            read_points(tmp_path / "points.csv")
        except InputError:
            refused += 1
    assert refused <= 6


def test_the_little_that_remains_in_doubt_is_remarked_on(tmp_path: Path) -> None:
    for content in ("0\n2\n3\n", "1,2\n1,4\n1,0\n"):
        path = written(tmp_path, content)
        assert "line 1 " in read_table(path).remark
        assert "is read as a point; say --header" in read_table(path).remark
        assert read_table(path, header=False).remark == read_table(path, header=True).remark == ""
    for content in ("5\n2\n3\n", "1,3\n3,4\n", "x\n0\n2\n", "3 1\n0\n2\n3\n"):
        assert read_table(written(tmp_path, content)).remark == ""


@pytest.mark.parametrize("content", ["3 2\n1.5 2\n3 4\n5 6\n", "2 3 2\n0 1 2\n3 4 5\n"])
def test_benchmark_header_is_neither_names_nor_a_point(tmp_path: Path, content: str) -> None:
    path = written(tmp_path, content)
    np.testing.assert_array_equal(read_points(path), np.loadtxt(path, skiprows=1))


def test_an_option_settles_that_there_is_no_benchmark_header(tmp_path: Path) -> None:
    path = written(tmp_path, "3 2\n1 2\n4 3\n5 9\n")
    for header in (True, False):
        assert len(read_points(path, header=header)) == (3 if header else 4)
    path.write_text("2 3\n1 2 4\n3 5 9\n")
    for header, message in ((True, "line 1 .* has 2 column names but the next row"), (False, "line 2 has 3 values")):
        with pytest.raises(InputError, match=message):
            read_points(path, header=header)


@pytest.mark.parametrize("content", ["1,2\n3\n4\n", "1;2\n3\n4\n", "1.5 2\n3\n4\n", "1.5\t2\n3\n4\n"])
def test_ragged_first_line_is_not_one_name(tmp_path: Path, content: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(InputError, match="line 2 has 1 value but the lines before have 2"):
        read_points(path)


def test_two_names_above_one_column_are_refused_and_one_name_is_not(tmp_path: Path) -> None:
    path = written(tmp_path, "x,y\n3\n4\n")
    with pytest.raises(InputError, match=r"line 1 \('x,y'\) has 2 column names but the next row has 1 value;"):
        read_points(path)
    for name in ("sepal length", '"length, in cm"', "PM 2.5"):
        assert read_points(written(tmp_path, f"{name}\n3\n4\n")).tolist() == [[3.0], [4.0]]


class TestColumnsThatAreNoFeatures:
    FLOWERS = "5.1,3.5,1.4,0.2,Iris-setosa\n7.0,3.2,4.7,1.4,Iris-versicolor\n6.3,3.3,6.0,2.5,Iris-virginica\n"
    CELLS = "842302,M,17.99,10.38\n842517,M,20.57,17.77\n8510426,B,13.54,14.36\n"

    def test_are_not_looked_at(self, tmp_path: Path) -> None:
        path = written(tmp_path, self.FLOWERS)
        assert read_points(path, ignore=["5"]).tolist()[0] == [5.1, 3.5, 1.4, 0.2]
        table = read_table(path, id_column="5")
        assert (table.ids[:1], table.points.shape) == (("Iris-setosa",), (3, 4))
        assert read_table(path, features=["1", "2"]).points.tolist()[2] == [6.3, 3.3]
        assert read_table(path, features=["1"], shown=["5"]).shown["column 5"][1] == "Iris-versicolor"
        path.write_text(self.CELLS)
        table = read_table(path, id_column="1", ignore=["2"])
        assert (table.ids[2], table.points.tolist()[0]) == ("8510426", [17.99, 10.38])

    def test_without_them_nothing_is_guessed(self, tmp_path: Path) -> None:
        path = written(tmp_path, self.FLOWERS)
        remedy = (
            "column 5 is 'Iris-setosa', not a number; .*leave the column out with --ignore 5, or .*; or say --header"
        )
        with pytest.raises(InputError, match=remedy):
            read_points(path)
        with pytest.raises(InputError, match=r"column 1 is '5.1', not a number|column 5 is 'Iris-setosa'"):
            read_points(path, ignore=["1"])

    def test_their_names_are_names(self, tmp_path: Path) -> None:
        path = written(tmp_path, "name,2019,x\nPeru,1.5,2\nChad,3,4\n")
        assert read_table(path, id_column="name").names == ("2019", "x")
        path.write_text("name,2019,2020\nPeru,1.5,2\nChad,3,4\n")
        assert read_table(path, ignore=["name"]).names == ("2019", "2020")
        with pytest.raises(InputError, match=r"line 1 .* looks like years, so it may name the columns"):
            read_table(path, ignore=["1"])


@pytest.mark.parametrize("first", [0, 1])
def test_rows_that_are_counted_draw_a_note(first: int, tmp_path: Path) -> None:
    rows = [f"{row + first},{x}" for row, x in enumerate((0.1, 0.9, 0.1, 0.9))]
    for text, column in (("\n".join(rows), 1), ("\n".join(",".join(reversed(row.split(","))) for row in rows), 2)):
        path = written(tmp_path, text)
        table = read_table(path)
        assert table.points.shape == (4, 2)
        assert f"counts its rows in column {column}, which is used as a feature; if it is none" in table.remark
        assert read_table(path, ignore=[str(column)]).remark == ""
    assert "counts its rows in column 1" in read_table(written(tmp_path, "\n".join(["n,x", *rows]))).remark
    assert read_table(written(tmp_path, "1.5,0\n2.5,1\n")).remark == ""


def test_a_name_counts_before_a_number(tmp_path: Path) -> None:
    path = written(tmp_path, "0,1,2\n3.5,4,5\n6,7,8\n")
    assert read_table(path, header=True, ignore=["1"]).names == ("0", "2")
    assert read_table(path, header=True, ignore=["3"]).names == ("0", "1")


def test_coordinates_called_x_and_y_draw_no_note(tmp_path: Path) -> None:
    for names, suspects in {"x,y": (), "X,Y": (), "x,y,id": ("id",), "a,y": ("y",), "x0,y": ("y",)}.items():
        text = f"{names}\n{','.join('1' * (names.count(',') + 1))}\n"
        assert read_table(written(tmp_path, text)).suspects == suspects


def test_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, shape in (("1.5,2\n3,4\n", (2, 2)), ("", None), ("a\nb\n", None)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        if shape is not None:
            assert read_points("-").shape == shape
        else:
            with pytest.raises(InputError, match=r"^standard input "):
                read_points("-")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match=r"^- cannot be read \(standard input is closed\)"):
        read_points("-")


def test_counts_with_commas_are_refused_unless_they_are_a_point(tmp_path: Path) -> None:
    path = written(tmp_path, "4,2\n1,2\n3,5\n5,6\n7,8\n")
    with pytest.raises(InputError, match="counts the rows and columns that follow"):
        read_points(path)
    assert read_points(path, header=False).shape == (5, 2)
    path.write_text("4,3\n1,2\n3,5\n5,6\n7,8\n")
    assert read_points(path).shape == (5, 2)
