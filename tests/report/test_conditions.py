"""The page of a run with limits of clusters and soft pairs."""

import base64
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

import pcsos
from tests.report.pages import Element, figures, page_of

pytest.importorskip("plotly", reason='needs plotly (pip install "pcsos[report]")')

SOFT = pcsos.SoftPairs([(1, 2, 3.0), (0, 1, 9.0)], [(3, 4, 0.25), (0, 4, 1.0)])


@pytest.fixture(scope="module")
def result() -> pcsos.Result:
    points = [[0.0, 0.0], [2.0, 0.0], [3.0, 1.0], [9.0, 0.0], [11.0, 2.0]]
    return pcsos.solve(points, 2, cannot_link=[(1, 2)], workers=1, conditions=[SOFT, pcsos.Sizes(exactly=[3, 2])])


@pytest.fixture(scope="module")
def page(result: pcsos.Result, tmp_path_factory: pytest.TempPathFactory) -> Element:
    return page_of(result, tmp_path_factory.mktemp("page"))


def test_limits_and_soft_pairs_are_named(page: Element) -> None:
    asked = page.by_id("asked").text
    assert "sizes of the clusters, in any order2, 3" in asked
    assert "4 that may be broken at a penalty, 13.25 if all of them were broken" in asked
    header = page.all("header")[0].text
    assert "so that the constraint on a pair of points holds and clusters keep to their limits" in header
    assert "and the penalties of the soft pairs that are broken" in page.by_id("main").text


def test_broken_pairs_are_listed_and_drawn(page: Element) -> None:
    found = page.by_id("found").text
    assert "3.25 for 2 of 4 soft pairs" in found
    assert "soft must-link123" in found
    assert "soft cannot-link340.25" in found
    drawn = {trace["name"]: trace for trace in figures(page)["points-figure"]["data"]}
    assert drawn["broken soft must-link"]["line"]["dash"] == "dot"
    assert drawn["broken soft cannot-link"]["line"]["dash"] == "dashdot"
    across = drawn["broken soft must-link"]["x"]
    assert np.frombuffer(base64.b64decode(across["bdata"]), across["dtype"])[:2].tolist() == [2.0, 3.0]
    assert "soft pairs that are broken: must-links dotted" in page.all("figcaption")[0].text


def test_a_plot_has_broken_pairs(result: pcsos.Result) -> None:
    mpl.use("Agg")
    legend = [text.get_text() for text in result.plot().get_legend().get_texts()]
    assert {"broken soft must-link", "broken soft cannot-link"} <= set(legend)


def test_without_conditions_nothing_is_said_of_them(tmp_path: Path) -> None:
    text = page_of(pcsos.solve([0.0, 1.0, 5.0], 2, workers=1), tmp_path).by_id("main").text
    assert "soft" not in text
    assert "limit" not in text.replace("time limit", "")
