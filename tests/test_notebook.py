"""What a notebook shows, from one that is executed."""

import os
from pathlib import Path
from typing import Any

import pytest

needed = "needs nbclient and ipykernel, which execute notebooks"
nbclient = pytest.importorskip("nbclient", reason=needed)
nbformat = pytest.importorskip("nbformat", reason=needed)
pytest.importorskip("ipykernel", reason=needed)
pytestmark = pytest.mark.slow

CELL = """
import pcsos
points = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [6.0, 5.0], [7.0, 5.0], [9.0, 9.0]]
result = pcsos.solve(points, 2, cannot_link=[(0, 1)], workers=1, verbose=True)
result
"""


@pytest.fixture(scope="module")
def outputs() -> list[Any]:
    """Return what stands below a cell that solves an instance."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    folder = str(Path(__file__).parents[1])
    paths = os.pathsep.join([folder, *filter(None, [os.environ.get("PYTHONPATH")])])
    client = nbclient.NotebookClient(
        notebook, timeout=1000, kernel_name="python3", resources={"metadata": {"path": folder}}
    )
    client.execute(env=os.environ | {"PYTHONPATH": paths, "PYDEVD_DISABLE_FILE_VALIDATION": "1"})
    return list(notebook.cells[0].outputs)


def test_progress_is_one_output_without_widgets(outputs: list[Any]) -> None:
    progress, _ = outputs
    assert progress.output_type == "display_data"
    assert set(progress.data) == {"text/plain"}
    lines = progress.data["text/plain"].splitlines()
    assert "6 points, 2 features, 2 clusters" in lines[0]
    assert any("incumbent" in line and "gap" in line for line in lines)
    assert lines[-1].endswith("s")


def test_a_result_is_a_table(outputs: list[Any]) -> None:
    _, shown = outputs
    assert "OPTIMAL (GAP_REACHED)" in shown.data["text/html"]
    assert shown.data["text/plain"].startswith("Result(OPTIMAL, GAP_REACHED, objective=")
