"""What a reader without mathematics looks for: the picture first, the data, what distinguishes clusters."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos.base.exceptions import RunFileError
from pcsos.evidence.result import Reason, Result, Status
from pcsos.evidence.run_file import RunFile
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition
from tests.report.pages import Element, figures, page_of, page_of_run

pytest.importorskip("plotly", reason='needs plotly (pip install "pcsos[report]")')

MINUS = "\N{MINUS SIGN}"


def result_of(points: np.ndarray, labels: np.ndarray, **known: object) -> Result:
    instance = Instance(points, int(labels.max()) + 1, **known)  # type: ignore[arg-type]
    partition = Partition.of(instance, labels)
    return Result(instance, Status.FEASIBLE, Reason.TIME_LIMIT, partition, seconds=0.0, seed=0)


@pytest.fixture
def flowers() -> Result:
    points = np.array([[1.0, 5.0], [1.0, 6.0], [3.0, 5.0], [3.0, 6.0]])
    return result_of(points, np.array([0, 0, 1, 1]), feature_names=["petal", "sepal"])


def test_the_picture_stands_right_below_the_first_sentence(flowers: Result, tmp_path: Path) -> None:
    page = page_of(flowers, tmp_path)
    (header,), main = page.all("header"), page.by_id("main")
    assert [child.name for child in main.children if isinstance(child, Element)][:1] == ["figure"]
    assert header.all("p")[0].attributes["id"] == "proved"
    assert not header.all("nav")
    assert main.all("nav")


class TestData:
    def test_rows_columns_and_file(self, flowers: Result, tmp_path: Path) -> None:
        text = page_of(flowers, tmp_path, data="flowers.csv").by_id("data").text
        assert all(words in text for words in ("dataflowers.csv", "rows4 points", "columns2: petal, sepal"))
        assert "petal1231" in text  # least, average, greatest, standard deviation

    def test_run_file_and_day(self, tmp_path: Path) -> None:
        pcsos.solve([[0.0, 1.0], [1.0, 0.0], [8.0, 9.0]], 2, workers=1, run_file=tmp_path / "some.run")
        text = page_of_run(tmp_path / "some.run").by_id("data").text
        assert "file of the runsome.run" in text
        with RunFile.read(tmp_path / "some.run") as file:
            begun = file.begun()
        assert abs((datetime.now(UTC) - begun).total_seconds()) < 3600.0
        assert f"date of the run{begun.day} {begun:%B %Y}, {begun:%H:%M} UTC" in text

    @pytest.mark.parametrize("time", ["'<b>'", "1e300", "9e999"])
    def test_a_day_that_is_none_is_refused(self, tmp_path: Path, time: str) -> None:
        pcsos.solve([[0.0, 1.0], [1.0, 0.0], [8.0, 9.0]], 2, workers=1, run_file=tmp_path / "a.run")
        with closing(sqlite3.connect(tmp_path / "a.run")) as file, file:
            file.execute(f"UPDATE events SET time = {time}")
        with pytest.raises(RunFileError, match="changed or damaged"):
            page_of_run(tmp_path / "a.run")

    def test_many_columns_are_not_all_named(self, tmp_path: Path) -> None:
        names = [f"c{number}" for number in range(15)]
        result = result_of(np.random.default_rng(0).normal(size=(6, 15)), np.arange(6) % 2, feature_names=names)
        assert (
            "15: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 and 3 more"
            in page_of(result, tmp_path).by_id("data").text
        )


class TestDifferences:
    def test_sentences_heat_map_and_averages(self, flowers: Result, tmp_path: Path) -> None:
        section = page_of(flowers, tmp_path).by_id("differences")
        assert [item.text for item in section.all("li")] == [
            f"Cluster 0 (2 points): petal low ({MINUS}1.0)",
            "Cluster 1 (2 points): petal high (+1.0)",
        ]
        heat, averages = section.all("table")
        rows = [row.all("td") for row in heat.all("tbody")[0].all("tr")]
        assert [[cell.text for cell in row] for row in rows] == [[f"{MINUS}1.0", "+1.0"], ["0.0", "0.0"]]
        assert [cell.attributes["class"] for cell in rows[0]] == ["down", "up"]
        assert all(cell.all("b") for cell in rows[0])  # clear without colour
        assert not any(cell.all("b") for cell in rows[1])
        assert [row.text for row in averages.all("tr")] == [
            *("columnall pointscluster 0cluster 1", "petal213", "sepal5.55.55.5"),
        ]

    def test_many_columns_and_clusters_are_capped_the_clearest_first(self, tmp_path: Path) -> None:
        labels = np.arange(60) % 25
        points = np.random.default_rng(0).normal(size=(60, 15))
        points[:, 14] += labels
        section = page_of(result_of(points, labels), tmp_path).by_id("differences")
        heat, further = section.all("table")[:2]
        assert [len(table.all("tbody")[0].all("tr")) for table in (heat, further)] == [12, 3]
        assert heat.all("tbody")[0].all("th")[0].text == "feature 15"
        assert "The tables show the first 20 of the 25 clusters." in section.text
        assert [len(items.all("li")) for items in section.all("ul")] == [12, 13]
        assert len(heat.all("thead")[0].all("th")) == 21
        assert further in [table for fold in section.all("details") for table in fold.all("table")]

    def test_inner_products_have_no_features(self, tmp_path: Path) -> None:
        points = np.random.default_rng(0).normal(size=(8, 3))
        page = page_of(pcsos.solve(pcsos.Gram(points @ points.T), 2, workers=1), tmp_path)
        assert not [section for section in page.all("section") if section.attributes["id"] == "differences"]
        assert "inner products" in page.by_id("data").text
        trace = next(trace for trace in figures(page)["points-figure"]["data"] if "customdata" in trace)
        assert all(len(row) == 1 for row in trace["customdata"])

    def test_one_cluster_differs_in_nothing(self, tmp_path: Path) -> None:
        section = page_of(result_of(np.eye(3), np.zeros(3, int)), tmp_path).by_id("differences")
        assert section.all("h2")[0].text == "The cluster in figures"
        assert len(section.all("table")) == 1


class TestHover:
    def test_values_have_their_names(self, flowers: Result, tmp_path: Path) -> None:
        first = next(
            trace for trace in figures(page_of(flowers, tmp_path))["points-figure"]["data"] if "customdata" in trace
        )
        assert first["customdata"] == [["0", "1", "5"], ["1", "1", "6"]]
        assert "petal: %{customdata[1]}<br>sepal: %{customdata[2]}<extra>" in first["hovertemplate"]

    def test_of_many_features_those_that_tell_clusters_apart_are_shown(self, tmp_path: Path) -> None:
        labels = np.arange(20) % 2
        points = np.random.default_rng(0).normal(size=(20, 10))
        points[:, 3] = points[:, 6] = labels == 5  # constant
        template = next(
            trace
            for trace in figures(page_of(result_of(points, labels), tmp_path))["points-figure"]["data"]
            if "customdata" in trace
        )["hovertemplate"]
        lines = template.split("<extra>")[0].split("<br>")
        assert [line.split(": %")[0] for line in lines[1:-1]] == [f"feature {n}" for n in (1, 2, 3, 5, 6, 8, 9, 10)]
        assert lines[-1] == "..."

    def test_a_name_cannot_fill_in_or_mark_up_anything(self, tmp_path: Path) -> None:
        result = result_of(np.eye(3), np.array([0, 0, 1]), feature_names=["<b>x", "%{customdata[0]}", "z"])
        first = next(
            trace for trace in figures(page_of(result, tmp_path))["points-figure"]["data"] if "customdata" in trace
        )
        assert "&lt;b&gt;x" in first["hovertemplate"]
        assert "%&#123;customdata[0]}: %{customdata[2]}" in first["hovertemplate"]


class TestDoubt:
    def test_points_near_a_border_are_ringed_and_listed(self, tmp_path: Path) -> None:
        points = np.array([[0.0, 0.0], [0.0, 2.0], [2.05, 1.0], [4.0, 0.0], [4.0, 2.0]])
        result = result_of(points, np.array([0, 0, 1, 1, 1]), weights=[99.0, 99.0, 1.0, 99.0, 99.0])
        page = page_of(result, tmp_path)
        (ring,) = [trace for trace in figures(page)["points-figure"]["data"] if trace["name"] == "near a border"]
        assert ring["marker"]["symbol"] == "circle-open"
        section = page.by_id("doubt")
        assert section.text.startswith("Points in doubt1 point near a border:")
        assert [item.text for item in section.all("li")] == ["cluster 1: 2"]

    def test_points_that_may_belong_elsewhere_are_ringed_where_that_is_asked(self, tmp_path: Path) -> None:
        path = tmp_path / "a.run"
        pcsos.solve([0.0, 1.0, 5.0, 9.0, 10.0], 2, workers=1, run_file=path)
        for certain, expected in ((None, []), (0.1, ["diamond-open"])):
            traces = figures(page_of_run(path, certain=certain))["points-figure"]["data"]
            found = [trace["marker"]["symbol"] for trace in traces if trace["name"] == "may belong elsewhere"]
            assert found == expected


def test_long_tables_are_folded(tmp_path: Path) -> None:
    for k, num_folds in ((3, 0), (14, 1)):
        section = page_of(result_of(np.arange(28.0)[:, None], np.arange(28) % k), tmp_path).by_id("clusters")
        sizes = section.all("table")[0]
        folds = [fold for fold in section.all("details") if sizes in fold.all("table")]
        assert len(folds) == num_folds
        assert [fold.all("summary")[0].text for fold in folds] == ["Sizes: 14 rows"] * num_folds
