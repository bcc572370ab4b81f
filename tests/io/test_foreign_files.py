"""Files of other programs are refused by their names, and the line of Python that is named saves their points."""

import bz2
import contextlib
import gzip
import io
import json
import lzma
import pathlib
import pickle
import re
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.io
import sklearn.datasets

from pcsos.base.exceptions import InputError
from pcsos.io import read_constraints, read_points, read_table, read_weights
from pcsos.io.labels import read_labels
from tests.io.files import written

POINTS = np.array([[1.5, 20.25], [2.0, 19.75], [8.5, 3.25]])
LINE = "+-----+-------+\n"
NODES = "NAME: three\nTYPE : TSP\nDIMENSION: 3\nNODE_COORD_SECTION\n1 1.5 20.25\n2 2 19.75\n3 8.5 3.25\nEOF\n"
RECORDS = [{"a": a, "b": b} for a, b in POINTS.tolist()]
FEATURES = {"type": "FeatureCollection", "features": [{"geometry": {"coordinates": p}} for p in POINTS.tolist()]}
DRAWN = f"{LINE}| x   | y     |\n{LINE}| 1.5 | 20.25 |\n| 2.0 | 19.75 |\n| 8.5 |  3.25 |\n{LINE}"
ROWS = "1.5,20.25,A\n2.0,19.75,A\n8.5,3.25,B\n"
PLAIN = "".join(f"{x} {y}\n" for x, y in POINTS)
TABBED, LATEX = PLAIN.replace(" ", "\t"), PLAIN.replace(" ", " & ").replace("\n", " \\\\\n")
COLUMNS = "".join(f"{value}\n" for value in POINTS.T.flat)
INSERTED = "".join(f"INSERT INTO `p` VALUES ({x},{y});\n" for x, y in POINTS)
PLACES = "".join(f"<Point><coordinates>{x},{y},0</coordinates></Point>\n" for x, y in POINTS)

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
    "printed.txt": (f"{POINTS}\n", "an array as programs print it", []),
    "r.txt": ("     [,1]  [,2]\n[1,]  1.5 20.25\n[2,]  2.0 19.75\n[3,]  8.5  3.25\n", "a matrix as R prints it", []),
    "open.md": ("x | y\n--- | ---\n1.5 | 20.25\n2.0 | 19.75\n8.5 | 3.25\n", "a table of Markdown", []),
    "lists.jsonl": ("[1.5, 20.25]\n[2.0, 19.75]\n[8.5, 3.25]\n", "a JSON file", []),
    "qid.txt": ("1 qid:1 1:1.5 2:20.25\n0 qid:1 1:2 2:19.75 # b\n0 qid:2 1:8.5 2:3.25\n", "a libsvm file", []),
    "routes.vrp": (NODES.replace("EOF", "DEMAND_SECTION\n1 0\n2 7\n3 9\nEOF"), "a TSPLIB file", []),
    "python.txt": (f"{POINTS!r}\n", "an array as programs print it", []),
    "wide.txt": ("[[1.5\n  20.25]\n [2.\n  19.75]\n [8.5\n  3.25]]\n", "an array as programs print it", []),
    "tuples.txt": ("(1.5, 20.25)\n(2.0, 19.75)\n(8.5, 3.25)\n", "an array as programs print it", []),
    "braces.txt": ("{{1.5, 20.25}, {2., 19.75}, {8.5, 3.25}}\n", "an array as programs print it", []),
    "one_line.jl": ("[1.5 20.25; 2.0 19.75; 8.5 3.25]\n", "an array as programs print it", []),
    "matlab.txt": (
        "X =\n\n    1.5000   20.2500\n    2.0   19.75\n    8.5    3.25\n",
        "a matrix as programs display",
        [],
    ),
    "julia.txt": (
        "3×2 Matrix{Float64}:\n 1.5  20.25\n 2.0  19.75\n 8.5   3.25\n",
        "a matrix as programs display it",
        [],
    ),
    "array.mtx": (f"%%MatrixMarket matrix array real general\n%\n3 2\n{COLUMNS}", "a MatrixMarket file", []),
    "flow.yaml": ("".join(f"- {{x: {x}, y: {y}}}\n" for x, y in POINTS), "a YAML file", []),
    "block.yaml": ("---\n" + "".join(f"- x: {x}\n  y: {y}\n" for x, y in POINTS), "a YAML file", []),
    "dump.sql": (f"-- MySQL dump\nCREATE TABLE p (x decimal(4,2), y int);\n{INSERTED}", "a dump of SQL", []),
    "many.sql": ("INSERT INTO p (x, y) VALUES\n(1.5,20.25),\n(2.0,19.75),(8.5,3.25);\n", "a dump of SQL", []),
    "script.m": ("X = [1.5 20.25 % mm\n+2,19.75\n8.5 3.25];\n", "a matrix as MATLAB writes it", []),
    "copied.sql": (
        f"--\n-- PostgreSQL database dump\n--\nSET x = 1;\nCOPY p (x, y) FROM stdin;\n{TABBED}\\.\n\nSELECT 1;\n",
        "a dump of PostgreSQL",
        [],
    ),
    "table.tex": (
        f"\\begin{{tabular}}{{rr}}\n\\toprule\nx & y \\\\\n{LATEX}\\end{{tabular}}\n",
        "a table of LaTeX",
        [],
    ),
    "rows.tex": (LATEX, "a table of LaTeX", []),
    "map.kml": (f'<?xml version="1.0"?>\n<kml xmlns="k">\n{PLACES}</kml>\n', "a KML file", []),
    "series.txt": (f'!Series_title\t"a"\n"x"\t"y"\n{TABBED}!end\n', "a series matrix of GEO", []),
    "pipes.txt": ("x|y\n1.5|20.25\n2.0|19.75\n8.5|3.25\n", "a table with | between its values", []),
}


