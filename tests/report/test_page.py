"""The page without a browser: its structure, its words, and that nothing foreign gets into it."""

import base64
import hashlib
import pickle
import re
import sqlite3
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos import cli
from pcsos.base.events import IncumbentFound, Notice
from pcsos.base.exceptions import InputError, RunFileError
from pcsos.evidence.result import Reason, Result, Status
from pcsos.evidence.result.words import percent
from pcsos.evidence.run_file import RunFile
from pcsos.problem.generate import gaussian_mixture
from pcsos.problem.instance import Instance
from pcsos.problem.params import Params, PriceParams, TreeParams
from pcsos.report.contents import of_run_file
from pcsos.report.write import write_report
from tests.report.pages import figures, page_at, page_of, page_of_run

pytest.importorskip("plotly", reason='needs plotly (pip install "pcsos[report]")')

HOSTILE = '</script><img src=x onerror="alert(1)">'
BY_TREE = Params(prices=PriceParams(features_up_to=0))
POINTS = np.random.default_rng(3).normal(size=(24, 2)) + 4.0 * np.repeat([[0, 0], [1, 0], [0, 1]], 8, axis=0)


@pytest.fixture(scope="module")
def run_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "points.run"
    pcsos.solve(
        POINTS,
        3,
        must_link=[(0, 1)],
        cannot_link=[(2, 9), (3, 4)],
        workers=1,
        run_file=path,
        options=pcsos.Options(params=BY_TREE),
    )
    return path


def drawn(figure: dict) -> list[int]:
    """Return the points that a figure draws."""
    found: list[int] = []
    for trace in figure["data"]:
        if "customdata" in trace:
            found += [int(name) for name, *_ in trace["customdata"]]
    return found


def forged_copy(run_file: Path, folder: Path, statement: str) -> Path:
    """A copy of a run file in which a statement has put something hostile, wherever it has a question mark."""
    forged = folder / "forged.run"
    forged.write_bytes(run_file.read_bytes())
    with closing(sqlite3.connect(forged)) as file, file:
        assert file.execute(statement, (HOSTILE,) * statement.count("?")).rowcount > 0
    return forged


class TestStructure:
    def test_sections_of_a_finished_run(self, run_file: Path) -> None:
        page = page_of_run(run_file)
        titles = [heading.text for heading in page.all("h2")]
        assert titles == [
            *("What the data are", "What distinguishes each cluster", "Clusters", "What was asked", "What was found"),
            *("Bound and best division over time", "The tree of the proof", "What the checker said"),
        ]
        assert len(page.all("h1")) == 1
        assert page.all("html")[0].attributes["lang"] == "en"
        for link in page.all("a"):
            assert page.by_id(str(link.attributes["href"])[1:])

    def test_tables_name_their_rows_and_can_be_scrolled_by_keyboard(self, run_file: Path) -> None:
        page = page_of_run(run_file)
        assert all(len(table.all("caption")) == 1 for table in page.all("table"))
        scopes = [cell.attributes.get("scope") for cell in page.all("th")]
        assert set(scopes) == {"row", "col"}
        boxes = [box for box in page.all("div") if box.attributes.get("class") == "wide"]
        assert len(boxes) == len(page.all("table"))
        assert all(box.attributes["tabindex"] == "0" and box.attributes["aria-label"] for box in boxes)

    def test_the_figure_draws_every_point_once_and_tells_clusters_apart_without_colour(self, run_file: Path) -> None:
        figure = figures(page_of_run(run_file))["points-figure"]
        assert sorted(drawn(figure)) == list(range(24))
        symbols = [trace["marker"]["symbol"] for trace in figure["data"] if "customdata" in trace]
        assert len(set(symbols)) == len(symbols) == 3
        assert {trace["line"]["dash"] for trace in figure["data"] if trace["mode"] == "lines"} == {"solid", "dash"}
        assert [badge["text"] for badge in figure["layout"]["annotations"]] == ["0", "1", "2"]

    def test_clusters_are_those_of_the_result(self, run_file: Path) -> None:
        page, result = page_of_run(run_file), pcsos.resume(run_file)
        sizes, members = page.by_id("clusters").all("table")
        assert [row.all("td")[0].text for row in sizes.all("tbody")[0].all("tr")] == [str(n) for n in result.sizes]
        assert members.all("td")[0].text.startswith("0-")

    def test_only_the_scripts_of_the_page_can_run_and_nothing_can_be_fetched(self, run_file: Path) -> None:
        page = page_of_run(run_file)
        (policy,) = [str(meta.attributes["content"]) for meta in page.all("meta") if "http-equiv" in meta.attributes]
        assert policy.startswith("default-src 'none';")
        for script in page.all("script"):
            assert "src" not in script.attributes
            digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
            assert script.attributes.get("type") == "application/json" or f"'sha256-{digest}'" in policy
        assert not page.all("link")

    def test_a_tree_is_drawn_with_all_its_nodes(self, tmp_path: Path) -> None:
        points, _ = gaussian_mixture(30, 2, 5, separation=1.5, seed=1)
        params = replace(BY_TREE, tree=TreeParams(root_rounds=1, node_rounds=1, fixing_gap=-1.0))
        pcsos.solve(
            points, 5, workers=1, run_file=tmp_path / "a.run", options=pcsos.Options(node_limit=7, params=params)
        )
        page = page_of_run(tmp_path / "a.run")
        with closing(sqlite3.connect(tmp_path / "a.run")) as file, file:
            (num_nodes,) = file.execute("SELECT count(DISTINCT problem) FROM evidence").fetchone()
        marks = [trace for trace in figures(page)["tree-figure"]["data"] if trace["mode"] == "markers"]
        assert sum(len(trace["text"]) for trace in marks) == num_nodes > 1
        assert re.search(r"points \d+ and \d+ (together|apart)", page.by_id("tree").text)


