"""A scene: a drawn instance in a folder, the processes that run there, the judge of all that they say, and stories."""

import json
import math
import re
import shutil
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.soak import process
from benchmarks.soak.draw import KINDS, SIZES, draw
from benchmarks.soak.process import NONE, Ran, Trouble

Record = dict[str, Any]
#: What a traceback, or an exception that nobody expected, looks like.
SLIPS = ("Traceback (most recent call last)", "unexpected error", "Exception ignored", "Fatal Python error")
#: Where a result goes that cannot be written, if that is the trouble.
ASTRAY = {process.FULL: "/dev/full", process.CLOSED: "-"}
RESULT, NOTHING = ["--json", "out/result.json"], ["--quiet", "--time-limit", "0", "--node-limit", "0"]
#: The gap that is asked for, by what two computations may differ, and seconds that a process may take beyond its limit.
GAP, SLACK, GRACE = 1e-4, 1e-9, 20.0
#: Times that a run is resumed under trouble, and seconds for runs that are left alone.
ROUNDS = 2
LIMIT = {"small": "60", "medium": "10", "large": "6"}
#: Commands without a run file: the kinds that they know of, and their arguments beside those of the instance.
ALONE: dict[str, tuple[str, list[str]]] = {
    "heuristic": ("plain pairs weights sizes soft gram infeasible", ["--labels", "out/labels.csv"]),
    "path": ("plain pairs weights soft infeasible", ["--from", "2", "--to", "4"]),
    "front": ("plain pairs weights infeasible", ["--criterion", "diameter"]),
    "info": ("plain pairs weights sizes soft gram infeasible", []),
}


