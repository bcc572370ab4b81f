"""Files that other programs wrote are read as what those programs were given, or refused; never as something else."""

import csv
import itertools
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pytest
from scipy import sparse
from sklearn import datasets

from pcsos.base.exceptions import InputError
from pcsos.io import read_points
from tests.slow import first_few

Names = list[object]

DATA: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "decimals": lambda rng, d: rng.normal(size=(9, d)),
    "small whole numbers": lambda rng, d: rng.integers(0, 10, (9, d)),
    "whole numbers": lambda rng, d: rng.integers(-300, 300, (9, d)),
    "whole decimals": lambda rng, d: rng.integers(0, 50, (9, d)).astype(float),
    "magnitudes": lambda rng, d: rng.normal(size=(9, d)) * 10.0 ** rng.integers(-90, 90, (9, d)),
}

NAMES: dict[str, Callable[[int], Names]] = {
    "counted from 0": lambda d: list(range(d)),
    "counted from 1": lambda d: list(range(1, d + 1)),
    "years": lambda d: list(range(2019, 2019 + d)),
    "years backwards with gaps": lambda d: [2020, 2011, 2004, 1998, 1990, 1950, 1900][:d],
    "decades as text": lambda d: [str(1950 + 10 * i) for i in range(d)],
    "wave lengths": lambda d: [400.0 + 2.5 * i for i in range(d)],
    "numbered from 100": lambda d: [100 + i for i in range(d)],
}


def frame(values: np.ndarray, names: Names | None) -> pd.DataFrame:
    return pd.DataFrame(values, columns=None if names is None else pd.Index(names, dtype=object))


def by_pandas(path: Path, values: np.ndarray, names: Names | None, sep: str) -> None:
    frame(values, names).to_csv(path, sep=sep, index=False, header=names is not None)


def by_pandas_quoting_text(path: Path, values: np.ndarray, names: Names | None, sep: str) -> None:
    quoting = csv.QUOTE_NONNUMERIC
    columns = None if names is None else [str(name) for name in names]
    frame(values, columns).to_csv(path, sep=sep, index=False, header=names is not None, quoting=quoting)


def by_numpy(path: Path, values: np.ndarray, names: Names | None, sep: str) -> None:
    fmt = "%d" if values.dtype.kind == "i" else "%.17g"
    np.savetxt(path, values, fmt=fmt, delimiter=sep, comments="", header=sep.join(map(str, names or [])))
    if names is None:
        path.write_text(path.read_text().lstrip("\n"))


def by_arrow(path: Path, values: np.ndarray, names: Names | None, sep: str) -> None:
    table = pa.table({str(name): values[:, i] for i, name in enumerate(names or range(values.shape[1]))})
    pa.csv.write_csv(table, path, pa.csv.WriteOptions(include_header=names is not None, delimiter=sep))


def by_spreadsheet(path: Path, values: np.ndarray, names: Names | None, sep: str) -> None:
    """Write as Excel does: a byte order mark, CRLF, and numbers without needless decimals."""
    with path.open("w", newline="", encoding="utf-8-sig") as stream:
        rows = [[f"{value:.17g}" for value in row] for row in values.tolist()]
        csv.writer(stream, dialect="excel", delimiter=sep).writerows([*([names] if names else []), *rows])


WRITERS = [by_pandas, by_pandas_quoting_text, by_numpy, by_arrow, by_spreadsheet]

#: Rows whose first value is all that could tell a name from a value cannot be judged; two columns hardly.
COLUMNS = (3, 5, 7)


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("kind", DATA)
class TestTextFiles:
    @pytest.mark.parametrize("names", first_few(3, NAMES))
    def test_numbers_as_names_are_never_a_point(self, tmp_path: Path, write: Callable, kind: str, names: str) -> None:
        rng = np.random.default_rng(0)
        few = (2,) if names == "counted from 0" else ()
        for d, sep in itertools.product((*few, *COLUMNS), ",;\t "):
            values, path = DATA[kind](rng, d), tmp_path / "points"
            write(path, values, NAMES[names](d), sep)
            with pytest.raises(InputError, match=r"line 1 .*--header .*--no-header"):
                read_points(path)
            np.testing.assert_array_equal(read_points(path, header=True), values)

    def test_text_as_names(self, tmp_path: Path, write: Callable, kind: str) -> None:
        rng, path = np.random.default_rng(2), tmp_path / "points.csv"
        for d, sep in itertools.product((1, *COLUMNS), ",;\t"):
            values = DATA[kind](rng, d)
            write(path, values, [f"sensor {i}" for i in range(d)], sep)
            for header in (None, True):
                np.testing.assert_array_equal(read_points(path, header=header), values)
            with pytest.raises(InputError, match=r"line 1, column 1 is 'sensor"):
                read_points(path, header=False)

    def test_no_names(self, tmp_path: Path, write: Callable, kind: str) -> None:
        rng, path = np.random.default_rng(3), tmp_path / "points.csv"
        for d, sep in itertools.product((1, *COLUMNS), ",;\t "):
            values = DATA[kind](rng, d)
            write(path, values, None, sep)
            for header in (None, False):
                np.testing.assert_array_equal(read_points(path, header=header), values)


