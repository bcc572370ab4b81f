"""Golden results: what 132 commands of all kinds answer, for a change that must not change anything.

Each case is a command line, because these outlive the functions behind them. ``python -m benchmarks golden --out FILE``
runs all of them in one process and writes what they answer and the CPU seconds that each takes; with ``--against FILE``
answers are compared: texts and whole numbers must be equal, others to twelve digits. Seconds stand side by side.
"""

import argparse
import json
import math
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

INSTANCES = Path(__file__).parents[1] / "instances"
#: Members of a result that may differ from run to run.
VOLATILE = {"seconds", "root_seconds", "version", "digest", "run_file"}
#: By this share of itself a number may differ.
TOLERANCE = 1e-12

Case = tuple[str, list[str]]


def add_parser(commands: Any) -> None:
    """Add the command to others."""
    parser = commands.add_parser(
        "golden", help="run commands of all kinds, and compare their answers with earlier ones"
    )
    parser.add_argument("--out", metavar="FILE", help="write answers and CPU seconds as JSON")
    parser.add_argument("--against", metavar="FILE", help="compare with what was written before")
    parser.add_argument("--only", metavar="TEXT", default="", help="only cases whose names have this text")
    parser.set_defaults(main=lambda arguments: sys.exit(main(arguments)))


def main(arguments: argparse.Namespace) -> int:
    """Run the cases and write, or compare, what they answer; 1 where anything differs."""
    earlier = json.loads(Path(arguments.against).read_text()) if arguments.against else {}
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, words in cases(Path(folder)):
            if arguments.only not in name:
                continue
            found[name] = run(words, Path(folder))
            print(f"{name:40} {found[name]['cpu']:8.2f} s{_compared(found[name], earlier.get(name))}", flush=True)
            if arguments.out:
                Path(arguments.out).write_text(json.dumps(found, indent=1))
    ratios = [own["cpu"] / earlier[name]["cpu"] for name, own in found.items() if name in earlier]
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"CPU: {mean:.3f} times the earlier (geometric mean of {len(ratios)}), at most {max(ratios):.2f}")
    differing = [name for name, own in found.items() if name in earlier and differences(own, earlier[name])]
    print(f"{len(found)} cases, {len(differing)} differ: {', '.join(differing)}")
    return int(bool(differing))


def run(words: list[str], folder: Path) -> dict[str, Any]:
    """Run a command in this process; return its status, what it has written as JSON or text, and CPU seconds."""
    from pcsos.cli import main as pcsos

    out, path = StringIO(), folder / "result.json"
    path.unlink(missing_ok=True)
    json_too = [] if words[0] in ("verify", "compare") else ["--json", str(path)]
    begun = time.process_time()
    with redirect_stdout(out), redirect_stderr(StringIO()):
        status = int(pcsos([*words, *json_too]))
    seconds = time.process_time() - begun
    answer = json.loads(path.read_text()) if path.exists() else out.getvalue().replace(str(folder), "")
    return {"status": status, "answer": _lasting(answer), "cpu": seconds}


