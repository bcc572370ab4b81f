"""What ``import pcsos`` offers, and at what price."""

import pickle
import subprocess
import sys
from pathlib import Path

import pcsos


def python(code: str) -> str:
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
from pcsos.solving import solve
print(callable(first), callable(pcsos.solve), pcsos.solve is first, pcsos.solve is solve)
"""
    assert python(code).split() == ["True"] * 4
    swapped = "from pcsos.solving import solve\nimport pcsos\nprint(pcsos.solve is solve)"
    assert python(swapped).split() == ["True"]


def test_importing_the_package_loads_only_numpy() -> None:
    heavy = ["numba", "scipy", "networkx", "highspy", "gurobipy", "cvxpy", "flint", "pyarrow", "pandas"]
    assert python(f"import sys, pcsos; print([m for m in {heavy!r} if m in sys.modules])").strip() == "[]"


def test_importing_the_package_loads_nothing_of_the_solver() -> None:
    code = "import sys, pcsos; print(*sorted(name for name in sys.modules if name.startswith('pcsos')))"
    assert python(code).split() == [
        "pcsos",
        *(
            f"pcsos.{name}"
            for name in (
                "_version",
                "base",
                "base.exceptions",
                "base.loading",
                "base.startup",
                "verify",
                "verify.errors",
            )
        ),
    ]


def test_modules_that_need_no_import_of_their_own() -> None:
    code = "import pcsos; print(pcsos.io.read_points.__name__, pcsos.events.__name__)"
    assert python(code).split() == ["read_points", "pcsos.base.events"]
    assert python("import pcsos; print(len([getattr(pcsos, name) for name in pcsos._MODULES]))") == "7\n"


def test_a_result_can_be_shown_whatever_was_imported_first(tmp_path: Path) -> None:
    path = tmp_path / "result"
    path.write_bytes(pickle.dumps(pcsos.solve([0.0, 1.0, 5.0, 6.0], 2)))
    code = f"import pickle; print(pickle.load(open({str(path)!r}, 'rb'))._repr_html_()[:4])"
    assert python(code).startswith("<")
