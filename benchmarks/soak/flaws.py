"""Bad input on purpose: files that no command can use, and the commands that have to say so."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.soak.draw import Drawn
from benchmarks.soak.scene import Scene

Calls = list[tuple[str, list[str]]]


def refused(scene: Scene) -> None:
    """Give commands bad input: one sentence, status 2, nothing on standard output."""
    for name in scene.rng.choice(list(FLAWS), 3, replace=False).tolist():
        for command, arguments in FLAWS[name](scene.folder, scene.about, scene.rng):
            ran = scene.do(command, arguments, also=(2, 5))
            right = ran.status == 2 or (ran.status == 5 and command in ("verify", "pcsos-verify", "report"))
            scene.judge.check("bad input refused", right, f"{name}: {ran.sentence}")
            said = ran.err.startswith("pcsos") and not ran.out
            scene.judge.check("bad input explained", said, f"{name}: {ran.out[:100]!r}, {ran.sentence}")


def _with_points(text: str | bytes, name: str = "bad.csv") -> Callable[[Path, Drawn, np.random.Generator], Calls]:
    def flaw(folder: Path, about: Drawn, rng: np.random.Generator) -> Calls:
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return [(str(rng.choice(["solve", "heuristic", "info", "front"])), [name, "-k", "2"])]

    return flaw


def _with_pairs(text: str) -> Callable[[Path, Drawn, np.random.Generator], Calls]:
    def flaw(folder: Path, about: Drawn, rng: np.random.Generator) -> Calls:
        (folder / "bad.txt").write_text(text)
        command = str(rng.choice(["solve", "heuristic", "info", "front", "soft", "certify"]))
        return [(command, ["points.csv", "-k", "2", "--constraints", "bad.txt"])]

    return flaw


def _with_run_file(data: bytes) -> Callable[[Path, Drawn, np.random.Generator], Calls]:
    def flaw(folder: Path, about: Drawn, rng: np.random.Generator) -> Calls:
        (folder / "bad.run").write_bytes(data)
        more = {"report": ["-o", "out/page.html"], "info": ["--certain", "0.1"]}
        commands = ["resume", "verify", "pcsos-verify", "report", "info"]
        return [(name, ["bad.run", *more.get(name, [])]) for name in rng.choice(commands, 2, replace=False).tolist()]

    return flaw


def _many_clusters(folder: Path, about: Drawn, rng: np.random.Generator) -> Calls:
    return [(str(rng.choice(["solve", "heuristic", "info"])), ["points.csv", "-k", str(about.n + 1)])]


def _few_labels(folder: Path, about: Drawn, rng: np.random.Generator) -> Calls:
    (folder / "bad.txt").write_text("0\n1\n")
    return [("certify", ["points.csv", "--labels", "bad.txt"]), ("compare", ["points.csv", "bad.txt"])]


def _bad_weights(folder: Path, about: Drawn, rng: np.random.Generator) -> Calls:
    (folder / "bad.txt").write_text("1\n" * (about.n - 1) + "-1\n")
    return [("solve", ["points.csv", "-k", "2", "--weights", "bad.txt"])]


def _no_file(folder: Path, about: Drawn, rng: np.random.Generator) -> Calls:
    return [("solve", ["absent.csv", "-k", "2"]), ("resume", ["absent.run"]), ("pcsos-verify", ["absent.run"])]


def _no_folder(folder: Path, about: Drawn, rng: np.random.Generator) -> Calls:
    return [("solve", ["points.csv", "-k", "2", "--json", "absent/result.json"])]


def _usage(folder: Path, about: Drawn, rng: np.random.Generator) -> Calls:
    wrong = [["points.csv"], ["points.csv", "-k", "two"], ["points.csv", "-k", "2", "--gap", "-1"], ["--no-such"]]
    return [("solve", wrong[int(rng.integers(len(wrong)))])]


FLAWS: dict[str, Callable[[Path, Drawn, np.random.Generator], Calls]] = {
    "text among numbers": _with_points("x,y\n1,2\n3,four\n5,6\n"),
    "ragged rows": _with_points("x,y\n1,2\n3\n5,6\n"),
    "missing value": _with_points("x,y\n1,2\n3,NaN\n5,6\n"),
    "empty file": _with_points(""),
    "bytes": _with_points(bytes(range(256))),
    "half an array": _with_points(b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order'", "bad.npy"),
    "no such point": _with_pairs("ML 0 1000000\n"),
    "no such constraint": _with_pairs("XL 0 1\n"),
    "half a pair": _with_pairs("ML 0\n"),
    "apart from itself": _with_pairs("CL 1 1\n"),
    "no run file": _with_run_file(b"x,y\n1,2\n"),
    "half a run file": _with_run_file(b"SQLite format 3\0" + bytes(84)),
    "more clusters than points": _many_clusters,
    "too few labels": _few_labels,
    "negative weight": _bad_weights,
    "no such file": _no_file,
    "no such folder": _no_folder,
    "usage": _usage,
}