def differences(own: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Return where two answers differ."""
    return list(_differences("", {**own, "cpu": 0}, {**other, "cpu": 0}))


def _differences(place: str, own: Any, other: Any) -> Iterator[str]:
    if isinstance(own, dict) and isinstance(other, dict):
        for key in own.keys() | other.keys():
            yield from _differences(f"{place}.{key}", own.get(key), other.get(key))
    elif isinstance(own, list) and isinstance(other, list) and len(own) == len(other):
        for at, pair in enumerate(zip(own, other, strict=True)):
            yield from _differences(f"{place}[{at}]", *pair)
    elif isinstance(own, float) and isinstance(other, float | int):
        if abs(own - other) > TOLERANCE * max(abs(own), abs(other), 1.0 if place.endswith("gap") else 0.0):
            yield f"{place}: {own} instead of {other}"
    elif own != other:
        yield f"{place}: {own!r:.60} instead of {other!r:.60}"


def _compared(own: dict[str, Any], other: dict[str, Any] | None) -> str:
    if other is None:
        return ""
    said = differences(own, other)
    return f" ({other['cpu']:.2f}) {'DIFFERS' if said else 'same'} {'; '.join(said[:3])}"


def _lasting(answer: Any) -> Any:
    if isinstance(answer, dict):
        return {key: _lasting(value) for key, value in answer.items() if key not in VOLATILE}
    if isinstance(answer, list):
        return [_lasting(value) for value in answer]
    return answer


def points(name: str) -> str:
    """Return the path of points in this repository."""
    return str(next(INSTANCES.joinpath("points").glob(f"{name}.*")))


def pairs(name: str) -> list[str]:
    """Return the option for constraints in this repository."""
    return ["--constraints", str(next(INSTANCES.joinpath("constraints").glob(f"{name}.*")))]


def cases(folder: Path) -> Iterator[Case]:
    """Yield all cases, whose drawn files are written into a folder."""
    alone = ["--workers", "1", "--quiet"]
    for name, words in (*_solves(folder), *_conditioned(folder)):
        yield f"solve {name}", ["solve", *words, *alone]
    for name, words in _others(folder):
        yield name, words


def _solves(folder: Path) -> Iterator[Case]:
    plain = (
        ("two", 2),
        ("tiny", 2),
        ("many", 10),
        ("overlap", 4),
        ("wide", 4),
        ("line", 5),
        ("grid", 4),
        ("breast_cancer", 2),
    )
    for name, k in (*product(["iris"], range(2, 7)), *product(["wine", "iris30"], (2, 3)), *plain):
        yield f"{name} {k}", [points(name), "-k", str(k)]
    kinds = {
        "iris": 3,
        "wine": 3,
        "digits": 4,
        "breast_cancer150": 2,
        "overlap": 4,
        "many": 10,
        "line": 5,
        "wide": 4,
        "two": 2,
    }
    for (name, k), kind in product(kinds.items(), ("ml", "cl", "both")):
        yield f"{name}-{kind}", [points(name), "-k", str(k), *pairs(f"{name}-{kind}")]
    yield "breast_cancer-both", [points("breast_cancer"), "-k", "2", *pairs("breast_cancer-both")]
    for name in ("grid-json", "grid-distances"):
        yield name, [points("grid"), "-k", "3" if name == "grid-json" else "4", *pairs(name)]
    for kind, k in (("clique", 3), ("cycle", 2), ("few", 20), ("path", 3), ("wheel", 3)):
        yield f"infeasible-{kind}", [points("iris30"), "-k", str(k), *pairs(f"infeasible-{kind}")]
    for seed in range(20):
        yield f"branching {seed}", [drawn(folder, 40, 4, 5, 1.0, seed), "-k", "5"]
    for seed in range(3):
        yield f"plane {seed}", [drawn(folder, 2000, 2, 5, 9.0, seed), "-k", "5", "--gap", "1e-3"]
    yield (
        "plane with pairs",
        [drawn(folder, 1000, 2, 5, 9.0, 7), "-k", "5", "--gap", "1e-3", "--constraints", _pairs(folder, 1000)],
    )
    for seed in range(3):
        yield f"line {seed}", [drawn(folder, 1000, 1, 8, 2.0, seed), "-k", "8"]
    weights = _column(folder, "weights", [str(1 + i % 4) for i in range(150)])
    yield "iris --weights", [points("iris"), "-k", "3", "--weights", weights]
    yield "iris --weights --weight-max 140", [points("iris"), "-k", "3", "--weights", weights, "--weight-max", "140"]
    yield "wine --standardize", [points("wine"), "-k", "3", "--standardize"]
    for engine in ("scs", "clarabel"):
        yield f"iris30 --engine {engine}", [points("iris30"), "-k", "3", "--engine", engine]
    yield "iris --node-limit 1 --gap 1e-9", [points("iris"), "-k", "6", "--node-limit", "1", "--gap", "1e-9"]


def _conditioned(folder: Path) -> Iterator[Case]:
    for words in (
        "--size-min 50 --size-max 50",
        "--size-min 48 --size-max 52",
        "--size-min 45",
        "--sizes 40,50,60",
        "--weight-max 55",
    ):
        yield f"iris {words}", [points("iris"), "-k", "3", *words.split()]
    for words in ("--size-min 10 --size-max 15", "--size-min 12 --size-max 13"):
        yield f"overlap {words}", [points("overlap"), "-k", "4", *words.split()]
    yield "iris-both --size-min 48", [points("iris"), "-k", "3", *pairs("iris-both"), "--size-min", "48"]
    soft = _soft(folder, 50)
    for name, words in (
        ("0.5", []),
        ("distance", ["--penalty", "distance"]),
        ("confidence", ["--penalty", "confidence"]),
    ):
        yield f"soft {name}", [points("overlap"), "-k", "4", "--constraints", soft, *words]
    yield "soft and sizes", [points("overlap"), "-k", "4", "--constraints", soft, "--size-max", "14"]
    groups = _column(folder, "groups", [str(i % 3) for i in range(30)])
    for words in ("--group-min 1", "--group-min 2", "--group-max 6"):
        yield f"groups {words}", [points("iris30"), "-k", "3", "--groups", groups, *words.split()]
    for words in ("--max-diameter 6", "--min-split 0.4", "--max-diameter 7 --min-split 0.3"):
        yield f"overlap {words}", [points("overlap"), "-k", "4", *words.split()]
    for words in ("--kernel linear", "--kernel rbf", "--kernel rbf --gamma 0.1"):
        yield f"iris30 {words}", [points("iris30"), "-k", "3", *words.split()]
    for option in ("--gram", "--distances"):
        yield f"{option} 20", [option, _matrix(folder, option, 20), "-k", "3"]


def _others(folder: Path) -> Iterator[Case]:
    alone, labels = ["--workers", "1", "--quiet"], str(folder / "labels.csv")
    yield "solve iris --labels", ["solve", points("iris"), "-k", "3", "--labels", labels, *alone]
    yield "certify iris", ["certify", points("iris"), "--labels", labels, *alone]
    yield "certify iris --gap 1e-5", ["certify", points("iris"), "--labels", labels, "--gap", "1e-5", *alone]
    for n, d, seed in ((1200, 4, 0), (3000, 2, 1)):
        path, found = drawn(folder, n, d, 6, 12.0, seed), str(folder / f"found-{n}.csv")
        for method in ("s-mdeclust", "ipc-kmeans", "sampled"):
            words = [
                "heuristic",
                path,
                "-k",
                "6",
                "--method",
                method,
                "--quiet",
                *(["--workers", "1"] if method == "s-mdeclust" else []),
            ]
            yield f"heuristic {method} {n}", [*words, "--labels", found]
        yield f"certify blocks {n}", ["certify", path, "--labels", found, "--gap", "1e-2", *alone]
    yield "path iris", ["path", points("iris"), "--from", "2", "--to", "5", *alone]
    yield (
        "path overlap with pairs",
        ["path", points("overlap"), "--from", "3", "--to", "5", *pairs("overlap-both"), *alone],
    )
    for criterion in ("diameter", "split"):
        yield f"front {criterion}", ["front", points("iris30"), "-k", "3", "--criterion", criterion, *alone]
    for name, k in (("iris", 3), ("many", 10)):
        yield f"info {name}", ["info", points(name), "-k", str(k), *pairs(f"{name}-both"), "--quiet"]
    yield "info infeasible", ["info", points("iris30"), "-k", "3", *pairs("infeasible-clique"), "--quiet"]
    yield "compare", ["compare", points("iris"), labels, labels]
    run_file = str(folder / "iris.run")
    yield "solve --run-file", ["solve", points("iris"), "-k", "3", *pairs("iris-both"), "--run-file", run_file, *alone]
    yield "info run file", ["info", run_file, "--quiet"]
    yield "resume", ["resume", run_file, "--quiet"]
    yield "verify", ["verify", run_file, "-k", "3", "--points", points("iris"), *pairs("iris-both")]
    yield "info --certain", ["info", run_file, "--certain", "0.001", "--quiet"]


def drawn(folder: Path, n: int, d: int, k: int, separation: float, seed: int) -> str:
    """Write points that are drawn from k Gaussians of variance 1, and return the path."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(0.0, separation**0.5, (k, d))
    path = folder / f"drawn-{n}-{d}-{k}-{separation}-{seed}.csv"
    np.savetxt(path, (centres[rng.integers(k, size=n)] + rng.normal(size=(n, d))).round(6), fmt="%.6f", delimiter=",")
    return str(path)


def _pairs(folder: Path, n: int) -> str:
    rng, path = np.random.default_rng(1), folder / "pairs.txt"
    path.write_text("".join(f"CL {i} {j}\n" for i, j in rng.integers(n, size=(12, 2)) if i != j))
    return str(path)


def _soft(folder: Path, n: int) -> str:
    rng, path = np.random.default_rng(2), folder / "soft.txt"
    rows = [(i, j) for i, j in rng.integers(n, size=(16, 2)) if i != j]
    path.write_text(
        "".join(f"{('SML', 'SCL')[at % 2]} {i} {j} {0.6 + at % 3 / 10}\n" for at, (i, j) in enumerate(rows))
    )
    return str(path)


def _column(folder: Path, name: str, values: list[str]) -> str:
    path = folder / f"{name}.csv"
    path.write_text("\n".join(values))
    return str(path)


def _matrix(folder: Path, option: str, n: int) -> str:
    rows = np.random.default_rng(3).integers(0, 9, (n, 3)).astype(float)
    squares = ((rows[:, None] - rows) ** 2).sum(axis=2)
    path = folder / f"matrix{option}.npy"
    np.save(path, rows @ rows.T if option == "--gram" else squares)
    return str(path)
