import gzip
import io
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from pcsos.base.exceptions import InputError
from pcsos.io import read_points, read_table
from pcsos.io.columns import Roles
from pcsos.io.layout import text_file
from pcsos.io.text_table import _checked_rows
from pcsos.problem.instance import Instance
from tests.io.files import refusal, written

DATA = Path(__file__).parents[1] / "data" / "points"
POINTS = np.array([[1.5, -2.0], [3.25, 4e-3], [5.0, 6.0]])

#: What the message about each malformed file must say: where, the value, and the remedy.
MALFORMED = {
    "ragged.csv": ["line 4 has 1 value ", "before have 2", "correct that line"],
    "ragged_benchmark.txt": ["line 3 has 3 values", "line 1 announces 2"],
    "text_in_numbers.csv": ["line 2, column 2 is 'abc', not a number", "--ignore 2"],
    "text_in_first_line.csv": ["line 1, column 2 is 'abc'", "--header", "--no-header"],
    "nan.csv": ["line 3, column 'y' is 'nan'", "impute"],
    "infinity.txt": ["line 2, column 1 is '-inf'", "impute"],
    "overflow.csv": ["line 2, column 1 is '1e999'", "not a finite number"],
    "missing_value.csv": ["line 3, column 'x' is empty", "impute"],
    "decimal_comma.csv": ["line 2, column 'x' is '1,5' with a comma", "--decimal ,"],
    "empty.csv": ["is empty"],
    "empty.csv.gz": ["is empty"],
    "only_blank_lines.txt": ["only blank or comment lines", "at least one point"],
    "header_only.csv": ["no rows of numbers", "line 1 ('x,y')", "add the points"],
    "header_only.txt": ["line 1 announces 150 points and 4 features but 0 rows of 4 values follow"],
    "fewer_rows_than_announced.txt": ["line 1 announces 4 points and 3 features but 3 rows", "correct it"],
    "more_rows_than_announced.txt": ["line 1 announces 2 points and 2 features but 3 rows", "with decimals"],
    "other_features_than_announced.txt": ["line 1 announces 3 points and 4 features but 3 rows of 3 values"],
    "no_points_announced.txt": ["line 1 announces 0 points and 2 features", "correct it"],
    "huge_announced.txt": ["announces 1000000000000000 points and 2 features but 2 rows"],
    "not_utf8.csv": ["line 1 holds the byte 0xf6", "UTF-8"],
    "utf16.csv": ["UTF-16", "save it as UTF-8"],
    "binary.txt": ["line 2 holds the byte 0x00"],
    "constraints.txt": ["line 1 begins with 'ML'", "--constraints"],
    "constraints.json": ["like a constraint file", "--constraints"],
    "text_columns.csv": ["column 'plant id' is 'a1'", "--ignore 'plant id', ", "--id 'plant id'"],
    "text_column.csv": ["line 2, column 'species' is 'setosa'", "--ignore species"],
    "unnamed_column.csv": ["column 2 without a name", "--ignore 2"],
    "numbered_columns.csv": ["line 1 ('0,1,2') counts the columns", "--header", "--no-header"],
    "same_name_twice.csv": ["line 1 ('x,x') has the column name 'x' twice"],
    "names_without_delimiter.txt": ["line 1", "has 4 column names but the next row has 2 values"],
    "truncated.csv.gz": ["truncated gzip file"],
    "damaged.csv.gz": ["damaged gzip file"],
    "objects.npy": ["Python objects", ".astype(float)"],
    "strings.npy": ["values of type <U1", ".astype(float)"],
    "complex.npy": ["complex128"],
    "nan.npy": ["nan in row 1 (counted from 0), column 1", "impute"],
    "three_dimensions.npy": ["3 dimensions", ".reshape"],
    "no_points.npy": ["no points (shape (0, 2))"],
    "huge_declared.npy": ["declares 10000000000000 values", "holds 6"],
    "truncated.npy": ["declares 6 values", "holds 5"],
    "damaged_header.npy": ["damaged .npy file", "numpy.save"],
    "several_arrays.npz": ["the arrays a, b", "'points'"],
    "truncated.npz": ["damaged .npz file"],
    "damaged.npz": ["damaged .npz file"],
    "no_arrays.npz": ["without arrays"],
    "text_column.parquet": ["column 'species' is of type string", "--ignore species"],
    "missing_value.parquet": ["column 'y' has no value in row 1", "impute"],
    "nan.parquet": ["nan in row 1 (counted from 0), column 'y'"],
    "truncated.parquet": ["damaged Parquet file"],
    "no_points.parquet": ["no points"],
    "run_file.sqlite": ["run file", "pcsos resume"],
}


