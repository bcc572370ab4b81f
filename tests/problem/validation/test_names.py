"""Names of points and features: from tables and files, through run files, into tables, messages and the page."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pcsos
from pcsos import cli
from pcsos.base.exceptions import InputError, RunFileError
from pcsos.io import PointNames, read_table
from pcsos.problem.instance import Instance
from pcsos.verify import verify

NAMES = ["ash", "beech", "cedar", "dog wood", "elm"]
TABLE = pd.DataFrame({"height": [1.0, 1.1, 5.0, 5.1, 9.0], "girth": [2.0, 2.1, 6.0, 6.2, 9.0]}, index=NAMES)


class TestTables:
    def test_pairs_name_rows_by_the_index(self) -> None:
        by_name = Instance(TABLE, 2, must_link=[("elm", "ash")], cannot_link=pd.DataFrame([("cedar", "ash")]))
        assert by_name.must_link.tolist() == [[0, 4]]
        assert by_name.cannot_link.tolist() == [[0, 2]]
        assert by_name.names[3] == "dog wood"
        assert by_name.feature_names == ("height", "girth")

    def test_whole_numbers_in_an_index_are_labels_too(self) -> None:
        table = TABLE.set_axis([40, 30, 20, 10, 0])
        assert Instance(table, 2, must_link=[(40, 0)]).must_link.tolist() == [[0, 4]]
        with pytest.raises(InputError, match=r"must_link\[1\] names the row 4, which is not in the index"):
            Instance(table, 2, must_link=[(40, 0), (0, 4)])

    def test_an_index_of_positions_changes_nothing(self) -> None:
        instance = Instance(TABLE.reset_index(drop=True), 2, must_link=[(0, 4)])
        assert instance.must_link.tolist() == [[0, 4]]
        assert instance.names.are_indices

    def test_repeated_labels_are_no_names(self) -> None:
        table = TABLE.set_axis(["a", "a", "b", "c", "d"])
        assert Instance(table, 2).names.are_indices
        with pytest.raises(InputError, match="cannot name rows by an index with labels that occur twice"):
            Instance(table, 2, must_link=[("b", "c")])

    def test_columns_without_names_are_numbered(self) -> None:
        assert Instance(TABLE.set_axis([0, 1], axis=1), 2).feature_names is None
        assert Instance(TABLE.to_numpy(), 2).feature_names is None

    def test_one_name_a_feature(self) -> None:
        assert Instance([[1.0, 2.0]], 1, feature_names=["x", "y"]).feature_names == ("x", "y")
        with pytest.raises(InputError, match="feature_names are 3 for 2 features"):
            Instance([[1.0, 2.0]], 1, feature_names=["x", "y", "z"])

    def test_a_frame_of_a_result_has_the_index_of_the_table(self) -> None:
        result = pcsos.solve(TABLE, 2, workers=1)
        assert result.to_frame().index.tolist() == NAMES
        times = TABLE.set_axis(pd.date_range("2026-01-01", periods=5))
        assert pcsos.solve(times, 2, workers=1).to_frame().index.equals(pd.Index(times.index, name="id"))
        assert pcsos.solve(TABLE.to_numpy(), 2, workers=1).to_frame().index.tolist() == [0, 1, 2, 3, 4]
        assert pcsos.solve(TABLE.rename_axis("tree"), 2, workers=1).to_frame().index.name == "tree"

    def test_series_in_another_order_are_refused(self) -> None:
        turned = pd.Series([0, 0, 0, 1, 1], index=NAMES).iloc[::-1]
        with pytest.raises(InputError, match=r"labels have another index than the points; give them as labels\.loc"):
            pcsos.certify(TABLE, turned)
        with pytest.raises(InputError, match="weights have another index"):
            Instance(TABLE, 2, weights=turned + 1.0)
        with pytest.raises(InputError, match="start have another index"):
            pcsos.solve(TABLE, 2, start=turned)
        assert pcsos.certify(TABLE, turned.loc[NAMES], workers=1).labels.tolist() == [0, 0, 0, 1, 1]

    def test_collected_pairs_are_those_that_solve_takes(self) -> None:
        for index in (NAMES, [1, 2, 3, 4, 5], range(5)):
            table = TABLE.set_axis(index)
            got = pcsos.collect(table, lambda i, j: (i < 2) == (j < 2), budget=4, n_clusters=2)
            result = pcsos.solve(table, 2, must_link=got.must_link, cannot_link=got.cannot_link, workers=1)
            assert len(result.instance.cannot_link) == len(got.cannot_link) > 0
            for i, j, same in got.questions:
                assert (result.labels[i] == result.labels[j]) == same

    def test_contradictions_are_told_in_names(self) -> None:
        pairs = {"must_link": [("elm", "dog wood")], "cannot_link": [("dog wood", "elm")]}
        result = pcsos.solve(TABLE, 2, workers=1, **pairs)
        assert result.message == (
            "points 'dog wood' and elm cannot be linked, but must-links connect them: 'dog wood' - elm; "
            "one of these has to go: ML 'dog wood' elm, CL 'dog wood' elm"
        )
        assert result.conflict.must_link == ((3, 4),)


class TestEstimators:
    def test_the_result_knows_names(self) -> None:
        fitted = pcsos.CertifiedKMeans(2).fit(TABLE, sample_weight=[1, 0, 1, 1, 1])
        frame = fitted.result_.to_frame()
        assert frame.index.tolist() == ["ash", "cedar", "dog wood", "elm"]
        assert fitted.result_.instance.feature_names == ("height", "girth")

    def test_positions_are_names_where_rows_are_left_out(self) -> None:
        fitted = pcsos.CertifiedKMeans(2).fit(TABLE.to_numpy(), sample_weight=[1, 0, 1, 1, 1])
        assert fitted.result_.to_frame().index.tolist() == [0, 2, 3, 4]

    def test_pairs_that_all_name_nothing_are_told_apart(self) -> None:
        with pytest.warns(UserWarning, match=r"has 1 of 1 pairs .* labels of the index, not by their positions"):
            pcsos.CertifiedKMeans(2).fit(TABLE, must_link=[(0, 4)])


class TestRunFiles:
    @pytest.fixture
    def run_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.chdir(tmp_path)
        TABLE.to_csv("trees.csv", index_label="name")
        Path("pairs.txt").write_text('ML;ash;elm\nCL;"dog wood";ash\n')
        arguments = ["solve", "trees.csv", "-k", "3", "--id", "name", "--constraints", "pairs.txt", "--quiet"]
        assert cli.main([*arguments, "--run-file", "trees.run", "--node-limit", "0"]) == 4
        return tmp_path / "trees.run"

    def test_a_resumed_run_writes_ids(self, run_file: Path) -> None:
        assert cli.main(["resume", str(run_file), "--quiet", "--labels", "labels.csv"]) == 0
        assert [line.split(",")[0] for line in Path("labels.csv").read_text().splitlines()] == ["id", *NAMES]
        verdict = verify(run_file, read_table("trees.csv", id_column="name").points, n_clusters=3)
        assert verdict.status == "OPTIMAL"

    def test_numbers_from_one_are_kept(self, tmp_path: Path) -> None:
        np.savetxt(tmp_path / "points.txt", TABLE.to_numpy())
        given = [str(tmp_path / "points.txt"), "-k", "2", "--one-based", "--quiet"]
        cli.main(["solve", *given, "--run-file", str(tmp_path / "a.run"), "--node-limit", "0"])
        cli.main(["resume", str(tmp_path / "a.run"), "--quiet", "--labels", str(tmp_path / "labels.csv")])
        assert (tmp_path / "labels.csv").read_text().splitlines()[1].startswith("1,")

    def test_labels_of_other_kinds_become_text(self, tmp_path: Path) -> None:
        times = TABLE.set_axis(pd.date_range("2026-01-01", periods=5))
        pcsos.solve(times, 2, workers=1, run_file=tmp_path / "a.run")
        assert pcsos.resume(tmp_path / "a.run").to_frame().index[1] == "2026-01-02 00:00:00"

    @pytest.mark.parametrize(
        "names",
        [
            "{}", "[]", "7", "nonsense", '{"first": 2, "ids": null, "features": null}',
            '{"first": 0, "ids": ["a"], "features": null}', '{"first": 0, "ids": [1, 2, 3, 4, [5]], "features": null}',
            '{"first": 0, "ids": null, "features": ["x"]}', '{"first": 0, "ids": null, "features": [1, 2]}',
        ],
    )  # fmt: skip
    def test_damaged_names_are_refused(self, run_file: Path, names: str) -> None:
        with closing(sqlite3.connect(run_file)) as file, file:
            file.execute("UPDATE instance SET names = ?", (names,))
        with pytest.raises(RunFileError, match="changed or damaged"):
            pcsos.resume(run_file)

    def test_the_page_shows_names_and_lets_none_of_them_in(self, run_file: Path) -> None:
        pytest.importorskip("plotly", reason='needs plotly (pip install "pcsos[report]")')
        hostile = '</script><img src=x onerror="alert(1)"><b>' + "long " * 30
        with closing(sqlite3.connect(run_file)) as file, file:
            (text,) = file.execute("SELECT names FROM instance").fetchone()
            names = json.loads(text)
            names["ids"][0], names["features"][0] = hostile, hostile
            file.execute("UPDATE instance SET names = ?", (json.dumps(names),))
        assert cli.main(["report", str(run_file), "-o", "page.html"]) == 0
        page = Path("page.html").read_text()
        assert "dog wood" in page
        assert "girth" in page
        assert "feature 2" not in page
        assert "<img" not in page.split("<script")[0]
        assert "\\u003cimg" not in page  # Plotly would take it for a tag
        assert "&lt;img" in page


def test_files_call_points_by_names() -> None:
    names = PointNames(3, ids=["a b", "c", 7])
    assert [names.word(point) for point in range(3)] == ["'a b'", "c", "7"]
    assert names.index("7", "pairs.txt line 1") == 2
    assert list(PointNames(2, first=1).labels) == [1, 2]
