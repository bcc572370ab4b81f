"""Labels in files as people and programs write them."""

import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pcsos.base.exceptions import InputError
from pcsos.io.labels import labels_text, read_earlier_labels, read_labels
from pcsos.problem.validation.names import PointNames
from tests.io.files import written

ABC = PointNames(3, ids=["a", "b", "c"])

#: What is written, and the labels that it says.
WRITTEN = {
    "blanks in quotation marks": ('"Asian male"\n"Black male"\nmale\n', ["Asian male", "Black male", "male"]),
    "a title above blanks": ('label\n"dark red"\nred\n"dark red"\n', ["dark red", "red", "dark red"]),
    "a title above commas": ('label\n"Boston, MA"\nReno\n"Boston, MA"\n', ["Boston, MA", "Reno", "Boston, MA"]),
    "commas in quotation marks": ('"Boston, MA"\n"Austin, TX"\nReno\n', ["Boston, MA", "Austin, TX", "Reno"]),
    "quotation marks in labels": ('"7"" pipe"\n"9"" pipe"\n"7"" pipe"\n', ['7" pipe', '9" pipe', '7" pipe']),
    "names of rows and commas": ('"x","label"\n"1",5,"u"\n"2",6,"u"\n"3",7,"v"\n', ["u", "u", "v"]),
    "names with blanks and tabs": ("town\tlabel\nNew York\t0\nLos Angeles\t1\nReno\t0\n", ["0", "1", "0"]),
    "quotation marks and tabs": ('x\tclass\n7"\tu\n8"\tu\n9"\tv\n', ["u", "u", "v"]),
    "labels with blanks behind tabs": ("x\tclass\n1\tred wine\n2\tred wine\n3\tale\n", ["red wine", "red wine", "ale"]),
    "an index of pandas and tabs": ("\tlabel\n0\tsetosa\n1\tsetosa\n2\tx y\n", ["setosa", "setosa", "x y"]),
    "a delimiter that is told": ("sep=;\npoint;label\n0;a, b\n1;c\n2;c\n", ["a, b", "c", "c"]),
    "zeros of either sign": ("-0.0\n0.0\n1.0\n", ["0", "0", "1"]),
    "an index of texts": (",label\nann,0\nbob,1\neve,0\n", ["0", "1", "0"]),
    "coordinates before them": ("row,col,cluster\n1,1,0\n1,2,0\n2,1,1\n", ["0", "0", "1"]),
    "titles in quotation marks": ('"point" "label"\n0 "x"\n1 "y"\n2 "x"\n', ["x", "y", "x"]),
    "features before them": ("a,b,class\n5.1,3.5,setosa\n4.9,3,virginica\n4,3,x y\n", ["setosa", "virginica", "x y"]),
    "a count from 1": ("id,label\n1,b\n2,a\n3,b\n", ["b", "a", "b"]),
    "tabs and commas": ("point\tlabel\n0\tBoston, MA\n1\tReno\n2\tBoston, MA\n", ["Boston, MA", "Reno", "Boston, MA"]),
}


