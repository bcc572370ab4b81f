"""Files of other programs are refused by their names, and the line of Python that is named saves their points."""

import io
import json
import pathlib
import re
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.io
import sklearn.datasets

from pcsos.base.exceptions import InputError
from pcsos.io import read_points, read_table
from tests.io.files import written

POINTS = np.array([[1.5, 20.25], [2.0, 19.75], [8.5, 3.25]])
LINE = "+-----+-------+\n"
NODES = "NAME: three\nTYPE : TSP\nDIMENSION: 3\nNODE_COORD_SECTION\n1 1.5 20.25\n2 2 19.75\n3 8.5 3.25\nEOF\n"
RECORDS = [{"a": a, "b": b} for a, b in POINTS.tolist()]
FEATURES = {"type": "FeatureCollection", "features": [{"geometry": {"coordinates": p}} for p in POINTS.tolist()]}
DRAWN = f"{LINE}| x   | y     |\n{LINE}| 1.5 | 20.25 |\n| 2.0 | 19.75 |\n| 8.5 |  3.25 |\n{LINE}"
ROWS = "1.5,20.25,A\n2.0,19.75,A\n8.5,3.25,B\n"

#: What a file holds, what it is called, and which of the columns of what is saved are no features.
FILES: dict[str, tuple[str, str, list[str]]] = {
    "weka.arff": (f"% shops\n@RELATION s\n\n@attribute a real\n@attribute c {{A,B}}\n@DATA\n{ROWS}", "an ARFF", ["3"]),
    "keel.dat": (f"@relation s\n@attribute a real [1, 9]\n@inputs a\n@outputs class\n@data\n{ROWS}", "an ARFF", ["3"]),
    "data.libsvm": ("1 1:1.5 2:20.25\n-1 1:2 2:19.75\n-1 1:8.5 2:3.25\n", "a libsvm file", []),
    "three.tsp": (NODES, "a TSPLIB file", []),
    "rows.json": (json.dumps(POINTS.tolist()), "a JSON file", []),
    "records.json": (json.dumps(RECORDS), "a JSON file", []),
    "lines.json": ("".join(json.dumps(record) + "\n" for record in RECORDS), "a JSON file", []),
    "map.geojson": (json.dumps(FEATURES), "a GeoJSON file", []),
    "client.txt": (DRAWN, "a table drawn in text", []),
    "table.md": ("| x | y |\n|--:|---|\n| 1.5 | 20.25 |\n| 2.0 | 19.75 |\n| 8.5 | 3.25 |\n", "a table of Markdown", []),
    "printed.txt": (f"{POINTS}\n", "an array as NumPy prints it", []),
    "r.txt": ("     [,1]  [,2]\n[1,]  1.5 20.25\n[2,]  2.0 19.75\n[3,]  8.5  3.25\n", "a matrix as R prints it", []),
    "pipes.txt": ("x|y\n1.5|20.25\n2.0|19.75\n8.5|3.25\n", "a table with | between its values", []),
}