def _npy(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def _npz(**arrays: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def _parquet(**columns: object) -> bytes:
    stream = io.BytesIO()
    parquet.write_table(pa.table(columns), stream)
    return stream.getvalue()


ROWS = [["1.5", "-2"], ["3.25", "4e-3"], ["5", "6.0"]]


def _text(delimiter: str, *head: str, end: str = "\n") -> bytes:
    return end.join([*head, *(delimiter.join(row) for row in ROWS), ""]).encode()


WELL_FORMED = {
    "benchmark": _text(" ", "3 2"),
    "benchmark with k": _text(" ", "3 2 2"),
    "benchmark, tabs": _text("\t", "3\t2"),
    "benchmark, commas in rows": _text(",", "3 2"),
    "benchmark, trailing blanks": _text(" ", "3 2 \t").replace(b"\n", b"  \n"),
    "comma": _text(","),
    "comma and blank": _text(", "),
    "semicolon": _text(";"),
    "tab": _text("\t"),
    "several blanks": _text("   "),
    "blanks and tabs": _text(" \t "),
    "leading blanks": _text(" ").replace(b"\n", b"\n  "),
    "header": _text(",", "x,y"),
    "header, tabs, names with blanks": _text("\t", "sepal length\tsepal width"),
    "header, blanks": _text(" ", "x y"),
    "quoted header": _text(",", '"x, in cm","y"'),
    "quoted values": _text(",", "x,y").replace(b"1.5", b'"1.5"'),
    "comments and blank lines": _text(",", "# drawn by hand", "", "x,y").replace(b"5,6.0", b"# more\n  \n5,6.0"),
    "CRLF": _text(",", "x,y", end="\r\n"),
    "CRLF benchmark": _text(" ", "3 2", end="\r\n"),
    "CR": _text(",", "x,y", end="\r"),
    "byte order mark": b"\xef\xbb\xbf" + _text(","),
    "byte order mark benchmark": b"\xef\xbb\xbf" + _text(" ", "3 2"),
    "no final line end": _text(",").rstrip(b"\n"),
    "npy": _npy(POINTS),
    "npy in Fortran order": _npy(np.asfortranarray(POINTS)),
    "npy in the other byte order": _npy(POINTS.astype(">f8")),
    "npz": _npz(anything=POINTS),
    "npz of several": _npz(labels=np.zeros(3), points=POINTS),
    "parquet": _parquet(x=POINTS[:, 0], y=POINTS[:, 1]),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_file_is_refused_in_one_sentence(name: str) -> None:
    message = refusal(read_points, DATA / name)
    for part in MALFORMED[name]:
        assert part in message


def test_every_malformed_file_is_tested() -> None:
    assert {path.name for path in DATA.iterdir()} == set(MALFORMED)


@pytest.mark.parametrize("compress", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("kind", WELL_FORMED)
def test_well_formed_file_is_read_exactly(tmp_path: Path, kind: str, compress: bool) -> None:
    path = written(tmp_path, gzip.compress(WELL_FORMED[kind]) if compress else WELL_FORMED[kind])
    points = read_points(path)
    assert points.dtype == np.float64
    np.testing.assert_array_equal(points, POINTS)


@pytest.mark.parametrize("content", [b"5 3\n4 2\n9 9\n", b"7 1 2\n4 2 2\n1 1 1\n"])
def test_whole_numbers_that_fit_no_header_are_points(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path, content)
    np.testing.assert_array_equal(read_points(path), np.loadtxt(io.BytesIO(content)))


def test_one_dimension_is_one_feature(tmp_path: Path) -> None:
    (tmp_path / "a.npy").write_bytes(_npy(np.array([1, 2, 3])))
    (tmp_path / "a.csv").write_text("some length\n1\n2\n3\n")
    for name in ("a.npy", "a.csv"):
        np.testing.assert_array_equal(read_points(tmp_path / name), [[1.0], [2.0], [3.0]])


def test_single_row(tmp_path: Path) -> None:
    np.testing.assert_array_equal(read_points(written(tmp_path, "1.5,2.5\n")), [[1.5, 2.5]])


def test_missing_file_and_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.csv does not exist; check"):
        read_points(tmp_path / "nowhere.csv")
    with pytest.raises(InputError, match="is a directory; give the file"):
        read_points(tmp_path)


class TestIgnore:
    @pytest.mark.parametrize(
        ("name", "column", "points"),
        [
            ("text_column.csv", "species", [[1.5, 2], [3, 4]]),
            ("text_column.csv", "2", [[1.5, 2], [3, 4]]),
            ("unnamed_column.csv", "2", [[1.5, 2], [3, 4]]),
            ("text_column.parquet", "species", [[1.5], [2]]),
        ],
    )
    def test_a_column_by_name_or_number(self, name: str, column: str, points: list[list[float]]) -> None:
        np.testing.assert_array_equal(read_points(DATA / name, ignore=[column]), points)

    def test_npy(self, tmp_path: Path) -> None:
        (tmp_path / "a.npy").write_bytes(_npy(POINTS))
        np.testing.assert_array_equal(read_points(tmp_path / "a.npy", ignore=["1"]), POINTS[:, 1:])

    def test_numeric_column(self, tmp_path: Path) -> None:
        (tmp_path / "a.csv").write_text("x,class\n1.5,0\n2.5,1\n")
        assert read_table(tmp_path / "a.csv").suspects == ("class",)
        table = read_table(tmp_path / "a.csv", ignore=["class"])
        np.testing.assert_array_equal(table.points, [[1.5], [2.5]])
        assert table.names == ("x",)
        assert table.suspects == ()

    def test_unknown_column_and_all_columns(self) -> None:
        with pytest.raises(InputError, match=r"no column 'colour' to ignore .*x, species, y"):
            read_points(DATA / "text_column.csv", ignore=["colour"])
        with pytest.raises(InputError, match="no column left"):
            read_points(DATA / "ragged.csv", ignore=["x", "y"])


def test_parquet_of_several_types(tmp_path: Path) -> None:
    path = written(
        tmp_path, _parquet(a=pa.array([1, 2], pa.int8()), b=[True, False], c=pa.array([1.5, 2.5], pa.float32()))
    )
    np.testing.assert_array_equal(read_points(path), [[1, 1, 1.5], [2, 0, 2.5]])


@pytest.mark.slow
def test_many_features(tmp_path: Path) -> None:
    points = np.random.default_rng(0).normal(size=(3, 20_000))
    np.savetxt(tmp_path / "a.csv", points, delimiter=",", fmt="%.17g")
    names = ",".join(f"x{i}" for i in range(20_000))
    np.savetxt(tmp_path / "named.csv", points, delimiter=",", header=names, comments="", fmt="%.17g")
    np.savetxt(tmp_path / "a.txt", points, header="3 20000", comments="", fmt="%.17g")
    begun = time.process_time()
    for name in ("a.csv", "named.csv", "a.txt"):
        np.testing.assert_array_equal(read_points(tmp_path / name), points)
    assert time.process_time() - begun < 3.0  # far from quadratic in the number of features


def test_last_bad_value_of_many_is_found(tmp_path: Path) -> None:
    rows = ["1.25,2.5,3"] * 20_000 + ["1,2,oops"]
    (tmp_path / "a.csv").write_text("\n".join(rows))
    with pytest.raises(InputError, match="line 20001, column 3 is 'oops'"):
        read_points(tmp_path / "a.csv")


@pytest.mark.parametrize("kind", [kind for kind in WELL_FORMED if kind[:3] not in {"npy", "npz", "par"}])
def test_slow_reading_agrees_with_fast(kind: str) -> None:
    file = text_file(WELL_FORMED[kind], "a file", Roles())
    np.testing.assert_array_equal(_checked_rows(file, [0, 1], Roles(), is_settled=True), POINTS)


def test_unpickling_is_never_done(tmp_path: Path) -> None:
    class Bomb:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return (Path.touch, (tmp_path / "exploded",))  # type: ignore[return-value]

    stream = io.BytesIO()
    np.save(stream, np.array([Bomb()], dtype=object), allow_pickle=True)
    (tmp_path / "bomb.npy").write_bytes(stream.getvalue())
    with pytest.raises(InputError, match="Python objects"):
        read_points(tmp_path / "bomb.npy")
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("x,b\n0,True\n2,False\n", [[0.0, 1.0], [2.0, 0.0]]),
        ("0.5,TRUE\n2,false\n", [[0.5, 1.0], [2.0, 0.0]]),
        ("True\nFalse\nTrue\n", [[1.0], [0.0], [1.0]]),
    ],
)
def test_true_and_false_are_1_and_0_as_in_a_table_of_pandas(
    tmp_path: Path, text: str, points: list[list[float]]
) -> None:
    assert read_points(written(tmp_path, text)).tolist() == points
    table = pd.DataFrame(points).astype({len(points[0]) - 1: bool})
    assert Instance(table, 1).points.tolist() == points


@pytest.mark.parametrize(("first", "second"), [("True", "1"), ("0", "false"), ("true", "0.5")])
def test_a_column_is_true_and_false_throughout(tmp_path: Path, first: str, second: str) -> None:
    words = rf"line 3, column 'b' is '{second}', but '{first}' in the first row; write 1 and 0, or true and"
    with pytest.raises(InputError, match=words):
        read_points(written(tmp_path, f"x,b\n0,{first}\n2,{second}\n"))


def test_columns_that_are_shown_are_kept_as_they_stand(tmp_path: Path) -> None:
    path = written(tmp_path, 'name,x,born,note\nAnna,1,1960,"a, b"\nBert,2,n/a,\n')
    table = read_table(path, ignore=["note"], shown=["name", "3", "note"])
    np.testing.assert_array_equal(table.points, [[1.0], [2.0]])
    assert table.names == ("x",)
    assert table.shown == {"name": ["Anna", "Bert"], "born": ["1960", "n/a"], "note": ["a, b", ""]}
    assert read_table(path, ignore=["name", "born", "note"]).shown == {}
    with pytest.raises(InputError, match=r"has no column 'town' to show \(4 columns, columns name, x, born, note\)"):
        read_table(path, shown=["town"])
    with pytest.raises(InputError, match="no column left to use as a feature"):
        read_table(path, shown=["1", "2", "3", "4"])


def test_columns_of_binary_files_are_shown_too(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([[1.0, 0.1], [2.0, 4.9]], np.float32))
    table = read_table(tmp_path / "a.npy", shown=["2"])
    assert table.shown == {"column 2": ["0.1", "4.9"]}
    assert table.points.tolist() == [[1.0], [2.0]]
    parquet.write_table(pa.table({"x": [1.0, 2.0], "town": ["Bonn", None]}), tmp_path / "a.parquet")
    table = read_table(tmp_path / "a.parquet", shown=["town"])
    assert table.shown == {"town": ["Bonn", ""]}
    assert table.names == ("x",)


@pytest.mark.parametrize(
    "first", ["NA", "?;NA", "1'234;5'678", "12%;5%", "\u22121.5;\u22122.5", "1/2;1/3", "$5;€6", "1.5d3;NA"]
)
def test_a_first_line_of_unreadable_values_does_not_name_columns(tmp_path: Path, first: str) -> None:
    """It would be one point less, without a word."""
    width = first.count(";") + 1
    path = written(tmp_path, f"{first}\n" + "1.5;2.5\n"[: 4 * width] + "\n3;4\n"[: 2 * width + 1])
    with pytest.raises(InputError, match=r"line 1, column 1 is .*; or say --header if the line names the columns"):
        read_points(path)