@pytest.mark.parametrize(
    "text", ['point,label\n0,"3 4"\n1,"1 2"\n', '"3 4"\n"1 2"\n', "x\tlabel\nann\t1 2\nbob\t3 4\n"]
)
def test_several_numbers_are_no_label(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has the numbers '\d \d' for a label; give one label per line"):
        read_labels(written(tmp_path, text), 2)


@pytest.mark.parametrize("kind", WRITTEN)
def test_labels_are_read_whole(kind: str, tmp_path: Path) -> None:
    text, labels = WRITTEN[kind]
    assert read_labels(written(tmp_path, text), 3).tolist() == labels


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Boston, MA\nAustin, TX\nReno, NV\n", r"line 1 \('Boston, MA'\) may be one label or several values; put quot"),
        ("Type 1\nType 2\nType 1\n", r"line 1 \('Type 1'\) may be one label or several values"),
        ("red\ndark red\nred\n", r"line 2 \('dark red'\) may be one label or several values"),
        ("label\ndark red\nred\ndark red\n", r"line 2 \('dark red'\) may be one label or several values"),
        ("label\nBoston, MA\nAustin, TX\nReno, NV\n", r"line 2 \('Boston, MA'\) may be one label or several values"),
        ("   label\n0      a\n1      b\n2      a\n", r"line 2 \('0      a'\) may be one label or several values"),
        ("1\tred wine\n2\tred wine\n3\tale\n", r"line 1 \(.*\) may be one label or several values"),
        ("5.1,3.5,Iris-setosa\n4.9,3,x\n4,3,x\n", r"line 1 \(.*\) may be one label or several values"),
        ("0 1\n1 0\n2 1\n", r"line 1 \('0 1'\) may be one label or several values"),
        ("Class A\nClass A\nClass B\n", "holds 2 labels for 3 points"),
        ("male;0\nfemale;1\nmale;0\n", r"line 1 \('male;0'\) may be one label or several values"),
        ("ann 0\nbob 1\neve 0\n", r"line 1 \('ann 0'\) may be one label or several values"),
        ("label\nann;0\nbob;1\neve;0\n", r"line 2 \('ann;0'\) may be one label or several values"),
        ("class\n24,6\n19,2\n15,8\n", r"line 2 \('24,6'\) may be one label or several values"),
        ('"y","x"\n"2",29,0\n"0",4,4\n"1",16,7\n', r"may be one label or several values"),
        ('x\tlabel\n0\t"41,0"\n1\t"14,7"\n2\t"14,7"\n', r"has the numbers '41,0' for a label"),
        ("new car\nold car\nred car\n", r"line 1 \('new car'\) may be one label or several values"),
        ("label\n0.5\n1\n2\n", "'0.5' for a label"),
        ("0,1\n1\n2,1\n", r"line 1 \('0,1'\) may be one label or several values"),
        ("0\n1;\n1\n", r"may be one label or several values"),
        ("1 000\n2 000\n1 000\n", r"line 1 \('1 000'\) may be one label or several values"),
        ('"10 %" "K0 20,5"\n"10 %" "K1 20,5"\n"10 %" "K0 20,5"\n', "may be one label or several values"),
        ('"6"" pipe" "a b"\n"6"" pipe" "c"\n"6"" pipe" "c"\n', "may be one label or several values"),
        ("089 5678\n030 1234\n089 5678\n", "may be one label or several values"),
        ("sep=;\n# none\n", "holds 1 labels for 3 points"),
        ('a,b\n1,"x\n2,y\n', "values|labels"),
        ("idx,label\n2,1\n0,0\n1,0\n", "numbered in column 1 in an order of their own"),
        (",label\n2,1\n0,0\n1,0\n", "numbered in column 1 in an order of their own"),
        ("label\nx\ny\n", "holds 2 labels for 3 points"),
        ("point,label\n0\n1,a\n", "line 2 has 1 value instead of 2"),
        ("1.5 x\n2.5 y\n2.5 x\n", r"line 1 \('1.5 x'\) may be one label or several values"),
        ("species\nsetosa\nx\ny\n", "holds 4 labels for 3 points; .*, and call it label if 'species' names the column"),
        ("kmeans\n0\n1\nx\n", "holds 4 labels for 3 points; .*, and call it label if 'kmeans' names the column"),
        (
            "id,label\n2,b\n0,a\n1,b\n",
            "line 2 and those behind it are numbered in column 1 in an order of their",
        ),
        ("id,label\nx,b\ny,a\nz,b\n", "name the points with --id, or sort the rows and leave that column out"),
        (",label\n2,b\n1,a\n0,b\n", "numbered in column 1"),
        ("index,label\n0,b\n2,a\n1,b\n", "numbered in column 1"),
    ],
)
def test_what_may_be_read_otherwise_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_labels(written(tmp_path, text), 3)


