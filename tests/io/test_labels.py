"""Labels in files as people and programs write them."""

from pathlib import Path

import pytest

from pcsos.exceptions import InputError
from pcsos.io.labels import read_earlier_labels, read_labels
from pcsos.io.points import read_points
from pcsos.validation.names import PointNames

ABC = PointNames(3, ids=["a", "b", "c"])

#: What is written, and the labels that it says.
WRITTEN = {
    "blanks in labels": ("Asian male\nAsian female\nBlack male\n", ["Asian male", "Asian female", "Black male"]),
    "the same last word": ("new car\nold car\nred car\n", ["new car", "old car", "red car"]),
    "words and a number": ("Type 1\nType 2\nType 1\n", ["Type 1", "Type 2", "Type 1"]),
    "different numbers of words": ("red\ndark red\nred\n", ["red", "dark red", "red"]),
    "a title above words": ("label\ndark red\nred\ndark red\n", ["dark red", "red", "dark red"]),
    "a title above commas": ("label\nBoston, MA\nAustin, TX\nBoston, MA\n", ["Boston, MA", "Austin, TX", "Boston, MA"]),
    "commas in quotation marks": ('"Boston, MA"\n"Austin, TX"\nReno\n', ["Boston, MA", "Austin, TX", "Reno"]),
    "quotation marks in labels": ('"7"" pipe"\n"9"" pipe"\n"7"" pipe"\n', ['7" pipe', '9" pipe', '7" pipe']),
    "a title in quotation marks": ('"label"\n"x"\n"y"\n"x"\n', ["x", "y", "x"]),
    "titles in quotation marks": ('"point" "label"\n0 "x"\n1 "y"\n2 "x"\n', ["x", "y", "x"]),
    "features before them": (
        "5.1,3.5,Iris-setosa\n4.9,3,Iris-virginica\n4,3,x y\n",
        ["Iris-setosa", "Iris-virginica", "x y"],
    ),
    "numbers before them": ("0 1\n1 0\n2 1\n", ["1", "0", "1"]),
    "an index of pandas": (",label\n0,b\n1,a\n2,b\n", ["b", "a", "b"]),
    "a count from 1": ("id,label\n1,b\n2,a\n3,b\n", ["b", "a", "b"]),
    "tabs and commas": ("point\tlabel\n0\tBoston, MA\n1\tReno\n2\tBoston, MA\n", ["Boston, MA", "Reno", "Boston, MA"]),
}


def written(folder: Path, text: str) -> Path:
    path = folder / "labels.txt"
    path.write_text(text)
    return path


@pytest.mark.parametrize("kind", WRITTEN)
def test_labels_are_read_whole(kind: str, tmp_path: Path) -> None:
    text, labels = WRITTEN[kind]
    assert read_labels(written(tmp_path, text), 3).tolist() == labels


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Boston, MA\nAustin, TX\nReno, NV\n", r"line 1 \('Boston, MA'\) may be one label or several values; put quot"),
        ("male;0\nfemale;1\nmale;0\n", r"line 1 \('male;0'\) may be one label or several values"),
        ("label\n0 1\n1 0\n2 1\n", "line 2 has 2 values instead of 1"),
        (
            "id,label\n2,b\n0,a\n1,b\n",
            "line 2 and those behind it are numbered in the column 'id' in an order of their",
        ),
        ("id,label\nx,b\ny,a\nz,b\n", "name the points with --id, or sort the rows and leave that column out"),
        (",label\n2,b\n1,a\n0,b\n", "numbered in the column ''"),
        ("index,label\n0,b\n2,a\n1,b\n", "numbered in the column 'index'"),
    ],
)
def test_what_may_be_read_otherwise_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_labels(written(tmp_path, text), 3)


@pytest.mark.parametrize("head", ["id,label\n", "name,label\n", "label,who\n", ""])
def test_ids_are_recognised_whatever_their_column_is_called(head: str, tmp_path: Path) -> None:
    def text(order: str) -> str:
        rows = [(name, str(ord(name) % 2)) for name in order]
        return head + "".join(",".join(reversed(row) if head.startswith("label") else row) + "\n" for row in rows)

    assert read_labels(written(tmp_path, text("abc")), 3, ABC).tolist() == ["1", "0", "1"]
    with pytest.raises(InputError, match="is about point 'b' where point a is expected"):
        read_labels(written(tmp_path, text("bac")), 3, ABC)
    assert read_earlier_labels(written(tmp_path, text("cb")), ABC).tolist() == [-1, 0, 1]


def test_lines_that_end_as_on_old_computers_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_bytes(b"x,y\r1,2\r3,\x00\r")
    with pytest.raises(InputError, match="line 3 holds the byte 0x00"):
        read_points(path)
    path.write_bytes(b"x,y\r1,2\r3,#N/A\r")
    with pytest.raises(InputError, match="line 3 has #N/A"):
        read_points(path)