class TestWords:
    def test_optimal_and_checked(self, run_file: Path) -> None:
        page = page_of_run(run_file)
        assert re.fullmatch(
            r"No other way to divide the 24 points into 3 clusters so that the 3 constraints on pairs of points hold "
            r"is more than 0\.\d+ % better than the one shown here\. This is proved\.",
            page.by_id("proved").text,
        )
        assert "checker has confirmed" in page.all("header")[0].text

    def test_not_checked(self, run_file: Path) -> None:
        page = page_of_run(run_file, verify=False)
        assert "The checker was not asked" in page.all("header")[0].text
        assert "It was not asked." in page.by_id("check").text

    def test_a_forged_claim_is_refused_first_of_all(self, run_file: Path, tmp_path: Path) -> None:
        forged = tmp_path / "forged.run"
        forged.write_bytes(run_file.read_bytes())
        with closing(sqlite3.connect(forged)) as file, file:
            file.execute("DELETE FROM evidence")
        assert cli.main(["report", str(forged), "-o", str(tmp_path / "page.html")]) == 5
        page = page_at(tmp_path)
        header = page.by_id("proved").text
        assert header.startswith("Do not rely on this page: the checker refuses the file")
        assert "This is proved" not in page.all("header")[0].text
        assert cli.main(["report", str(forged), "--no-verify", "-o", str(tmp_path / "page.html")]) == 2
        assert cli.main(["info", str(forged)]) == 2

    def test_infeasible(self, tmp_path: Path) -> None:
        path = tmp_path / "a.run"
        pcsos.solve(POINTS, 2, must_link=[(0, 1), (5, 6)], cannot_link=[(1, 0), (7, 8)], workers=1, run_file=path)
        page = page_of_run(path)
        assert page.by_id("proved").text == (
            "It is impossible to divide the 24 points into 2 clusters so that the 4 constraints on pairs of points "
            "hold. This is proved."
        )
        rows = [
            [cell.text for cell in row.walk() if cell.name in "thtd"] for row in page.by_id("contradiction").all("tr")
        ]
        assert rows[1:] == [["must-link", "0", "1"], ["cannot-link", "0", "1"]]
        figure = figures(page)["points-figure"]
        assert [badge["text"] for badge in figure["layout"]["annotations"]] == ["0", "1"]
        assert sorted(drawn(figure)) == list(range(24))
        assert all(section.attributes["id"] != "clusters" for section in page.all("section"))

    def test_a_run_that_was_killed(self, run_file: Path, tmp_path: Path) -> None:
        killed = tmp_path / "killed.run"
        killed.write_bytes(run_file.read_bytes())
        with closing(sqlite3.connect(killed)) as file, file:
            file.execute("DELETE FROM claim")
        page = page_of_run(killed)
        assert "has not ended" in page.by_id("proved").text
        assert len(page.by_id("clusters").all("table")) == 2

    @pytest.mark.parametrize(
        ("status", "bound", "words"),
        [
            (Status.FEASIBLE, None, "How much better another one could be is not proved"),
            (Status.FEASIBLE, 0.0, "How much better another one could be is not proved"),
            (Status.FEASIBLE, 33.0, "none is more than 10 % better than the one shown here"),
            (Status.OPTIMAL, 110 / 3, "is more than 0.0001 % better than the one shown here"),
        ],
    )
    def test_what_is_proved(self, line: Instance, tmp_path: Path, status: Status, bound: float, words: str) -> None:
        partition = pcsos.Partition.of(line, [0, 0, 1, 1, 1])
        result = Result(line, status, Reason.TIME_LIMIT, partition, seconds=1.0, seed=0, lower_bound=bound)
        assert words in page_of(result, tmp_path).by_id("proved").text

    def test_nothing_found(self, line: Instance, tmp_path: Path) -> None:
        page = page_of(Result(line, Status.UNKNOWN, Reason.TIME_LIMIT, seconds=1.0, seed=0), tmp_path)
        assert page.by_id("proved").text.startswith("Neither a way to divide the 5 points into 2 clusters")


