"""What ``import pcsos`` offers, and at what price."""

import subprocess
import sys
from pathlib import Path

import pcsos


def python(code: str) -> str:
    """Run code in a fresh interpreter and return what it prints."""
    root = Path(__file__).parents[1]
    return subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True).stdout


def test_all_public_names_exist() -> None:
    assert {"solve", "Instance", "Options", "Partition", "Result", "Status", "Reason"} <= set(pcsos.__all__)
    assert [name for name in pcsos.__all__ if not hasattr(pcsos, name)] == []


def test_solve_stays_a_function_whatever_is_imported_before_and_after() -> None:
    code = """
import pcsos
first = pcsos.solve
import pcsos.cli
from pcsos.solve import solve
print(callable(first), callable(pcsos.solve), pcsos.solve is first, pcsos.solve is solve)
"""
    assert python(code).split() == ["True"] * 4
    swapped = "from pcsos.solve import solve\nimport pcsos\nprint(pcsos.solve is solve)"
    assert python(swapped).split() == ["True"]


def test_importing_the_package_loads_only_numpy() -> None:
    heavy = ["numba", "scipy", "networkx", "highspy", "gurobipy", "cvxpy", "flint", "pyarrow", "pandas"]
    assert python(f"import sys, pcsos; print([m for m in {heavy!r} if m in sys.modules])").strip() == "[]"
