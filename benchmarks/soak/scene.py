"""A scene: one instance in a folder of its own, the processes that run there, and the judge of them."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.soak.commands import fitting
from benchmarks.soak.draw import Drawn, draw
from benchmarks.soak.judge import Judge
from benchmarks.soak.process import Ran, orphans, run, shared_segments
from benchmarks.soak.trouble import CLOSED, FULL, NONE, Trouble
from benchmarks.soak.truth import Truth

OUTPUTS = ("--json", "--labels", "--labels-out", "--better-out", "--constraints-out", "-o")
#: Exit statuses with which a command has written its result, where not with 0, 3 and 4.
WRITTEN = {"graph": (0,)}
#: Seconds that a process may take longer than its time limit: it loads, and the machine is busy.
GRACE = 20.0
#: Outputs that cannot be written, if that is the trouble: the first of these options that a command has.
ASTRAY = {FULL: ("--json", "--constraints-out", "-o"), CLOSED: ("--json",)}
#: What ends the name of the file beside a run file that a result goes to where standard output fails.
BESIDE = ".result.json"


class Scene:
    """An instance that was drawn, and everything that is done with it.

    Parameters
    ----------
    folder : Path
        Where its files are to be.
    seed : int
        Draws everything but the moments at which the machine does what.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.rng = np.random.default_rng(seed)
        self.about: Drawn = draw(self.rng)
        self.truth = Truth.of(self.about)
        self.judge = Judge()
        self.runs: list[Ran] = []
        self._new: set[Path] = set()
        self._shared = shared_segments()
        for name in ("out", "tmp"):
            (folder / name).mkdir()
        self.about.write(folder)

    def path(self, name: str) -> Path:
        """Return the path of an output."""
        return self.folder / "out" / name

    def do(
        self, name: str, arguments: list[str], trouble: Trouble = NONE, stdin: str = "", also: tuple[int, ...] = ()
    ) -> Ran:
        """Run a command, judge how it ended and its files; ``also`` are exit statuses that fit besides."""
        arguments = _led_astray(arguments, trouble)
        files = [self.folder / value for value in _values(arguments, OUTPUTS) if value.startswith("out/")]
        before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files if path.exists()}
        for path in self.folder.glob(f"out/*{BESIDE}"):
            path.unlink()
        ran = run(self.folder, name, arguments, trouble, stdin)
        self.runs.append(ran)
        is_limited = "--time-limit" in ran.arguments or "--node-limit" in ran.arguments
        fits = fitting(name, bool(self.truth.is_feasible), ran.met, is_limited=is_limited) | set(also)
        self.judge.process(ran, fits)
        self._new = set()
        for path in files:
            data, written = before.get(path, (None, None))
            self.judge.output(path, data, ran, self.about.names)
            if path.exists() and path.stat().st_mtime_ns != written:
                self._new.add(path)
            if ran.status in WRITTEN.get(name, (0, 3, 4)) and path.suffix == ".json":
                self.judge.written(path, path in self._new, ran)
        self._judge_streams(ran)
        return ran

    def is_new(self, name: str) -> bool:
        """Tell whether the last command has written this output."""
        return self.path(name) in self._new

    def record(self, name: str) -> dict[str, Any] | None:
        """Return the JSON that the last command has written to this output, or in place of it; None if it has not."""
        return _read(self.path(name)) if self.is_new(name) else self._rescued()

    def judge_result(self, name: str, gap: float, source: str) -> dict[str, Any] | None:
        """Judge the result that the last command has written, if it has, and return it."""
        record = self.record(name)
        if record is not None:
            self.judge.claim(record, self.truth, gap, source)
        return record

    def judge_verified(self, ran: Ran) -> None:
        """Judge the bound that the checker says it has verified, if it says so."""
        found = re.search(r"verified lower bound\s+(\S+)", ran.out)
        if found and self.truth.is_feasible:
            self.judge.bound(float(found[1]), self.truth, ran.sentence)

    def end(self) -> None:
        """Judge what is left when everything is done."""
        left = orphans(self._shared)
        self.judge.check("no shared memory left", not left, f"{left} in /dev/shm")

    def _rescued(self) -> dict[str, Any] | None:
        """Return the result that the last command could not write to its place, from where it went instead."""
        beside = [record for path in self.folder.glob(f"out/*{BESIDE}") if (record := _read(path)) is not None]
        return self.runs[-1].rescued or next(iter(beside), None)

    def _judge_streams(self, ran: Ran) -> None:
        """Judge standard output, the rescue of results, and the time that a limit gave."""
        json_to = next(iter(_values(ran.arguments, ("--json",))), None)
        if json_to == "-" or (json_to is not None and "--quiet" in ran.arguments and ran.name != "info"):
            self.judge.standard_output(ran, is_empty=json_to != "-")
        if json_to in ("-", "/dev/full") and ran.trouble.name in ASTRAY and ran.status == 1:
            self.judge.rescued(ran, self._rescued())
        limits = _values(ran.arguments, ("--time-limit",))
        if limits and ran.name != "info":
            self.judge.in_time(ran, float(limits[-1]), GRACE)


def _led_astray(arguments: list[str], trouble: Trouble) -> list[str]:
    """Let an output go to where it cannot be written, if that is the trouble."""
    place = {FULL: "/dev/full", CLOSED: "-"}.get(trouble.name)
    option = next((option for option in ASTRAY.get(trouble.name, ()) if option in arguments), None)
    if place is None or option is None:
        return arguments
    at = arguments.index(option) + 1
    return [*arguments[:at], place, *arguments[at + 1 :]]


def _read(path: Path) -> dict[str, Any] | None:
    """Return what a JSON file holds, None where it is no JSON: that has been judged before."""
    try:
        return dict(json.loads(path.read_text()))
    except (OSError, ValueError):
        return None


def _values(arguments: list[str], options: tuple[str, ...]) -> list[str]:
    return [value for option, value in pairwise(arguments) if option in options]