@pytest.mark.parametrize(
    ("share", "words"),
    [(1e-9, "0.0001 %"), (9.6e-5, "0.0096 %"), (9.61e-5, "0.0097 %"), (0.1, "10 %"), (0.0999, "10 %"), (0.123, "13 %")],
)
def test_shares_are_rounded_up(share: float, words: str) -> None:
    assert percent(share) == words


class TestStrangers:
    """What is in a run file is text and numbers to the page, whoever wrote it."""

    def test_no_text_becomes_html(self, run_file: Path, tmp_path: Path, line: Instance) -> None:
        partition = pcsos.Partition.of(line, [0, 0, 1, 1, 1])
        result = Result(
            line, Status.FEASIBLE, Reason.TIME_LIMIT, partition, seconds=1.0, seed=0, message=HOSTILE
        )  # fmt: skip
        write_report(tmp_path / "page.html", result, events=[IncumbentFound(40.0, HOSTILE, 1.0)])
        page = page_at(tmp_path)
        assert HOSTILE in page.by_id("found").text
        assert not page.all("img")
        assert len(page.all("script")) == 3

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE events SET data = json_set(data, '$.source', ?, '$.objective', ?) WHERE name = 'IncumbentFound'",
            "UPDATE events SET data = json_set(data, '$.lower_bound', ?, '$.seconds', ?) WHERE name = 'BoundImproved'",
        ],
    )
    def test_events_of_other_kinds_are_refused(self, run_file: Path, tmp_path: Path, statement: str) -> None:
        with pytest.raises(RunFileError, match=r"an event: .* is of another kind than expected"):
            page_of_run(forged_copy(run_file, tmp_path, statement))

    def test_the_file_of_the_run_is_not_replaced(self, run_file: Path) -> None:
        before = run_file.read_bytes()
        with pytest.raises(InputError, match=r"path and run_file are both .*; give different files"):
            of_run_file(run_file).result.report(run_file, run_file=run_file)
        assert run_file.read_bytes() == before

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE events SET name = ?",
            "UPDATE events SET data = json_set(data, '$.unknown', ?)",
            "UPDATE claim SET details = json_set(details, '$.message', ?)",
            "UPDATE evidence SET payload = CAST(? AS BLOB)",
            "UPDATE instance SET options = ?",
        ],
    )
    def test_what_is_no_event_or_was_changed_is_refused(self, run_file: Path, tmp_path: Path, statement: str) -> None:
        forged = forged_copy(run_file, tmp_path, statement)
        with pytest.raises(RunFileError, match="changed or damaged"):
            page_of_run(forged)
        assert not (forged.parent / "page.html").exists()


