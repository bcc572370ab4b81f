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
from benchmarks.soak.trouble import NONE, Trouble
from benchmarks.soak.truth import Truth

OUTPUTS = ("--json", "--labels", "--labels-out", "--better-out", "--constraints-out", "-o")
#: Seconds that a process may take longer than its time limit: it loads, and the machine is busy.
GRACE = 20.0
DISKS = ("small disk", "small files", "/dev/full")


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
        arguments = self._led_astray(arguments, trouble)
        files = [self.folder / value for value in _values(arguments, OUTPUTS) if value.startswith("out/")]
        before = {path: (path.read_bytes(), path.stat().st_ino) for path in files if path.exists()}
        ran = run(self.folder, name, arguments, trouble, stdin)
        self.runs.append(ran)
        is_limited = "--time-limit" in ran.arguments or "--node-limit" in ran.arguments
        fits = fitting(name, self.truth.is_feasible, trouble, is_limited=is_limited) | set(also)
        self.judge.process(ran, fits)
        for path in files:
            data, inode = before.get(path, (None, None))
            self.judge.output(path, data, ran, self.about.n)
            if ran.status in (0, 3, 4) and trouble.name not in DISKS and path.suffix == ".json":
                self.judge.written(path, inode, ran)
        self._judge_streams(ran)
        return ran

    def record(self, name: str) -> dict[str, Any] | None:
        """Return what a JSON file among the outputs holds, None where it is absent or no JSON."""
        try:
            return dict(json.loads(self.path(name).read_text()))
        except (OSError, ValueError):
            return None

    def judge_result(self, name: str, gap: float, source: str) -> dict[str, Any] | None:
        """Judge the result in a JSON file, if there is one, and return it."""
        record = self.record(name)
        if record is not None:
            self.judge.claim(record, self.truth, gap, source)
        return record

    def end(self) -> None:
        """Judge what is left when everything is done."""
        left = orphans(self._shared)
        self.judge.check("no shared memory left", not left, f"{left} in /dev/shm")

    def _led_astray(self, arguments: list[str], trouble: Trouble) -> list[str]:
        """Let JSON go to where it cannot be written, if that is the trouble."""
        place = {"/dev/full": "/dev/full", "closed stdout": "-"}.get(trouble.name)
        if place is None or "--json" not in arguments:
            return arguments
        at = arguments.index("--json") + 1
        return [*arguments[:at], place, *arguments[at + 1 :]]

    def _judge_streams(self, ran: Ran) -> None:
        """Judge standard output, the rescue of results, and the time that a limit gave."""
        json_to = next(iter(_values(ran.arguments, ("--json",))), None)
        if json_to == "-" or (json_to is not None and "--quiet" in ran.arguments and ran.name not in ("info",)):
            self.judge.standard_output(ran, is_empty=json_to != "-")
        if json_to in ("-", "/dev/full") and ran.trouble.name in ("closed stdout", "/dev/full") and ran.status == 1:
            run_file = next(iter([*_values(ran.arguments, ("--run-file",)), *_resumed(ran)]), None)
            self.judge.rescued(ran, None if run_file is None else self.folder / f"{run_file}.result.json")
        limits = _values(ran.arguments, ("--time-limit",))
        if limits and ran.name != "info":
            self.judge.in_time(ran, float(limits[-1]), GRACE)


def verified_bound(ran: Ran) -> float | None:
    """Return the bound that the checker says it has verified."""
    found = re.search(r"verified lower bound\s+(\S+)", ran.out)
    return float(found[1]) if found else None


def _values(arguments: list[str], options: tuple[str, ...]) -> list[str]:
    return [value for option, value in pairwise(arguments) if option in options]


def _resumed(ran: Ran) -> list[str]:
    return ran.arguments[:1] if ran.name == "resume" else []
