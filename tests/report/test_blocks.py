"""The proof of a certification: its blocks, its prices, and what the page says of them."""

from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos.evidence.run_file import RunFile
from pcsos.io import read_constraints, read_points
from pcsos.problem.cost import cluster_cost
from pcsos.problem.params import Params, PriceParams
from pcsos.report.blocks import blocks_figure
from pcsos.report.contents import of_run_file
from tests.report.pages import Element, page_of_run

pytest.importorskip("plotly", reason='needs plotly (pip install "pcsos[report]")')

INSTANCES = Path(__file__).parents[2] / "instances"
IRIS, PAIRS = INSTANCES / "points" / "iris.csv", INSTANCES / "constraints" / "iris-cl.txt"
NO_PRICES = Params(prices=PriceParams(features_up_to=0))
LABELS = np.repeat([0, 1, 2], 30)
POINTS = np.random.default_rng(5).normal(size=(90, 2)) + 9.0 * np.eye(3)[LABELS][:, :2]


def figures_of(page: Element, section: str) -> dict[str, str]:
    """The first table of a section, by its first column."""
    rows = page.by_id(section).all("table")[0].all("tr")
    return {row.all("th")[0].text: row.all("td")[0].text for row in rows}


@pytest.fixture(scope="module")
def run_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "blocks.run"
    pcsos.certify(
        POINTS, LABELS, gap=0.2, workers=1, run_file=path, options=pcsos.Options(block_size=20, params=NO_PRICES)
    )
    return path


class TestBlocks:
    def test_blocks_are_the_points_and_their_bounds_that_of_the_run(self, run_file: Path) -> None:
        contents = of_run_file(run_file, verify=False)
        blocks, result = contents.cover, contents.result
        assert len(blocks) > 1
        assert sum(block.size for block in blocks) == 90
        assert sum(block.lower_bound for block in blocks) == pytest.approx(result.lower_bound, rel=1e-12)
        costs = [block.cost for block in blocks]
        assert all(cost is not None and cost >= block.lower_bound for cost, block in zip(costs, blocks, strict=True))
        assert sum(costs) <= result.objective

    def test_a_block_costs_what_the_division_costs_in_it(self, run_file: Path) -> None:
        with RunFile.read(run_file) as file:
            part = file.cover()[0]
        own = LABELS[part.points]
        expected = sum(cluster_cost(POINTS[part.points[own == c]], part.weights[own == c]) for c in np.unique(own))
        assert of_run_file(run_file, verify=False).cover[0].cost == pytest.approx(expected)

    def test_the_page_tells_and_draws_them(self, run_file: Path) -> None:
        contents, page = of_run_file(run_file, verify=False), page_of_run(run_file)
        rows = figures_of(page, "blocks")
        assert rows["blocks"] == str(len(contents.cover)) == str(contents.result.to_dict()["n_blocks"])
        assert float(rows["bounds of the blocks together"].split(",")[0]) == pytest.approx(contents.result.lower_bound)
        assert "the bounds of the blocks together" in page.by_id("blocks").text
        figure = blocks_figure(contents.cover, contents.result.objective)
        proved, lacking = figure.data
        assert proved.width.tolist() == [block.size for block in contents.cover]
        assert proved.y.sum() == pytest.approx(100.0 * contents.result.lower_bound / contents.result.objective)
        assert (proved.y + lacking.y).sum() <= 100.0
        assert lacking.marker.pattern.shape == "/"

    def test_where_the_bound_is_lost_adds_up(self, run_file: Path) -> None:
        rows, gap = figures_of(page_of_run(run_file), "blocks"), of_run_file(run_file, verify=False).result.gap
        lost = [float(rows[name][:-2]) for name in rows if name.startswith(("lost", "not proved"))]
        assert len(lost) == 2
        assert sum(lost) == pytest.approx(100.0 * gap, rel=0.05)


class TestPrices:
    @pytest.mark.parametrize("asked", [{}, {"size_min": 25, "conditions": [pcsos.SoftPairs([(0, 40, 1.0)])]}])
    def test_their_sum_less_the_profits_is_the_bound(self, tmp_path: Path, asked: dict) -> None:
        run_file = tmp_path / "a.run"
        result = pcsos.certify(POINTS, LABELS, must_link=[(0, 1)], workers=1, run_file=run_file, **asked)
        with RunFile.read(run_file) as file:
            proved = next(file.records_beside_tree()).lower_bound
        page = page_of_run(tmp_path / "a.run")
        rows = figures_of(page, "prices")
        assert rows["prices"] == "89, one for all points that must-links join"
        total, profit = (float(rows[name]) for name in ("all prices together", "profit of a cluster, at most"))
        inside = float(rows["cost between points that must-links join"])
        assert inside + total - 3 * profit == pytest.approx(proved, rel=1e-4)
        assert proved <= result.lower_bound * (1.0 + 1e-12) if asked else proved == pytest.approx(result.lower_bound)
        title = "A first bound by prices" if asked else "The proof by prices"
        assert page.by_id("prices").all("h2")[0].text == title
        assert not [section for section in page.all("section") if section.attributes["id"] == "blocks"]

    @pytest.mark.slow
    def test_prices_that_a_tree_has_surpassed_are_a_beginning(self, tmp_path: Path) -> None:
        points = read_points(IRIS)
        asked = read_constraints(PAIRS, points)
        pairs = {"must_link": asked.must_link, "cannot_link": asked.cannot_link}
        pcsos.solve(points, 3, **pairs, workers=1, run_file=tmp_path / "a.run")
        contents = of_run_file(tmp_path / "a.run", verify=False)
        assert contents.prices is not None
        assert contents.nodes
        section = page_of_run(tmp_path / "a.run").by_id("prices")
        assert section.all("h2")[0].text == "A first bound by prices"
        assert "the tree below proves more" in section.text


def test_points_on_a_line_are_explained_without_a_tree(tmp_path: Path) -> None:
    pcsos.solve(POINTS[:, 0], 3, workers=1, run_file=tmp_path / "a.run")
    page = page_of_run(tmp_path / "a.run")
    assert "the best clusters are intervals" in page.by_id("line").text
    assert not [section for section in page.all("section") if section.attributes["id"] in ("tree", "blocks", "prices")]


def test_a_line_beside_a_cannot_link_says_that_it_is_left_out(tmp_path: Path) -> None:
    pcsos.solve(POINTS[:, 0], 3, cannot_link=[(0, 1)], gap=0.5, workers=1, run_file=tmp_path / "a.run")
    page = page_of_run(tmp_path / "a.run")
    assert "was left out: with it no division costs less" in page.by_id("line").text
    assert not [section for section in page.all("section") if section.attributes["id"] == "blocks"]