class TestCommand:
    def test_page_of_a_read_only_file(self, run_file: Path, tmp_path: Path) -> None:
        own = tmp_path / "own.run"
        own.write_bytes(run_file.read_bytes())
        own.chmod(0o444)
        assert cli.main(["report", str(own), "-o", str(tmp_path / "page.html")]) == 0
        assert own.read_bytes() == run_file.read_bytes()
        assert sorted(path.name for path in tmp_path.iterdir()) == ["own.run", "page.html"]

    def test_a_file_that_is_none(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "a.run").write_text("ML 0 1\n")
        assert cli.main(["report", str(tmp_path / "a.run"), "-o", str(tmp_path / "page.html")]) == 2
        assert "is not a run file" in capsys.readouterr().err
        assert cli.main(["report", str(tmp_path / "no.run"), "-o", str(tmp_path / "page.html")]) == 2
        assert "there is no run file" in capsys.readouterr().err

    def test_a_run_that_still_goes_on(self, run_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        with RunFile.open(run_file) as file:
            file.add_event(Notice("it goes on"))
            assert cli.main(["report", str(run_file), "-o", str(tmp_path / "page.html")]) == 2
        assert "in use by another process" in capsys.readouterr().err

    def test_without_plotly_a_sentence_says_so(
        self, run_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setitem(sys.modules, "plotly", None)
        assert cli.main(["report", str(run_file), "-o", str(tmp_path / "page.html")]) == 2
        assert 'pip install "pcsos[report]"' in capsys.readouterr().err

    def test_a_heuristic_can_be_reported_too(self, tmp_path: Path) -> None:
        np.save(tmp_path / "points.npy", POINTS)
        options = ["--method", "ipc-kmeans", "--quiet", "--report", str(tmp_path / "page.html")]
        cli.main(["heuristic", str(tmp_path / "points.npy"), "-k", "3", *options])
        page = page_at(tmp_path)
        assert "is not proved" in page.by_id("proved").text
        assert "IPC-k-means from k-means++ centres" in page.by_id("course").text
        assert "nothing to check" in page.by_id("check").text


def test_a_result_that_was_pickled_can_still_be_reported(tmp_path: Path) -> None:
    result = pickle.loads(pickle.dumps(pcsos.solve(POINTS, 3, workers=1)))
    assert sorted(drawn(figures(page_of(result, tmp_path))["points-figure"])) == list(range(24))


def test_a_report_of_a_result_with_its_run_file(run_file: Path, tmp_path: Path) -> None:
    pcsos.resume(run_file).report(tmp_path / "page.html", run_file=run_file)
    assert "checker has confirmed" in (tmp_path / "page.html").read_text()


def test_a_run_file_of_another_instance_is_refused(run_file: Path, tmp_path: Path) -> None:
    result = pcsos.solve(POINTS + 1.0, 3, workers=1)
    with pytest.raises(InputError, match="about another instance"):
        result.report(tmp_path / "page.html", run_file=run_file)


@pytest.mark.slow
def test_certain_pairs_are_counted_and_drawn(run_file: Path) -> None:
    page = page_of_run(run_file, certain=0.01)
    text = page.by_id("certain").text
    assert "What is certain" in text
    assert all(words in text for words in ("pairs that are certain", "two of these divisions differ", "are undecided"))
    cut_short = page_of_run(run_file, certain=0.01, certain_seconds=0.0).by_id("certain").text
    assert "at least" in cut_short
    assert "the time limit was reached" in cut_short
    square = figures(page)["certain-figure"]["data"][0]
    n = len(POINTS)
    words = np.array(square["text"])
    assert words.shape == (n, n)
    assert set(np.diag(words)) == {"together"}
    assert "apart" in words
    certain = pcsos.resume(run_file).certain_pairs(0.01)
    for word, number in (("uncertain", certain.num_uncertain), ("undecided", certain.num_undecided)):
        assert np.count_nonzero(words == word) == 2 * number
    loose = page_of_run(run_file, certain=2.0)
    assert "uncertain" in np.array(figures(loose)["certain-figure"]["data"][0]["text"])
    assert "certain-figure" not in figures(page_of_run(run_file))
