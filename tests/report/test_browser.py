"""The page in a real browser: it loads without errors, fetches nothing, shows its points, and names them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos.evidence.result import Reason, Result, Status
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition
from tests.report.browser import browser, open_page, wait_for

pytest.importorskip("plotly", reason='needs plotly (pip install "pcsos[report]")')

MANY = 20_000

#: Moves the pointer to a point of a trace, which is the given one of its cluster.
POINT_AT = """
const [cluster, number] = arguments;
const figure = document.getElementById("points-figure");
const trace = figure.data.findIndex(trace => trace.name === `cluster ${cluster}`);
const at = Array.from(figure._fullData[trace].customdata).findIndex(row => row[0] === String(number));
const {xaxis, yaxis} = figure._fullLayout;
figure.scrollIntoView();
const box = figure.getBoundingClientRect();
return [
  box.left + xaxis._offset + xaxis.c2p(figure._fullData[trace].x[at]),
  box.top + yaxis._offset + yaxis.c2p(figure._fullData[trace].y[at]),
];
"""
TOOLTIP = "return Array.from(document.querySelectorAll('#points-figure .hovertext text')).map(t => t.textContent)"
COUNT = """
return document.getElementById("points-figure")._fullData
  .filter(trace => trace.customdata && trace.visible === true)
  .map(trace => trace._length)
  .reduce((a, b) => a + b, 0);
"""


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with browser() as running:
        yield running


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    points = np.array([[0.0, 0.0], [4.0, 9.0], [1.0, 0.0], [5.0, 9.0], [4.0, 8.0]])
    result = pcsos.solve(points, 2, must_link=[(1, 3)], cannot_link=[(0, 1)], workers=1, run_file=folder / "a.run")
    result.report(folder / "page.html", run_file=folder / "a.run")
    return folder / "page.html"


def hover(driver: Any, cluster: int, point: int) -> list[str]:
    """Return what the page says of a point under the pointer."""
    x, y = driver.execute_script(POINT_AT, cluster, point)
    for offset in (3, 0):
        move = {"type": "mouseMoved", "x": x + offset, "y": y}
        driver.execute_cdp_cmd("Input.dispatchMouseEvent", move)
    return list(wait_for(driver, f"const texts = (() => {{{TOOLTIP}}})(); return texts.length ? texts : null"))


@pytest.mark.slow
def test_it_loads_without_errors_and_fetches_nothing(driver: Any, page: Path) -> None:
    assert open_page(driver, page) == ([], [])


@pytest.mark.slow
def test_it_shows_every_point_as_a_mark(driver: Any, page: Path) -> None:
    open_page(driver, page)
    assert len(driver.find_elements("css selector", "#points-figure .scatterlayer .points path")) == 5


@pytest.mark.slow
def test_a_point_under_the_pointer_is_named(driver: Any, page: Path) -> None:
    open_page(driver, page)
    texts = " ".join(hover(driver, 1, 3))
    assert "point 3" in texts
    assert "feature 1: 5feature 2: 9" in texts
    assert "cluster 1" in texts


@pytest.mark.slow
def test_a_click_in_the_legend_hides_the_rings_of_points_in_doubt(driver: Any, tmp_path: Path) -> None:
    points, weights = [[0.0, 0.0], [0.0, 2.0], [2.05, 1.0], [4.0, 0.0], [4.0, 2.0]], [99.0, 99.0, 1.0, 99.0, 99.0]
    pcsos.solve(points, 2, weights=weights, workers=1).report(tmp_path / "a.html")
    open_page(driver, tmp_path / "a.html")
    ring = "document.getElementById('points-figure').data.find(trace => trace.name === 'near a border')"
    assert driver.execute_script(f"return {ring}.visible") is None
    place = driver.execute_script(
        "const items = Array.from(document.querySelectorAll('#points-figure .legend .traces'));"
        "const box = items.find(item => item.textContent === 'near a border').getBoundingClientRect();"
        "return [box.left + box.width / 2, box.top + box.height / 2];"
    )
    for kind in ("mousePressed", "mouseReleased"):
        event = {"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1}
        driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)
    wait_for(driver, f"return {ring}.visible === 'legendonly'")


@pytest.mark.slow
def test_pages_of_choices_and_of_certain_pairs_load_without_errors(driver: Any, tmp_path: Path) -> None:
    points = [[0.0, 0.0], [1.0, 0.0], [5.0, 1.0], [6.0, 0.0], [20.0, 1.0], [21.0, 0.0]]
    pcsos.path(points, range(2, 5), workers=1).report(tmp_path / "path.html")
    pcsos.front(points, 2, workers=1).report(tmp_path / "front.html")
    pcsos.solve(points, 3, workers=1).certain_pairs(0.1).report(tmp_path / "certain.html")
    for name in ("path", "front", "certain"):
        assert open_page(driver, tmp_path / f"{name}.html") == ([], [])
        assert driver.execute_script("return document.querySelectorAll('.js-plotly-plot').length") > 0


@pytest.mark.slow
def test_dark_and_light_follow_the_reader(driver: Any, page: Path) -> None:
    open_page(driver, page)
    grounds = {}
    for scheme in ("dark", "light"):
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        expected = {"dark": "#14181d", "light": "#ffffff"}[scheme]
        ground = "document.getElementById('points-figure').layout.paper_bgcolor"
        wait_for(driver, f"return {ground} === '{expected}'")
        grounds[scheme] = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert grounds == {"dark": "rgb(20, 24, 29)", "light": "rgb(255, 255, 255)"}


@pytest.mark.slow
def test_paper_is_white_and_shows_all_details(driver: Any, page: Path) -> None:
    open_page(driver, page)
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    wait_for(driver, "return document.getElementById('points-figure').layout.paper_bgcolor === '#14181d'")
    driver.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    wait_for(driver, "return document.getElementById('points-figure').layout.paper_bgcolor === '#ffffff'")
    assert driver.execute_script("return Array.from(document.querySelectorAll('details')).every(d => d.open)")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": dark["features"]})
    colours = "const style = getComputedStyle(document.body); return [style.color, style.backgroundColor]"
    assert driver.execute_script(colours) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


@pytest.mark.slow
def test_a_script_that_gets_in_does_not_run(driver: Any, page: Path, tmp_path: Path) -> None:
    text = page.read_text().replace("</footer>", "<script>window.injected = 1</script></footer>")
    (tmp_path / "page.html").write_text(text)
    errors, _ = open_page(driver, tmp_path / "page.html")
    assert driver.execute_script("return window.injected") is None
    assert any("Content Security Policy" in error for error in errors)


@pytest.mark.slow
def test_twenty_thousand_points(driver: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    labels = np.arange(MANY) % 4
    instance = Instance(rng.normal(size=(MANY, 3)) + 6.0 * np.eye(4)[labels][:, :3], 4)
    partition = Partition.of(instance, labels)
    result = Result(instance, Status.FEASIBLE, Reason.HEURISTIC_FINISHED, partition, seconds=1.0, seed=0)
    result.report(tmp_path / "page.html")
    assert open_page(driver, tmp_path / "page.html") == ([], [])
    assert driver.execute_script(COUNT) == MANY
