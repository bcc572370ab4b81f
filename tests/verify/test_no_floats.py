"""No value that the proof computes is a float: rounding could hide nowhere else."""

import ast
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import pcsos
from pcsos.verify import reader
from tests import oracle
from tests.verify.certificates import enumeration, hand_made, write
from tests.verify.test_prices import JUST_BELOW, LABELS, PAIRS
from tests.verify.test_prices import root as priced

#: Where the proof is. ``exact``, ``reader``, ``proposal`` and ``verdict`` are its borders, where floats come in as
#: rational numbers, propose integers, and leave rounded to the safe side.
PROOF = (
    "data", "cuts", "state", "spectral", "bound", "line", "boxes", "knots", "prices", "parts", "evidence",
    "processes", "gram", "checker",
)  # fmt: skip
VERIFY = Path(reader.__file__).parent


class _Watch(ast.NodeTransformer):
    """Hands every value that is computed to ``watched``, but for annotations and what calls itself ``verify``."""

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.FunctionDef) and node.name == "verify":
            return node  # the entrance, which makes rational numbers of what it is given
        if isinstance(node, ast.arg) or (
            isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), ast.Load | None)
        ):
            return node
        if isinstance(node, ast.AnnAssign):
            node.value = self.visit(node.value) if node.value else None
            return node
        if isinstance(node, ast.FunctionDef):
            node.body = [self.visit(statement) for statement in node.body]
            return node
        self.generic_visit(node)
        if isinstance(node, ast.expr) and not isinstance(node, ast.Starred | ast.JoinedStr | ast.FormattedValue):
            call = ast.Call(ast.Name("watched", ast.Load()), [node, ast.Constant(node.lineno)], [])
            return ast.copy_location(call, node)
        return node


def watched_module(name: str, watched: Any) -> ModuleType:
    """The module with every value watched, in place of the one that other modules import."""
    path = VERIFY / f"{name}.py"
    tree = ast.parse(path.read_text())
    tree.body = [_Watch().visit(n) if isinstance(n, ast.FunctionDef | ast.ClassDef) else n for n in tree.body]
    module = ModuleType(f"pcsos.verify.{name}")
    module.__dict__["watched"] = lambda value, line: watched(value, f"{name}.py line {line}")
    sys.modules[module.__name__] = module
    exec(compile(ast.fix_missing_locations(tree), str(path), "exec"), module.__dict__)
    return module


def is_floating(value: object) -> bool:
    return isinstance(value, float | np.floating) or (isinstance(value, np.ndarray) and value.dtype.kind in "fcO")


@pytest.fixture
def found() -> Iterator[tuple[Any, set[str]]]:
    """A checker whose proof is watched, and where floats were met."""
    places: set[str] = set()
    seen: set[str] = set()

    def watched(value: Any, place: str) -> Any:
        seen.add(place)
        if is_floating(value):
            places.add(place)
        return value

    kept = {name: sys.modules[f"pcsos.verify.{name}"] for name in PROOF}
    try:
        for name in PROOF:
            module = watched_module(name, watched)
        yield module.verify, places
        assert len(seen) > 200, "next to nothing was watched"
    finally:
        sys.modules.update({f"pcsos.verify.{name}": module for name, module in kept.items()})


def test_the_proof_meets_no_float(found: tuple[Any, set[str]], tmp_path: Path) -> None:
    check, places = found
    assert check(hand_made(tmp_path / "hand.run"))[:3] == ("OPTIMAL", 4.0, 4.0)
    for seed in range(12):
        rng = np.random.default_rng(seed)
        instance = oracle.random_instance(rng, max_points=6)
        records, bound = enumeration(instance, rng)
        truth = oracle.enumerate_feasible(instance)
        status = pcsos.evidence.result.Status.FEASIBLE if truth.feasible else pcsos.evidence.result.Status.INFEASIBLE
        labels = truth.best_labels if truth.feasible else None
        path = write(
            tmp_path / f"{seed}.run", instance, records, labels, bound if truth.feasible else None, status=status
        )
        links = (instance.must_link.tolist(), instance.cannot_link.tolist())
        check(path, instance.points, links, weights=instance.weights, n_clusters=instance.n_clusters)
    for name, column in (("far", [0.0, 1.0, 0.0, 0.0, 0.0]), ("line", np.zeros(5))):
        points = np.column_stack([[0.0, 1.0, 2.0, 3.0, 1e9], column])
        result = pcsos.solve(points, 3, must_link=[(0, 1)], run_file=tmp_path / f"{name}.run")
        assert check(tmp_path / f"{name}.run").lower_bound <= result.objective
    pcsos.solve(pcsos.Gram([[2.0, 1.0, 0.0], [1.0, 2.0, 0.3], [0.0, 0.3, 1.0]]), 2, run_file=tmp_path / "gram.run")
    assert check(tmp_path / "gram.run", gram=[[2.0, 1.0, 0.0], [1.0, 2.0, 0.3], [0.0, 0.3, 1.0]]).objective == 1.0
    assert check(write(tmp_path / "prices.run", PAIRS, [priced()], LABELS, JUST_BELOW)).lower_bound == JUST_BELOW
    assert not places


def test_the_watch_sees_a_float(found: tuple[Any, set[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check, places = found
    spectral = sys.modules["pcsos.verify.spectral"]
    real = spectral.Proposal

    class Careless(real):  # type: ignore[misc, valid-type]
        def factorise(self, *arguments: Any) -> None:
            super().factorise(*arguments)
            self.shift = float(self.shift)

    monkeypatch.setattr(spectral, "Proposal", Careless)
    check(hand_made(tmp_path / "hand.run"))
    assert any(place.startswith("spectral.py") for place in places)


@pytest.mark.parametrize("name", PROOF)
def test_the_proof_names_no_float_and_divides_only_balls(name: str) -> None:
    tree = ast.parse((VERIFY / f"{name}.py").read_text())
    constants = [n.lineno for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, float)]
    names = [n.lineno for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == "math"]
    assert not constants
    assert not names
    assert importlib.import_module(f"pcsos.verify.{name}")