NAMES = {"numpy": np, "pandas": pd, "scipy": scipy, "pyarrow": pa, "sklearn": sklearn}
NAMES |= {module.__name__: module for module in (bz2, joblib, json, lzma, pathlib, re, sqlite3)}


@pytest.mark.parametrize("name", FILES)
def test_texts(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text, called, others = FILES[name]
    for mark in ("", "\ufeff"):
        Path(name).write_text(f"{mark}{text}")
        with pytest.raises(InputError, match=f"^{re.escape(f'{name} is {called}')}") as caught:
            read_points(name)
    Path(name).write_text(text)
    line = str(caught.value).partition("save what it holds in Python with ")[2]
    exec(line, NAMES | ({"yaml": pytest.importorskip("yaml")} if "yaml" in line else {}))
    saved = next(iter(tmp_path.glob("points.*")))
    np.testing.assert_array_equal(read_points(saved, ignore=others), POINTS)


@pytest.mark.parametrize(
    "text", ["structure(list(x = c(1.5, 2)), class = 'data.frame')\n", "X <-\nstructure(c(1.5, 2))\n"]
)
def test_code_of_r(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(
        InputError, match=r"is code of R, .* save what it holds in R with write\.csv\(source\('.*'\)\$value"
    ):
        read_points(path)


@pytest.mark.parametrize("text", ["ML ann bob\nCL ann eve\n", "ml;ann;bob\nscl;ann;eve\n"])
def test_pairs_of_ids_are_no_points(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 1 begins with '(ML|ml)' like a constraint file; give the points here"):
        read_points(written(tmp_path, text))


@pytest.mark.parametrize("text", ["[points]\na = 1\n", "- 1.5 2\n3 4 5\n", "(12),3\n4,5\n", "--5,1\n2,3\n"])
def test_what_is_no_text_of_another_program(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r" line 1") as caught:
        read_points(written(tmp_path, text))
    assert "which is not read here" not in str(caught.value)


def _as_stream(name: str, frame: pd.DataFrame) -> None:
    table = pa.Table.from_pandas(frame)
    with pa.ipc.new_stream(name, table.schema) as stream:
        stream.write_table(table)


def _of_sqlite(name: str, frame: pd.DataFrame) -> None:
    with contextlib.closing(sqlite3.connect(name)) as connection:
        frame.to_sql("points", connection, index=False)


#: What writes a file, given its name and a table, and what the file is called.
WRITERS: dict[str, tuple[Callable[[str, pd.DataFrame], object], str]] = {
    "frame.pkl": (lambda name, frame: frame.to_pickle(name), "a pickle"),
    "array.pickle": (lambda name, frame: Path(name).write_bytes(pickle.dumps(frame.to_numpy(), 2)), "a pickle"),
    "array.joblib": (lambda name, frame: joblib.dump(frame.to_numpy(), name), "a pickle of joblib"),
    "p.bz2": (lambda name, frame: frame.to_csv(name, index=False), "a file packed by bzip2"),
    "p.xz": (lambda name, frame: frame.to_csv(name, index=False), "a file packed by xz"),
    "p.zst": (
        lambda name, frame: Path(name).write_bytes(
            pa.compress(frame.to_csv(index=False).encode(), "zstd", asbytes=True)
        ),
        "a file packed by zstd",
    ),
    "p.feather": (lambda name, frame: frame.to_feather(name), "a Feather file"),
    "p.arrows": (_as_stream, "a stream of Arrow"),
    "p.orc": (lambda name, frame: frame.to_orc(name), "an ORC file"),
    "p.dta": (lambda name, frame: frame.to_stata(name, write_index=False), "a Stata file"),
    "p.db": (_of_sqlite, "a database"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_binary_files(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write, called = WRITERS[name]
    write(name, pd.DataFrame(POINTS, columns=["x", "y"]))
    for read in (
        read_points,
        lambda path: read_weights(path, 3),
        lambda path: read_labels(path, 3),
        lambda path: read_constraints(path, POINTS),
    ):
        with pytest.raises(InputError, match=f"^{re.escape(f'{name} is {called}, which is not read here;')}") as caught:
            read(name)
    exec(str(caught.value).partition("in Python with ")[2], NAMES)
    np.testing.assert_array_equal(read_points(next(iter(tmp_path.glob("points.*")))), POINTS)


@pytest.mark.parametrize(
    ("start", "called", "how"),
    [
        (b"CDF\x01", "a NetCDF file", "xarray.open_dataset"),
        (b"$FL2@(#) SPSS DATA FILE", "an SPSS file", "pandas.read_spss"),
        (bytes(12) + b"\xc2\xea\x81\x60\xb3", "a SAS file", "pandas.read_sas"),
        (b"HEADER RECORD*******LIBRARY HEADER", "a transport file of SAS", "pyreadstat.read_xport"),
        (b"RDX3\nX\n", "a workspace of R", r"write\.csv\(get\(load"),
        (b"X\n\x00\x00\x00\x03\x00", "an object of R", r"write\.csv\(readRDS"),
        (b"SIMPLE  =                    T", "a FITS file", "astropy.table.Table.read"),
        (b"\x00\x00\x27\x0a\x00\x00", "a shapefile", "geopandas.read_file"),
        (b"\x89PNG\r\n\x1a\n", "an image", "PIL.Image.open"),
        (bytes(257) + b"ustar", "an archive of tar", "python -m tarfile -e"),
        (b"<!DOCTYPE html>\n<table>", "a page of HTML", "pandas.read_html"),
        (b'<?xml version="1.0"?>\n<gpx version="1.1">', "a GPX file", "pandas.read_xml"),
        (b"<data>\n<row><x>1</x></row>\n", "an XML file", "pandas.read_xml"),
        (b"# .PCD v.7\nVERSION .7\nFIELDS x y\n", "a cloud of points", "open3d.io.read_point_cloud"),
    ],
)
def test_programs_that_are_not_here(start: bytes, called: str, how: str, tmp_path: Path) -> None:
    path = tmp_path / "points.file"
    for data in (start + bytes(300) * (b"\x00" in start), gzip.compress(start)):
        path.write_bytes(data)
        with pytest.raises(InputError, match=f"points.file is {called}, which is not read here; .*{how}"):
            read_points(path)


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
            archive.writestr(member, "application/vnd.oasis.opendocument.spreadsheet")
    (tmp_path / "book.xlsx").write_bytes(stream.getvalue())
    (tmp_path / "book.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504))
    for name in ("book.xlsx", "book.xls"):
        with pytest.raises(InputError, match=r"is a workbook, .*pandas\.read_excel\('.*book\.xlsx?'\)"):
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
