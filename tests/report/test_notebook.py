"""What notebooks show of results and of certain pairs."""

from pathlib import Path

import pytest

import pcsos
from tests.report.pages import Element, page_of, read_page

POINTS = [0.0, 1.0, 5.0, 9.0, 10.0]


@pytest.fixture(scope="module")
def result() -> pcsos.Result:
    return pcsos.solve(POINTS, 2, workers=1)


def cells(shown: Element) -> dict[str, str]:
    return {row.all("th")[0].text: row.all("td")[0].text for row in shown.all("tr")}


def test_a_result_is_a_sentence_and_its_figures(result: pcsos.Result) -> None:
    shown = read_page(result._repr_html_())
    (sentence,) = shown.all("p")
    assert sentence.text.startswith("No other way to divide the 5 points into 2 clusters")
    assert cells(shown) == result.figures()


def test_a_certification_tells_its_blocks() -> None:
    certified = pcsos.certify(POINTS, [0, 0, 0, 1, 1], workers=1)
    assert cells(read_page(certified._repr_html_()))["blocks"] == str(certified.n_blocks)


def test_an_infeasible_result_says_why() -> None:
    shown = read_page(pcsos.solve(POINTS, 1, cannot_link=[(0, 1)], workers=1)._repr_html_())
    assert shown.all("p")[0].text.startswith("It is impossible to divide the 5 points into 1 cluster")
    assert "cannot be linked" in cells(shown)["message"]


def test_nothing_becomes_html(result: pcsos.Result) -> None:
    from dataclasses import replace

    assert not read_page(replace(result, message="<img src=x>")._repr_html_()).all("img")


def test_certain_pairs_are_a_sentence_and_their_figures(result: pcsos.Result) -> None:
    shown = read_page(result.certain_pairs(0.1)._repr_html_())
    assert shown.all("p")[0].text == (
        "6 of 10 pairs of points are the same in every division within 10 % of the best one, the other 4 are not. "
        "This is proved."
    )
    assert cells(shown)["certain pairs"] == "6 of 10"
    cut_short = read_page(result.certain_pairs(0.1, time_limit=0.0)._repr_html_()).all("p")[0].text
    assert cut_short.startswith("At least 0 of 10 pairs of points are the same")
    assert cut_short.endswith(", and at least 4 are not. This is proved. 6 are undecided: the time limit was reached.")
    clear = pcsos.solve([0.0, 1.0, 9.0, 10.0], 2, workers=1).certain_pairs(0.1)
    assert read_page(clear._repr_html_()).all("p")[0].text == (
        "No other division of the points is within 10 % of the best one. This is proved."
    )


class TestCertainPage:
    def test_the_square_the_points_in_doubt_and_the_groups(self, result: pcsos.Result, tmp_path: Path) -> None:
        pytest.importorskip("plotly", reason='needs plotly (pip install "pcsos[report]")')
        certain = result.certain_pairs(0.1)
        page = page_of(certain, tmp_path, data="five.csv")
        assert page.by_id("proved").text.startswith("6 of 10 pairs of points are the same")
        assert [part.attributes["id"] for part in page.all("section")] == ["certain", "doubt", "data"]
        assert "five.csv" in page.by_id("data").text
        groups = page.by_id("certain").all("details")[0].all("tbody")[0].all("tr")
        assert [row.all("td")[-1].text for row in groups] == ["0-1", "3-4", "2"]
        assert {figure.attributes["id"] for figure in page.all("div") if "id" in figure.attributes} == {
            *("points-figure", "certain-figure"),
        }