@pytest.mark.parametrize("head", ["id,label\n", "name,label\n", "label,who\n"])
def test_ids_are_recognised_whatever_their_column_is_called(head: str, tmp_path: Path) -> None:
    def text(order: str) -> str:
        rows = [(name, str(ord(name) % 2)) for name in order]
        return head + "".join(",".join(reversed(row) if head.startswith("label") else row) + "\n" for row in rows)

    assert read_labels(written(tmp_path, text("abc")), 3, ABC).tolist() == ["1", "0", "1"]
    with pytest.raises(InputError, match="is about point 'b' where point a is expected"):
        read_labels(written(tmp_path, text("bac")), 3, ABC)
    assert read_earlier_labels(written(tmp_path, text("cb")), ABC).tolist() == [-1, 0, 1]


def test_earlier_labels_go_by_the_column_that_names_the_points(tmp_path: Path) -> None:
    names = PointNames(5, ids=["d", "x", "y", "z", "w"])
    assert read_earlier_labels(written(tmp_path, "key,cluster\na,5\nb,6\nc,7\nd,8\n"), names).tolist() == [8, *[-1] * 4]
    friends = "friend,key,label\nb,a,1\nc,b,2\na,c,3\n"
    assert read_earlier_labels(written(tmp_path, friends), ABC).tolist() == [1, 2, 3]
    with pytest.raises(InputError, match="have ids in columns 1 and 2; call the one that names points id"):
        read_earlier_labels(written(tmp_path, "friend,key,label\nb,c,1\nc,b,2\na,a,3\n"), ABC)
    for text in ("point,label\n0,1\n0,2\n", "id,label\na,1\na,2\n"):
        with pytest.raises(InputError, match="line 3 is the second label of point"):
            read_earlier_labels(written(tmp_path, text), ABC if text[0] == "i" else PointNames(3))
    for text in ("idx,label\n3,1\n5,2\n", ",label\n2,7\n1,8\n0,9\n"):
        with pytest.raises(InputError, match="numbered in column 1 in an order of their own"):
            read_earlier_labels(written(tmp_path, text), PointNames(6))


def test_earlier_labels_of_counted_points_are_not_taken_for_those_of_ids(tmp_path: Path) -> None:
    counted = written(tmp_path, "point,label\n0,5\n1,6\n2,7\n")  # as pcsos writes them where no ids are known
    assert read_earlier_labels(counted, ABC).tolist() == [5, 6, 7]
    assert read_earlier_labels(counted, PointNames(3, ids=["0", "1", "2"])).tolist() == [5, 6, 7]
    assert read_earlier_labels(written(tmp_path, "point,label\n3,5\n1,6\n"), PointNames(3, ids="312")).tolist() == [
        5,
        6,
        -1,
    ]
    counted = written(tmp_path, "point,label\n0,5\n1,6\n2,7\n")
    with pytest.raises(InputError, match="may count points or name their ids; call the column id"):
        read_earlier_labels(counted, PointNames(3, ids="120"))


def test_groups_are_preferred_where_groups_are_meant(tmp_path: Path) -> None:
    path = written(tmp_path, "id,label,group\n0,a,x\n1,b,x\n2,b,y\n")
    assert read_labels(path, 3).tolist() == ["a", "b", "b"]
    assert read_labels(path, 3, what="group").tolist() == ["x", "x", "y"]


@pytest.mark.parametrize("frame", [{"species": [*"aab"]}, {"Label ": [*"aab"], "x": [1, 2, 3]}])
def test_an_index_in_parquet_is_no_label(frame: dict[str, list[object]], tmp_path: Path) -> None:
    path = tmp_path / "labels.parquet"
    pd.DataFrame(frame, index=[5, 7, 9]).to_parquet(path)
    assert read_labels(path, 3).tolist() == ["a", "a", "b"]
    pd.DataFrame(frame, index=[9, 7, 5]).to_parquet(path)
    with pytest.raises(InputError, match="in an order of their own"):
        read_labels(path, 3)


