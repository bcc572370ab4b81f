"""The rules of the house that a program can check, read from the source without importing it."""

import ast
import graphlib
import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "pcsos"
MODULES = sorted(PACKAGE.rglob("*.py"))
BENCHMARKS = sorted(ROOT.joinpath("benchmarks").rglob("*.py"))

#: Rooms in the order of the data flow. A room imports only rooms of earlier rows (and itself).
ROWS: list[set[str]] = [
    {"_version", "verify"},
    {"base"},
    {"problem"},
    {"evidence", "io"},
    {"bounds"},
    {"presolve"},
    {"report"},
    {"heuristics"},
    {"search"},
    {"lazy"},
    {"solving"},
    {"analysis", "estimators"},
    {"clusterers"},
    {"cli"},
    {"__init__", "__main__"},
]
RANK = {room: row for row, rooms in enumerate(ROWS) for room in rooms}

#: Imports inside functions, by file and module: each is of what is optional, or slow to load and not always needed.
IN_FUNCTIONS = {
    ("cli/clusterers.py", "pcsos.clusterers"): "needs scikit-learn, which may not be installed",
    ("cli/clusterers.py", "pcsos.clusterers.graph.side_information"): "needs scikit-learn, likewise",
    ("cli/questions.py", "pcsos.cli.question_page"): "needs http.server, slow to load: only with --web",
    (
        "report/contents.py",
        "pcsos.presolve.deletion_filter",
    ): "has compiled kernels: only where a run file names a contradiction",
    ("bounds/prices/outliers.py", "pcsos.verify.left_out"): "needs python-flint, slow to load: only with outliers",
    ("report/contents.py", "pcsos.verify"): "needs python-flint, slow to load: no result at hand is checked",
}

#: Beyond the order: the checker shares nothing with what it checks.
ONLY = {"verify": {"verify"}}


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    return list(ast.walk(tree_of(path)))


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


NAMES = {name_of(path) for path in (*MODULES, *BENCHMARKS)}


def imported(nodes: Iterable[ast.AST], where: str = "", package: str = "pcsos") -> Iterator[str]:
    """Modules of a package that some code imports, each as often as it is imported."""
    for node in nodes:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{where} imports relatively; write the full name"
            parts = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [part if part in NAMES else node.module or "" for part in parts]
        else:
            continue
        yield from (name for name in names if name.partition(".")[0] == package)


def imported_rooms(path: Path) -> Iterator[str]:
    """Rooms of the package that a module imports, wherever in the module, each as often as it is imported."""
    for name in imported(nodes_of(path), path.name):
        room = name.partition(".")[2].partition(".")[0]
        yield room if room in RANK else "__init__"


def test_imports_point_backwards_only() -> None:
    unknown = {room_of(path) for path in MODULES} - set(RANK)
    assert not unknown, "not in the map of rooms; add them to the rows where they belong"
    found = {(room_of(path), other): path for path in MODULES for other in imported_rooms(path)}
    found.pop(("cli", "__init__"), None)
    wrong = {
        f"{room} imports {other}": path
        for (room, other), path in found.items()
        if (other != room and RANK[other] >= RANK[room]) or other not in ONLY.get(room, RANK)
    }
    assert not wrong


def test_the_import_reader_sees_every_form_of_import(tmp_path: Path) -> None:
    path = tmp_path / "example.py"
    path.write_text(
        "import pcsos.search.branch_and_cut\nfrom pcsos import heuristics\nfrom pcsos.bounds.cells import separate\n"
        "def f():\n    from pcsos.cli import main\n    import numpy\n"
    )
    assert sorted(imported_rooms(path)) == ["bounds", "cli", "heuristics", "search"]


@pytest.mark.parametrize("package", ["pcsos", "benchmarks"])
def test_no_files_import_one_another_in_a_circle(package: str) -> None:
    modules = MODULES if package == "pcsos" else BENCHMARKS
    graph = {name_of(path): set(imported(nodes_of(path), package=package)) - {name_of(path)} for path in modules}
    circle: list[str] = []
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        circle = error.args[1][::-1]
    assert not circle, " -> ".join(circle)


@pytest.mark.slow
def test_imports_inside_functions_are_of_what_is_optional_or_slow_to_load() -> None:
    found = {
        (path.relative_to(PACKAGE).as_posix(), name)
        for path in MODULES
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for name in imported(ast.walk(node))
    }
    assert found == set(IN_FUNCTIONS)


def test_only_the_estimators_import_scikit_learn() -> None:
    users = {room_of(path) for path in MODULES if re.search(r"^\s*(?:from|import) sklearn\b", path.read_text(), re.M)}
    assert users == {"estimators", "clusterers"}


