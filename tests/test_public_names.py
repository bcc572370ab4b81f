"""What ``import pcsos`` offers, at what price, from where, and from when on it heeds Ctrl-C."""

import pickle
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import pcsos
from pcsos.base import startup


def python(code: str) -> str:
    root = Path(__file__).parents[1]
    return subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True).stdout


def test_all_public_names_exist() -> None:
    assert {"solve", "Instance", "Options", "Partition", "Result", "Status", "Reason"} <= set(pcsos.__all__)
    assert [name for name in pcsos.__all__ if not hasattr(pcsos, name)] == []


@pytest.mark.slow
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
    heavy = ["numba", "scipy", "networkx", "gurobipy", "cvxpy", "flint", "pyarrow", "pandas"]
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


@pytest.mark.slow
def test_modules_that_need_no_import_of_their_own() -> None:
    code = "import pcsos; print(pcsos.io.read_points.__name__, pcsos.events.__name__)"
    assert python(code).split() == ["read_points", "pcsos.base.events"]
    assert python("import pcsos; print(len([getattr(pcsos, name) for name in pcsos._MODULES]))") == "7\n"


def test_a_result_can_be_shown_whatever_was_imported_first(tmp_path: Path) -> None:
    path = tmp_path / "result"
    path.write_bytes(pickle.dumps(pcsos.solve([0.0, 1.0, 5.0, 6.0], 2)))
    code = f"import pickle; print(pickle.load(open({str(path)!r}, 'rb'))._repr_html_()[:4])"
    assert python(code).startswith("<")


def test_a_folder_of_the_same_name_does_not_hide_the_package(tmp_path: Path) -> None:
    (tmp_path / "pcsos" / "docs").mkdir(parents=True)  # as a clone looks from above: a folder that is no package
    script = tmp_path / "script.py"
    script.write_text("import pcsos\nprint(pcsos.solve.__name__)\n")
    found = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.stdout == "solve\n", found.stderr


# Ctrl-C is heeded from the first moment at which the package can


def imported(code: str) -> list[str]:
    """Names of modules in the order in which they are ready, from when Python itself has started."""
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", code], capture_output=True, text=True, check=True)
    names = [line.rsplit("|", 1)[1].strip() for line in done.stderr.splitlines() if line.startswith("import time:")]
    return names[names.index("site") + 1 :]


def test_nothing_is_loaded_before_it() -> None:
    at_all = imported("pass")
    names = [name for name in imported("import pcsos") if name not in at_all]
    assert names[:2] == ["pcsos.base", "pcsos.base.startup"]


@pytest.mark.slow
def test_it_heeds_the_program_and_leaves_scripts_alone() -> None:
    for name, is_heeded in (
        ("/bin/pcsos", True),
        ("pcsos.exe", True),
        ("/bin/pcsos-verify", True),
        ("-m", True),
        ("script.py", False),
        ("", False),
    ):
        code = (
            f"import sys, signal; sys.argv = [{name!r}]; signal.signal(2, signal.default_int_handler)\n"  # or ignored
            "import pcsos; print(signal.getsignal(2).__name__)"
        )
        assert python(code).strip() == ("_leave" if is_heeded else "default_int_handler")


def test_it_hands_over_what_it_took_only() -> None:
    before = signal.getsignal(signal.SIGINT)
    startup.done()
    assert signal.getsignal(signal.SIGINT) is before