class Scene:
    """An instance in a folder, and the checks that were made, with those that failed."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.out, self.rng = folder, folder / "out", np.random.default_rng(seed)
        size = str(self.rng.choice(list(SIZES), p=[share for share, *_ in SIZES.values()]))
        self.about = draw(self.rng, size, str(self.rng.choice(["plain", "pairs"] if size == "large" else KINDS)))
        self.checks: Counter[str] = Counter()
        self.wrong: list[tuple[str, str]] = []
        self.runs: list[Ran] = []
        self.out.mkdir()
        (folder / "tmp").mkdir()
        self.has_disk = process.mount(self.out, process.LARGE_DISK)
        self.about.write(folder)

    def trouble(self, command: str, seconds: float) -> Trouble:
        """Draw a trouble for a command that takes about so many seconds."""
        return process.draw_trouble(self.rng, command, seconds, has_disk=self.has_disk)

    def check(self, name: str, holds: bool, sentence: str = "") -> None:
        """Count a check; keep what was looked at, and the last process, if it failed."""
        self.checks[name] += 1
        if not holds:
            self.wrong.append((name, f"{sentence}: {self.runs[-1].sentence}"))

    def do(self, name: str, arguments: list[str], trouble: Trouble = NONE, also: tuple[int, ...] = ()) -> Record:
        """Run a command, judge how it ended and its files, and return its result; statuses ``also`` fit, too."""
        place, is_astray = self.out / "result.json", "--json" in arguments and trouble.name in ASTRAY
        if is_astray:
            arguments = process.replaced(arguments, "--json", ASTRAY[trouble.name])
        for path in (place, *self.out.glob("*.result.json")):
            path.unlink(missing_ok=True)
        lasting = [path for path in self.out.iterdir() if path.suffix in (".csv", ".html", ".run")]
        ran = process.run(self.folder, name, arguments, trouble)
        self.runs.append(ran)
        self.judge_process(ran, also)
        for path in lasting:
            self.check("outputs kept", path.exists(), f"{path.name} is gone")
        for path in (*self.out.glob("*.html"), *self.out.glob("*.csv")):
            is_whole = path.read_text().endswith(("</html>\n", "</html>") if path.suffix == ".html" else "\n")
            self.check("outputs whole", is_whole, path.name)
        if "--json" in arguments and not is_astray and ran.status in (0, 3, 4):
            self.check("outputs written", place.exists(), place.name)
        if is_astray and ran.status == 1:
            self.check("result rescued", '{"' in ran.err or any(self.out.glob("*.result.json")), "nowhere")
        return dict(json.loads(place.read_text())) if place.exists() else {}

    def judge_process(self, ran: Ran, also: tuple[int, ...]) -> None:
        """Judge how a process ended, what it said, how long it took, and what it left behind."""
        options = dict(pairwise(ran.arguments))
        limit = float(options.get("--time-limit", math.inf))
        fits = process.fitting(ran.name, self.about.is_feasible, ran.trouble, is_limited=limit < math.inf) | set(also)
        self.check("ends", ran.seconds < process.DEADLINE, f"{ran.seconds:.0f} s")
        self.check("exit status", ran.status in fits, f"none of {sorted(fits)}")
        self.check("no traceback", not any(slip in ran.err for slip in SLIPS))
        left = [what for what in ran.left if ran.status >= 0 or what.startswith("process")]
        self.check("nothing left", not left, str(left))
        self.check("time limit", ran.seconds <= limit + GRACE, f"{ran.seconds:.1f} s")
        if found := re.search(r"verified lower bound\s+(\S+)", ran.out):
            self.bound(float(found[1]))

    def claim(self, record: Record, gap: float) -> None:
        """Judge status, bound, objective and labels of a result; what is right narrows what is known."""
        about = self.about
        status, objective, bound, labels = map(record.get, ("status", "objective", "lower_bound", "labels"))
        if not about.is_feasible:
            self.check("no partition", labels is None, str(status))
            return
        self.check("feasible", status != "INFEASIBLE", str(status))
        if labels is not None:
            real = about.cost(labels)
            same = objective is not None and math.isclose(objective, real, rel_tol=SLACK)
            self.check("labels", about.is_partition(labels), "no partition")
            self.check("objective", same, f"{objective!r}, but the labels cost {real!r}")
            self.check("bounds before", real >= about.least * (1 - SLACK), f"{real!r} below {about.least!r}")
            about.most = min(about.most, real)
        if bound is not None:
            self.bound(bound)
        if status == "OPTIMAL":
            proof = None not in (objective, bound) and objective - bound <= gap * objective * (1 + SLACK)
            best = proof and objective - about.most <= gap * objective + SLACK * about.most
            self.check("proof", best, f"{objective!r}, bound {bound!r}, best {about.most!r}")

    def bound(self, bound: float) -> None:
        """Judge a lower bound; a partition below one that may be right would be wrong."""
        self.check("bound", bound <= self.about.most * (1 + SLACK), f"{bound!r} above {self.about.most!r}")
        self.about.least = max(self.about.least, min(bound, self.about.most))

    def after(self, earlier: Record, later: Record, *, is_kept: bool) -> Record:
        """Judge a result, and that nothing is lost since an earlier one; return what has to be there from now on."""
        self.claim(later, GAP)
        before, now = (record.get("objective") for record in (earlier, later))
        if before is not None:
            self.check("best partition kept", now is not None and now <= before * (1 + 1e-12), f"{now!r}, {before!r}")
        before, now = (record.get("lower_bound") for record in (earlier, later))
        if before is not None and later["status"] != "INFEASIBLE":
            self.check("bound kept", now is not None and now >= before - 1e-12 * abs(before), f"{now!r}, {before!r}")
        is_filed = is_kept and (self.out / "a.run").exists() and later.get("reason") != "RUN_FILE_FAILED"
        return later if is_filed else earlier


def journaled(scene: Scene) -> None:
    """Write a run file under trouble, and resume it under trouble, then to the end: it ends like a run left alone.

    What a look at the file or a result has shown before stays, however a run has ended.
    """
    command = "solve" if scene.rng.random() < 0.75 else "certify"
    also = (4,) if command == "certify" else ()  # it ends without a proof where the partition is not the best one
    labels = ["--labels" if command == "solve" else "--labels-out", "out/labels.csv"]
    limit = ["--quiet", "--time-limit", LIMIT[scene.about.size]]
    given = [*scene.about.arguments(), "--gap", str(GAP), "--workers", str(scene.rng.integers(1, 3)), *labels, *limit]
    alone, known, final = scene.do(command, [*given, *RESULT], also=also), Record(), Record()
    scene.claim(alone, GAP)
    seconds = scene.runs[-1].seconds
    for number in range(ROUNDS + 2):
        name, arguments = ("resume", ["out/a.run", *limit]) if known else (command, [*given, "--run-file", "out/a.run"])
        trouble = scene.trouble(name, seconds) if number <= ROUNDS else NONE
        final = scene.do(name, [*arguments, *RESULT], trouble, also)
        if final:
            known = scene.after(known, final, is_kept=trouble.name not in process.FILLING)
        if (scene.out / "a.run").exists():  # a certification begins one once it has a partition
            known = look(scene, known, is_whole=command == "solve")
    if alone and final and command == "solve" and "TIME_LIMIT" not in (alone["reason"], final["reason"]):
        costs = [record["objective"] or 0.0 for record in (alone, final)]
        same = alone["status"] == final["status"] and math.isclose(*costs, rel_tol=GAP)
        scene.check("same end", same, f"{final['status']} at {costs[1]!r}, alone {alone['status']} at {costs[0]!r}")
    for name, more in (("verify", []), ("pcsos-verify", []), ("report", ["-o", "out/page.html"])):
        if (scene.out / "a.run").exists():
            scene.do(name, ["out/a.run", *more])
            scene.do(name, ["out/a.run", *more], scene.trouble(name, scene.runs[-1].seconds))


def look(scene: Scene, known: Record, *, is_whole: bool) -> Record:
    """See what the run file holds by resuming a copy of it for no time and no node, and return what is known now.

    A certification proves something even so, and writes that to the copy: its bound does not count.
    """
    for suffix in ("", "-wal", "-journal"):
        (scene.out / f"copy{suffix}").unlink(missing_ok=True)
        if (scene.out / f"a.run{suffix}").exists():
            shutil.copy(scene.out / f"a.run{suffix}", scene.out / f"copy{suffix}")
    record = scene.do("resume", ["out/copy", *NOTHING, *RESULT], also=(0, 2, 3, 4))
    scene.check("run file kept", not known or scene.runs[-1].status != 2)
    if not record:
        return known
    found = scene.after(known, record, is_kept=True)
    scene.do("verify", ["out/copy"])
    return found if is_whole else {**found, "lower_bound": known.get("lower_bound")}


def by_itself(scene: Scene) -> None:
    """Run two commands that need no run file, each left alone and then under trouble, and judge what they claim."""
    able = [name for name, (kinds, _) in ALONE.items() if scene.about.kind in kinds.split()]
    able = [name for name in able if scene.about.size != "large" or name in ("heuristic", "info")]
    for name in scene.rng.choice(able, min(2, len(able)), replace=False).tolist():
        given = [*scene.about.arguments(with_k=name != "path"), *ALONE[name][1], *RESULT, "--quiet"]
        given += [] if name == "info" else ["--time-limit", LIMIT[scene.about.size]]
        for is_troubled in (False, True):
            trouble = scene.trouble(name, scene.runs[-1].seconds) if is_troubled else NONE
            found = scene.do(name, given, trouble)
            for row in (found, *found.get("path", []), *found.get("corners", [])[:1]):
                if row.get("n_clusters", scene.about.n_clusters) == scene.about.n_clusters:
                    scene.claim(row, 2 * GAP)
            if "feasible" in found:
                scene.check("feasible", found["feasible"] == scene.about.is_feasible)