@pytest.mark.parametrize("name", FILES)
def test_texts(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text, called, others = FILES[name]
    for mark in ("", "\ufeff"):
        Path(name).write_text(f"{mark}{text}")
        with pytest.raises(InputError, match=f"^{re.escape(f'{name} is {called}')}") as caught:
            read_points(name)
    Path(name).write_text(text)
    line = str(caught.value).partition("save its points in Python with ")[2]
    names = {"numpy": np, "pandas": pd, "sklearn": sklearn, "json": json, "pathlib": pathlib}
    exec(line, names)
    saved = next(iter(tmp_path.glob("points.*")))
    np.testing.assert_array_equal(read_points(saved, ignore=others), POINTS)


def test_matlab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scipy.io.savemat("m.mat", {"X": POINTS})
    with pytest.raises(InputError, match=r"m.mat is a MATLAB file, which is not read here") as caught:
        read_points("m.mat")
    exec(str(caught.value).partition("in Python with ")[2], {"numpy": np, "scipy": scipy})
    np.testing.assert_array_equal(read_points("points.npy"), POINTS)
    for start in (b"MATLAB 7.3 MAT-file, HDF5 schema", b"\x89HDF\r\n\x1a\n"):
        Path("h.mat").write_bytes(start + bytes(500))
        with pytest.raises(InputError, match=r"h.mat is an HDF5 file.*h5py.File\('h.mat'\)"):
            read_points("h.mat")


@pytest.mark.parametrize("members", [["[Content_Types].xml", "xl/workbook.xml"], ["mimetype", "content.xml"]])
def test_workbooks(tmp_path: Path, members: list[str]) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for member in members:
            archive.writestr(member, "<x/>")
    (tmp_path / "book.xlsx").write_bytes(stream.getvalue())
    (tmp_path / "book.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504))
    for name in ("book.xlsx", "book.xls"):
        with pytest.raises(
            InputError, match=r"is a workbook of a spreadsheet, .*pandas\.read_excel\('.*book\.xlsx?'\)"
        ):
            read_points(tmp_path / name)


class TestR:
    """What ``write.table`` and ``write.csv`` of R write."""

    @pytest.mark.parametrize("sep", [" ", "\t", ";"])
    @pytest.mark.parametrize("names", ['"1"|"2"|"3"', '"plot 1"|"plot 2"|"plot 3"'])
    def test_names_of_rows_have_no_title(self, sep: str, names: str, tmp_path: Path) -> None:
        rows = "".join(f"{name}{sep}{x}{sep}{y}\n" for name, (x, y) in zip(names.split("|"), POINTS, strict=True))
        path = written(tmp_path, f'"x"{sep}"y"\n{rows}')
        for id_column in (None, "1"):
            table = read_table(path, id_column=id_column)
            assert (table.names, table.points.tolist()) == (("x", "y"), POINTS.tolist())
            assert table.ids == tuple(names.replace('"', "").split("|"))
        assert read_table(path, ignore=["1"]).ids is None

    @pytest.mark.parametrize(
        "text",
        [
            "x y\n1 1.5 20\n2 2 19\n",
            "x y\nplot1 1.5 20\nplot2 2 19\n",
            '"mass"\n15, 3\n12, 1\n',
            '"mass"\n1 234\n2 345\n',
            '"mass"\n"1.5",245 982.25\n',
            'name,mass\n"ann",1,5\n"bob",2,25\n',
            '"name","mass"\n"ann",1,5\n"bob",2,25\n',
        ],
    )
    def test_what_may_be_numbers_is_no_name_of_a_row(self, text: str, tmp_path: Path) -> None:
        with pytest.raises(
            InputError, match=r"line 1 .* has . column names? but the next row has . values; name every"
        ):
            read_points(written(tmp_path, text))

    def test_names_of_rows_above_no_titles(self, tmp_path: Path) -> None:
        path = written(tmp_path, '"1" 5.1 3.5\n"2" 4.9 3\n"3" 4.7 3.2\n')
        assert re.search(r"counts its rows in column 1, .*leave it out with --ignore 1", read_table(path).remark)
        assert read_points(path, ignore=["1"]).tolist() == [[5.1, 3.5], [4.9, 3.0], [4.7, 3.2]]

    def test_a_column_of_row_names(self, tmp_path: Path) -> None:
        path = written(tmp_path, '"","x","y"\n"1",1.5,20.25\n"2",2,19.75\n"3",8.5,3.25\n')
        table = read_table(path)
        assert (table.ids, table.points.tolist()) == (("1", "2", "3"), POINTS.tolist())
        assert "has a column 1 without a name, taken for ids" in table.remark
        for own in ({"ignore": ["1"]}, {"id_column": "x"}, {"shown": ["1"], "id_column": "2"}):
            assert read_table(path, **own).remark == ""
        path.write_text(path.read_text().replace('"3"', '"2"'))
        with pytest.raises(InputError, match=r"line 4 has the id '2' of line 3; .* or leave that column out"):
            read_table(path)