def public_definitions(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """Public functions and classes of a module and public methods of its public classes."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    for node in tree.body:
        if isinstance(node, kinds) and not node.name.startswith("_"):
            yield node.name, node
            if isinstance(node, ast.ClassDef):
                for method in node.body:
                    if isinstance(method, kinds) and not method.name.startswith("_"):
                        yield f"{node.name}.{method.name}", method


def test_everything_public_has_a_docstring() -> None:
    missing = [path for path in MODULES if tree_of(path).body and not ast.get_docstring(tree_of(path))]
    missing += [
        path / name
        for path in MODULES
        for name, node in public_definitions(tree_of(path))
        if not ast.get_docstring(node)  # type: ignore[arg-type]
    ]
    assert not missing


def test_no_file_is_longer_than_500_lines() -> None:
    assert [path for path in MODULES if len(path.read_text().splitlines()) > 500] == []


def lengths_of_functions(path: Path) -> Iterator[tuple[str, int]]:
    """Functions of a module with their numbers of lines, signature and docstring left out."""
    for node in nodes_of(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            yield node.name, body[-1].end_lineno - body[0].lineno + 1 if body else 0


def test_no_function_is_longer_than_60_lines() -> None:
    paths = (*MODULES, *BENCHMARKS)
    assert [(path, *found) for path in paths for found in lengths_of_functions(path) if found[1] > 60] == []


def parts_of_kernels() -> Iterator[tuple[str, ast.AST]]:
    """All that stands in kernels, each with the name of its file."""
    for module in MODULES:
        for function in nodes_of(module):
            if isinstance(function, ast.FunctionDef) and any(
                "kernel" in ast.unparse(d) for d in function.decorator_list
            ):
                yield from ((str(module.relative_to(PACKAGE)), part) for part in ast.walk(function))


def test_no_kernel_has_a_power() -> None:
    """Numba compiles a power once a process, with the flags of who needs it first: sums would depend on the order."""
    powers = [(file, part) for file, part in parts_of_kernels() if isinstance(part, ast.BinOp | ast.AugAssign)]
    assert [f"{file}: {ast.unparse(part)}" for file, part in powers if isinstance(part.op, ast.Pow)] == []


def test_no_kernel_hashes() -> None:
    """What is compiled would ask for the salt of this process, which a kernel that is read from disk does not find."""
    hashing = ast.Set | ast.SetComp | ast.Dict | ast.DictComp
    names = {"set", "frozenset", "dict", "hash"}
    found = [
        (file, ast.unparse(part))
        for file, part in parts_of_kernels()
        if isinstance(part, hashing) or (isinstance(part, ast.Name) and part.id in names)
    ]
    assert not found


#: Rooms that compare bounds and gaps; the numbers they compare with live in ``tolerances.py`` or are options.
COMPARING = (
    "search/relaxation/",
    "search/branch_and_cut.py",
    "search/role.py",
    "search/conclusion.py",
    "search/run.py",
    "solving.py",
    "evidence/result/",
    "report/progress.py",
    "estimators/",
)


def test_tolerances_are_literals_only_in_their_own_file() -> None:
    small = [
        (path.name, node.value)
        for path in MODULES
        if path.relative_to(PACKAGE).as_posix().startswith(COMPARING)
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and 0.0 < node.value < 1e-3
    ]
    assert set(small) <= {("solving.py", 1e-4), ("certified.py", 1e-4)}, "the default gap is the only one"


def test_the_checker_is_short_enough_to_read() -> None:
    """Its proof, and what reads files and is the command that is the checker alone, apart."""
    files = list(PACKAGE.joinpath("verify").rglob("*.py"))
    command = {path for path in files if {"command", "reading", "errors.py", "__main__.py"}.intersection(path.parts)}
    for own, most in ((set(files) - command, 3717), (command, 939)):
        assert sum(bool(line.strip()) for path in own for line in path.read_text().splitlines()) <= most


def project_text() -> Iterator[tuple[str, str]]:
    """Name and text of the project's own files; folders that tools fill have a dot, or one of these names."""
    generated = {"build", "dist", "__pycache__"}
    for path in ROOT.rglob("*"):
        parts = path.relative_to(ROOT).parts
        hidden = any(part.startswith(".") and part != ".ci" for part in parts)
        is_text = path.suffix in {".py", ".md", ".toml", ".json", ".txt", ".csv", ""}
        if is_text and path.is_file() and not hidden and not generated.intersection(parts):
            yield "/".join(parts), path.read_text(errors="replace")


def test_nothing_unfinished_or_private_is_committed() -> None:
    unwanted = re.compile(r"TO[D]O|FIX[M]E|X{3}|/[w]ork/|/[h]ome/\w|breakpoint[(]|\b[i]ssue #?\d")
    found = [(name, match.group()) for name, text in project_text() for match in [unwanted.search(text)] if match]
    assert not found


#: What can be counted of the house. What adds takes away elsewhere, or raises a number and says why in its commit.
MOST = {
    "lines": 51276,
    "files": 337,
    "entries at the top": 20,
    "files of less than 40 lines": 14,
    "places that catch the end of a run": 5,
}
PARAMETERS = {
    "solve": 16, "certify": 14, "path": 13, "front": 14, "Instance": 10, "Options": 12, "CertifiedKMeans": 13,
    "ActiveSession": 11,
}  # fmt: skip


def test_the_house_does_not_grow() -> None:
    kernels = sorted(PACKAGE.rglob("*.cu"))
    lengths = [len(path.read_text().splitlines()) for path in MODULES]
    handlers = [node for path in MODULES for node in nodes_of(path) if isinstance(node, ast.ExceptHandler)]
    caught = [ast.unparse(node.type) for node in handlers if node.type is not None]
    found = {
        "files": len(MODULES),
        "lines": sum(lengths) + sum(len(path.read_text().splitlines()) for path in kernels),
        "entries at the top": len([own for own in PACKAGE.iterdir() if own.name != "__pycache__"]),
        "files of less than 40 lines": sum(
            length < 40 for path, length in zip(MODULES, lengths, strict=True) if path.name != "__init__.py"
        ),
        "places that catch the end of a run": sum(bool(re.search("Interrupted|ProgramLost", own)) for own in caught),
    }
    assert {name: number for name, number in found.items() if number > MOST[name]} == {}


@pytest.mark.parametrize("name", PARAMETERS)
def test_no_function_takes_more_parameters(name: str) -> None:
    import pcsos

    assert len(inspect.signature(getattr(pcsos, name)).parameters) <= PARAMETERS[name]