def test_odd_ids_are_read_back(tmp_path: Path) -> None:
    ids = [" a", "b ", "c\u00a0", "d\ne", '"f"', "g,h", "#i", "\tj", "k\x1f", "l\r\nm", "7", "o;p"]
    names = PointNames(len(ids), ids=ids)
    path = written(tmp_path, labels_text(range(len(ids)), names))
    assert read_labels(path, len(ids), names).tolist() == [str(label) for label in range(len(ids))]


def test_a_quote_that_is_never_closed_takes_no_long(tmp_path: Path) -> None:
    path = written(tmp_path, "point,label\n0,x\n" + '1,"x\n' + "".join(f"{row},y\n" for row in range(2, 100_000)))
    begun = time.process_time()
    with pytest.raises(InputError):
        read_labels(path, 100_000)
    assert time.process_time() - begun < 5.0


def test_a_long_label_is_read_at_once(tmp_path: Path) -> None:
    label = "9" * 200_000
    assert read_labels(written(tmp_path, f"{label}\n{label}\nx\n"), 3).tolist() == [label, label, "x"]


#: Labels as programs write them under a title of their own.
EXPORTED = {
    "pandas, a Series": ",0\n0,2\n1,2\n2,0\n",
    "pandas, a Series with a name": ",kmeans\n0,2\n1,2\n2,0\n",
    "pandas, chosen rows": ",kmeans\n5,2\n7,2\n9,0\n",
    "pandas, points before the labels": ",x,y,kmeans\n0,1.5,2,2\n1,2,3,2\n2,2.5,4,0\n",
    "pandas, tabs": "\tkmeans\n0\t2\n1\t2\n2\t0\n",
    "pandas, no index": "kmeans_result\n2\n2\n0\n",
    "R, write.csv": '"","x"\n"1",2\n"2",2\n"3",0\n',
    "R, write.table": '"x"\n"1" 2\n"2" 2\n"3" 0\n',
    "R, write.table with commas": '"x"\n"a",2\n"b",2\n"c",0\n',
    "R, write.table of names": '"cluster"\n"a"\t2\n"b"\t2\n"c"\t0\n',
    "Excel": "\ufeffsep=;\r\nShop;Cluster;;\r\nF0;2;;\r\nF1;2;;\r\nF2;0;;\r\n;;;\r\n",
    "Excel, a column": "\ufeffgroup\r\n2\r\n2\r\n0\r\n",
    "NumPy": "# labels of k-means, k=2\n2.000000000000000000e+00\n2.0\n0.0\n",
}


@pytest.mark.parametrize("kind", EXPORTED)
def test_labels_as_programs_write_them(kind: str, tmp_path: Path) -> None:
    assert read_labels(written(tmp_path, EXPORTED[kind]), 3).tolist() == ["2", "2", "0"]


def test_pandas_writes_what_is_read(tmp_path: Path) -> None:
    labels = pd.Series(np.random.default_rng(0).integers(0, 3, 20))
    for frame in (labels, labels.rename("k"), labels.to_frame("label"), pd.DataFrame({"x": labels / 7, "k": labels})):
        for sep in ",;\t":
            frame.to_csv(tmp_path / "labels.csv", sep=sep)
            assert read_labels(tmp_path / "labels.csv", 20).tolist() == [str(label) for label in labels]


def test_comments_stand_above_labels(tmp_path: Path) -> None:
    assert read_labels(written(tmp_path, "# k = 2\n\n  # by hand\n#1\na\nb\n"), 2).tolist() == ["a", "b"]
    assert read_labels(written(tmp_path, "a\n#b\nc#d\n"), 3).tolist() == ["a", "#b", "c#d"]
