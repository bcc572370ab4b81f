"""The pages of paths and fronts, and what notebooks show of them."""

from dataclasses import replace
from pathlib import Path

import pytest

import pcsos
from pcsos.analysis.choice.curve import _listed
from tests.report.pages import Element, figures, page_of, read_page

pytest.importorskip("plotly", reason='needs plotly (pip install "pcsos[report]")')

POINTS = [[0.0, 0.0], [1.0, 0.0], [5.0, 1.0], [6.0, 0.0], [20.0, 1.0], [21.0, 0.0]]
LINE = [0.0, 4.0, 5.0, 9.2, 10.0, 16.0]


def marks(page: Element, name: str) -> list[dict]:
    data = figures(page)[name]["data"]
    return [trace for trace in data if trace["mode"] == "markers"]


class TestPath:
    @pytest.fixture(scope="class")
    @staticmethod
    def path() -> pcsos.Path:
        return pcsos.path(POINTS, range(1, 5), workers=1)

    @pytest.mark.slow
    def test_the_best_number_is_the_first_thing_said(self, path: pcsos.Path, tmp_path: Path) -> None:
        page = page_of(path, tmp_path, data="six.csv")
        assert page.by_id("proved").text == (
            "Of 1 to 4 clusters: k = 3 has the greatest index of Calinski and Harabasz for certain."
        )
        assert "six.csv" in page.by_id("data").text

    def test_costs_and_indices_are_drawn_as_intervals(self, path: pcsos.Path, tmp_path: Path) -> None:
        page = page_of(path, tmp_path)
        (costs,) = marks(page, "cost-figure")
        assert costs["x"] == [1, 2, 3, 4]
        assert costs["y"] == [row.objective for row in path.rows]
        assert costs["customdata"] == [row.lower_bound for row in path.rows]
        lacking = [row.objective - row.lower_bound for row in path.rows]
        assert costs["error_y"]["arrayminus"] == pytest.approx(lacking)
        (indices,) = marks(page, "index-figure")
        assert indices["x"] == [2, 3, 4]

    def test_rows_and_the_best_division_are_shown(self, path: pcsos.Path, tmp_path: Path) -> None:
        page = page_of(path, tmp_path)
        rows = page.by_id("numbers").all("tbody")[0].all("tr")
        assert [[cell.text for cell in row.all("th") + row.all("td")] for row in rows] == [r.cells for r in path.rows]
        assert page.by_id("points").all("h2")[0].text == "The division into 3 clusters"
        assert "What distinguishes each cluster" in page.by_id("differences").text

    def test_what_is_not_known_is_an_open_end_or_left_out(self, tmp_path: Path) -> None:
        path = pcsos.path(POINTS, range(2, 4), workers=1, time_limit=0)
        page = page_of(path, tmp_path)
        (indices,) = marks(page, "index-figure")
        assert indices["marker"]["symbol"] == "triangle-up"
        assert "Of 2 or 3 clusters: no partition was found that has an index" in page.by_id("proved").text
        impossible = pcsos.path([0.0, 1.0, 2.0], [1], cannot_link=[(0, 1)], workers=1)
        assert "Nothing is known of any of them yet." in page_of(impossible, tmp_path).by_id("main").text

    def test_a_notebook_shows_the_sentence_and_the_rows(self, path: pcsos.Path) -> None:
        shown = read_page(path._repr_html_())
        assert "k = 3 has the greatest index" in shown.all("p")[0].text
        header, *rows = shown.all("tr")
        assert header.text.startswith("kstatus")
        assert [row.text for row in rows] == ["".join(row.cells) for row in path.rows]

    def test_where_no_number_is_the_best(self) -> None:
        assert (
            pcsos.path(POINTS, [1], workers=1).verdict == "none of these numbers has an index of Calinski and Harabasz"
        )
        soft = pcsos.SoftPairs(cannot_link=[(0, 1, 1.0)])
        assert "costs with penalties have no index" in pcsos.path(POINTS, [2], workers=1, conditions=[soft]).verdict

    @pytest.mark.parametrize(
        ("numbers", "words"),
        [([2], "2"), ([2, 3], "2 or 3"), ([2, 5], "2 or 5"), ([2, 3, 5], "2, 3 or 5"), ([2, 3, 4], "2 to 4")],
    )
    def test_only_numbers_that_were_asked_for_are_spoken_of(self, numbers: list[int], words: str) -> None:
        assert _listed(numbers) == words

    @pytest.mark.parametrize(
        ("numbers", "words"),
        [
            ([2, 3, 4], ""),
            ([2, 3], "more"),
            ([3, 4], "fewer"),
            ([3], "fewer and more"),
            ([2, 5], ""),
        ],
    )
    def test_the_best_number_at_an_end_of_the_range_is_said_to_be_there(self, numbers: list[int], words: str) -> None:
        verdict = pcsos.path(POINTS, numbers, workers=1).verdict
        assert verdict.partition("; ")[2] == (
            f"this is where the range ends, so try {words} clusters, too" if words else ""
        )

    def test_no_number_is_the_best_without_a_division(self) -> None:
        impossible = {"cannot_link": [(0, 1), (0, 2), (1, 2)], "workers": 1}
        path = pcsos.path([0.0, 1.0, 2.0, 3.0], [2], **impossible, time_limit=0.0)
        assert path.results[0].status is pcsos.Status.UNKNOWN
        assert path.contenders == (2,)
        assert path.best is None
        assert path.verdict == "no partition was found that has an index of Calinski and Harabasz"
        assert "Of 2 clusters: no partition was found that has an index" in path._repr_html_()


