"""Names that are loaded when they are first asked for: the same as type checkers see."""

import ast
import importlib
from pathlib import Path

import pytest

from pcsos.base.loading import loader

PACKAGE = Path(__file__).parents[1] / "pcsos"
#: The modules that load names on demand, by their files.
LAZY = [path for path in sorted(PACKAGE.rglob("*.py")) if "__getattr__ = loader(" in path.read_text()]


def names_for_type_checkers(path: Path) -> dict[str, str]:
    """The names that a module imports where only type checkers look, and from where."""
    (block,) = (
        node
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module or "" for node in imports for alias in node.names}


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("path", LAZY, ids=name_of)
def test_names_are_those_that_type_checkers_see(path: Path) -> None:
    module, places = importlib.import_module(name_of(path)), names_for_type_checkers(path)
    for name, place in places.items():
        expected = getattr(importlib.import_module(place), name)
        assert getattr(module, name) is expected, "a name that is also that of a module inside would become that"
        assert module.__getattr__(name) is expected


def test_the_package_and_its_solver_are_among_them() -> None:
    assert {"pcsos", "pcsos.heuristics"} <= {name_of(path) for path in LAZY}


def test_what_nobody_offers_is_no_attribute() -> None:
    load = loader("somewhere", {"math": ("sqrt", "pi")}, {"inside": "math"})
    assert load("sqrt")(9.0) == 3.0
    with pytest.raises(AttributeError, match="module 'somewhere' has no attribute 'tau'"):
        load("tau")