@pytest.mark.parametrize("name", ["iris", "wine", "digits", "breast_cancer", "diabetes", "linnerud"])
@pytest.mark.parametrize("fmt", ["%g", "%.18e"])
def test_ordinary_data_without_names_is_read_without_fuss(tmp_path: Path, name: str, fmt: str) -> None:
    values = getattr(datasets, f"load_{name}")().data
    path = tmp_path / "points.csv"
    np.savetxt(path, values, fmt=fmt, delimiter=",")
    np.testing.assert_array_equal(read_points(path), np.loadtxt(path, delimiter=","))


@pytest.mark.shared
def test_every_published_data_set_is_read_as_numpy_reads_it(shared_folder: Path) -> None:
    found = [path for path in shared_folder.rglob("*.gz") if "constraints" not in str(path)]
    assert found
    for path in found:
        delimiter = "," if ".csv" in path.name else None
        np.testing.assert_array_equal(read_points(path), np.loadtxt(path, delimiter=delimiter, skiprows=1, ndmin=2))


class TestPandas:
    VALUES = np.random.default_rng(4).normal(size=(6, 3))

    def test_row_numbers_beside_numbers_as_names(self, tmp_path: Path) -> None:
        path = tmp_path / "points.csv"
        frame(self.VALUES, [0, 1, 2]).to_csv(path)
        with pytest.raises(InputError, match=r"line 1, column 1 is empty.*--header"):
            read_points(path)
        for ignore in ([], [""]):
            np.testing.assert_array_equal(read_points(path, header=True, ignore=ignore), self.VALUES)

    def test_parquet(self, tmp_path: Path) -> None:
        path = tmp_path / "points.parquet"
        frame(self.VALUES, ["2019", "2020", "2021"]).to_parquet(path)
        np.testing.assert_array_equal(read_points(path), self.VALUES)
        np.testing.assert_array_equal(read_points(path, ignore=["2020"]), self.VALUES[:, [0, 2]])
        with pytest.raises(InputError, match="kind parquet, which has no first line; leave out --header"):
            read_points(path, header=True)


class TestNumPyAndSciPy:
    VALUES = np.random.default_rng(6).normal(size=(6, 2)) * (np.arange(12).reshape(6, 2) % 3 > 0)

    @pytest.mark.parametrize("dtype", ["f2", "f4", "f8", ">f8", "i1", "u2", "i8", "?", "g"])
    @pytest.mark.parametrize("order", ["C", "F"])
    def test_arrays(self, tmp_path: Path, dtype: str, order: str) -> None:
        values = np.asarray(self.VALUES * 10, dtype, order)  # type: ignore[call-overload]
        np.save(tmp_path / "a.npy", values)
        np.savez(tmp_path / "a.npz", labels=np.zeros(6), X=values)
        np.savez_compressed(tmp_path / "b.npz", values)
        for name in ("a.npy", "a.npz", "b.npz"):
            np.testing.assert_array_equal(read_points(tmp_path / name), values.astype(float))

    @pytest.mark.parametrize("layout", ["csr", "csc", "coo", "bsr", "dia"])
    @pytest.mark.parametrize("compressed", [False, True])
    def test_sparse_matrices_are_refused_by_name(self, tmp_path: Path, layout: str, compressed: bool) -> None:
        for matrix in (sparse.csr_matrix(self.VALUES), sparse.csr_array(self.VALUES)):
            sparse.save_npz(tmp_path / "points.npz", matrix.asformat(layout), compressed)
            with pytest.raises(InputError, match=r"points\.npz is a sparse matrix; save it dense.*toarray"):
                read_points(tmp_path / "points.npz")

    def test_arrays_called_like_those_of_sparse_matrices(self, tmp_path: Path) -> None:
        np.savez(tmp_path / "points.npz", data=self.VALUES, row=np.arange(6))
        np.testing.assert_array_equal(read_points(tmp_path / "points.npz"), self.VALUES)


def test_parquet_without_pyarrow_is_refused_with_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pd.DataFrame({"x": [1.0, 2.0]}).to_parquet(tmp_path / "points.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"needs pyarrow; install pcsos\[parquet\]"):
        read_points(tmp_path / "points.parquet")