class TestFront:
    @pytest.fixture(scope="class")
    @staticmethod
    def front() -> pcsos.Front:
        return pcsos.front(LINE, 2, "split", workers=1)

    def test_what_is_proved_is_the_first_thing_said(self, front: pcsos.Front, tmp_path: Path) -> None:
        sentence = page_of(front, tmp_path).by_id("proved").text
        assert sentence.startswith(
            "Compared with any division into 2 clusters, one of these 2 has a split no smaller and costs"
        )
        assert sentence.endswith("This is proved.")

    def test_what_others_cost_is_less_than_what_is_said_to_be_more(self, front: pcsos.Front) -> None:
        """Gaps are shares of the cost that is shown; of what the others cost, it is more."""
        corner = front.corners[0]
        third, none = replace(corner, lower_bound=0.75 * corner.objective), replace(corner, lower_bound=0.0)
        said = replace(front, corners=(third,))._sentence
        assert said.endswith("a split no smaller and costs at most 34 % more. This is proved.")
        assert "is not proved" in replace(front, corners=(none,))._sentence

    def test_corners_are_drawn_and_listed(self, front: pcsos.Front, tmp_path: Path) -> None:
        page = page_of(front, tmp_path)
        (corners,) = marks(page, "front-figure")
        assert corners["x"] == [corner.value for corner in front.corners]
        assert corners["y"] == [corner.objective for corner in front.corners]
        line = figures(page)["front-figure"]["data"][0]
        assert (line["mode"], line["line"]["shape"]) == ("lines", "vh")
        rows = page.by_id("divisions").all("tbody")[0].all("tr")
        assert [row.all("td")[-1].text for row in rows] == ["2 of 3 and 3 points", "2 of 5 and 1 points"]

    def test_one_corner_is_this_one(self, tmp_path: Path) -> None:
        one = pcsos.front([0.0, 1.0, 9.0], 2, workers=1)
        assert ", this one has a diameter no larger and costs" in page_of(one, tmp_path).by_id("proved").text

    def test_what_was_cut_short_or_is_impossible_says_so(self, tmp_path: Path) -> None:
        cut_short = page_of(pcsos.front(LINE, 2, workers=1, options=pcsos.Options(should_stop=lambda: True)), tmp_path)
        assert cut_short.by_id("proved").text.startswith(
            "The search ended with INTERRUPTED. Whether there are divisions"
        )
        impossible = page_of(pcsos.front(LINE, 1, cannot_link=[(0, 1)], workers=1), tmp_path)
        assert impossible.by_id("proved").text.startswith("There is no division: ")
        assert "There is nothing to be drawn." in impossible.by_id("main").text

    def test_a_notebook_shows_the_sentence_and_the_corners(self, front: pcsos.Front) -> None:
        shown = read_page(front._repr_html_())
        assert "one of these 2" in shown.all("p")[0].text
        assert [row.all("th")[0].text for row in shown.all("tr")[1:]] == ["4.2", "6"]
