"""A run file under trouble: it is written, stopped, resumed, moved, looked at, and resumed to the end."""

import contextlib
import json
import math
import shutil
import sqlite3
from pathlib import Path
from typing import Any

from benchmarks.soak.claims import judge_claims
from benchmarks.soak.commands import troubles_of
from benchmarks.soak.judge import Progress
from benchmarks.soak.scene import Scene
from benchmarks.soak.trouble import FILLING, NONE, TIME_LIMIT, draw_trouble

#: Times that a run is resumed under trouble before it is left alone.
ROUNDS = 2
#: Seconds for a larger instance, for runs left alone and for the last resume.
LIMIT = {"small": 60.0, "medium": 10.0, "large": 6.0}
#: How the notice begins after which nothing more is written to the run file.
GIVEN_UP = "the run stops because its run file cannot be written"


def journaled(scene: Scene) -> None:
    """Write a run file under trouble, resume it under trouble, then to the end; it ends like a run left alone."""
    Journal(scene).play()


class Journal:
    """A run with a run file, by ``solve`` or by ``certify``.

    What has to be in the file at a look is what the documentation promises. What a look or a result has shown before
    stays, however the run ended; a run whose disk is full need not add to it. A node is one transaction, and a node or
    a partition is written before it is told, so that whatever the log of a killed ``solve`` tells of either is in the
    file. Of bounds that promises nothing: those of rounds of cuts and of prices are told before they are written. Nor
    does it of ``certify``, whose log tells of its search for a partition, before there is a file.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        rng, about = scene.rng, scene.about
        self.command = "solve" if rng.random() < 0.75 else "certify"
        self.gap = float(rng.choice([1e-4, 1e-6])) if self.command == "solve" else 1e-3
        labels = "--labels" if self.command == "solve" else "--labels-out"
        self.given = [*about.arguments(), "--gap", str(self.gap), "--workers", str(rng.integers(1, 3)), "--quiet"]
        self.given += ["--json", "out/result.json", labels, "out/labels.csv"]
        self.limit = ["--time-limit", str(LIMIT[about.size])]
        self.file = "run.pcsos"
        self.known: dict[str, Any] = {}

    def play(self) -> None:
        """Run alone, then under trouble until it is left alone again; check the file with every command for it."""
        scene = self.scene
        left_alone = scene.do(self.command, [*self.given, *self.limit], also=self._stalls())
        alone = scene.judge_result("result.json", self.gap, "alone")
        self._take_labels()
        self._go_on(left_alone.seconds, is_troubled=True)
        for _ in range(ROUNDS):
            self._look()
            if self.known.get("status") in ("OPTIMAL", "INFEASIBLE"):
                break
            if scene.rng.random() < 0.3:
                self._move()
            self._go_on(left_alone.seconds, is_troubled=True)
        self._look()
        final = self._go_on(left_alone.seconds, is_troubled=False)
        if alone is not None and final is not None and (self.command == "solve" or "--labels" in self.given):
            scene.judge.same_end(alone, final, self.gap, f"seed of {self.command} {self.given}")
        if self.has_file or not self.needs_none:
            self._inspect()

    def _take_labels(self) -> None:
        """Let half of the certifications begin with the labels of the one left alone, as only these end alike."""
        found = self.scene.path("labels.csv")
        if (
            self.command == "certify"
            and found.exists()
            and self.scene.truth.is_feasible
            and self.scene.rng.random() < 0.5
        ):
            shutil.copy(found, self.scene.folder / "given.csv")
            at = self.given.index("-k")
            self.given[at : at + 2] = ["--labels", "given.csv"]

    @property
    def has_file(self) -> bool:
        """Whether the run file is there."""
        return self.scene.path(self.file).exists()

    @property
    def needs_none(self) -> bool:
        """Whether the command ends without a run file: a certification begins one once it has a partition."""
        return self.command == "certify" and not self.scene.truth.is_feasible

    def _go_on(self, seconds: float, *, is_troubled: bool) -> dict[str, Any] | None:
        """Begin the run, or resume it if its file holds anything; return the result that was written, if any."""
        scene, begun = self.scene, bool(self.known)
        name = "resume" if begun else self.command
        arguments = [f"out/{self.file}", "--quiet"] if begun else [*self.given, "--run-file", f"out/{self.file}"]
        arguments += ["--json", "out/result.json", "--labels", "out/labels.csv"] if begun else []
        arguments += ["--log", "out/log.jsonl"]
        trouble = draw_trouble(scene.rng, troubles_of(name), seconds) if is_troubled else NONE
        limit = [] if trouble.name == TIME_LIMIT else self.limit
        ran = scene.do(name, [*arguments, *limit], trouble, also=self._stalls())
        source = f"result of {ran.sentence}"
        record = scene.judge_result("result.json", self.gap, source)
        if record is not None:
            scene.judge.kept(self.known, record, source)
            is_filed = record.get("reason") != "RUN_FILE_FAILED" and trouble.name not in FILLING
            if is_filed and (self.has_file or not self.needs_none):
                self.known = record
        return record

    def _look(self) -> None:
        """See what the run file holds, by resuming a copy of it for no time, and let the checker look, too."""
        scene = self.scene
        if not self.has_file:
            self._judge_file(False, f"{self.file} is gone")
            return
        self._copy("copy.pcsos")
        log = scene.path("log.jsonl")
        if self.command == "solve" and log.exists():
            scene.judge.announced(told(log.read_text()), filed(scene.path("copy.pcsos")), scene.runs[-1].sentence)
            self._copy("copy.pcsos")
        arguments = ["out/copy.pcsos", "--quiet", "--json", "out/look.json", "--time-limit", "0"]
        ran = scene.do("resume", arguments, also=(0, 2, 3, 4))
        self._judge_file(ran.status != 2, f"what was a run file is refused: {ran.sentence}")
        if ran.status == 2:
            return
        record = scene.judge_result("look.json", self.gap, f"what the run file held: {ran.sentence}")
        before = self.known.get("lower_bound")
        if record is not None:
            scene.judge.kept(self.known, record, ran.sentence)
            self.known = record
            if self.command == "certify":  # which proves something even without time, and here writes it to a copy
                self.known = {**record, "lower_bound": before}
            scene.judge_verified(scene.do("verify", ["out/copy.pcsos"]))

    def _judge_file(self, is_kept: bool, sentence: str) -> None:
        """Judge that what was a run file is one, if it was one."""
        if self.known:
            self.scene.judge.check("run file kept", is_kept, sentence)

    def _inspect(self) -> None:
        """Let the commands about run files look at the one that has been finished, some of them under trouble."""
        scene, file = self.scene, f"out/{self.file}"
        given = [value if value != "points.csv" else "--points=points.csv" for value in scene.about.arguments()]
        looks: dict[str, list[str]] = {
            "verify": [file, *given] if scene.about.kind != "gram" else [file],
            "pcsos-verify": [file],
            "report": [file, "-o", "out/page.html"],
            "info": [file, "--certain", "0.01", "--time-limit", "3", "--json", "out/certain.json"],
        }
        for name in scene.rng.choice(list(looks), 2, replace=False).tolist():
            also = (0, 2, 3) if name == "info" and not scene.truth.is_feasible else ()
            ran = scene.do(name, looks[name], also=also)
            self._judge_look(name, ran.sentence)
            ran = scene.do(name, looks[name], draw_trouble(scene.rng, troubles_of(name), ran.seconds), also=also)
            self._judge_look(name, ran.sentence)

    def _judge_look(self, name: str, source: str) -> None:
        """Judge what such a command claims."""
        self.scene.judge_verified(self.scene.runs[-1])
        if name == "info":
            judge_claims(self.scene, "certain", source)

    def _move(self) -> None:
        """Go on with a copy of the run file, as somebody does who takes it to another machine."""
        if self.known and self.has_file:
            name = f"moved-{self.file}"
            self._copy(name)
            for path in self.scene.folder.glob(f"out/{self.file}*"):
                path.unlink()
            self.file = name

    def _copy(self, name: str) -> None:
        """Copy the run file with what SQLite keeps beside it."""
        for path in self.scene.folder.glob(f"out/{name}*"):
            path.unlink()
        for suffix in ("", "-wal", "-journal"):
            source = self.scene.path(f"{self.file}{suffix}")
            if source.exists():
                shutil.copy(source, self.scene.path(f"{name}{suffix}"))

    def _stalls(self) -> tuple[int, ...]:
        """A certification ends without a proof where the partition is not the best one."""
        return (4,) if self.command == "certify" else ()


def told(log: str) -> Progress:
    r"""Return what a log tells of a run, as long as its file was written.

    Examples
    --------
    >>> told('{"event": "incumbent", "objective": 2.5}\n{"event": "node_closed", "node": 0, "how": "line"}\n{"eve')
    Progress(objective=2.5, nodes=frozenset({0}))
    """
    objective, nodes, is_written = math.inf, set(), True
    for line in log.splitlines():
        event: dict[str, Any] = {"event": "half a line, as a process leaves it that is killed"}
        with contextlib.suppress(ValueError):
            event = json.loads(line)
        if event["event"] == "run_started":
            is_written = True
        elif event["event"] == "notice" and event["message"].startswith(GIVEN_UP):
            is_written = False
        elif event["event"] == "incumbent" and is_written:
            objective = min(objective, event["objective"])
        elif event["event"] == "node_closed" and event["how"] != "open" and is_written:
            nodes.add(event["node"])
    return Progress(objective, frozenset(nodes))


def filed(path: Path) -> Progress:
    """Return what the tables of a run file hold; nothing where it has none yet."""
    objective, nodes = None, []
    with contextlib.closing(sqlite3.connect(path)) as file, contextlib.suppress(sqlite3.Error):
        (objective,) = file.execute("SELECT min(objective) FROM incumbents").fetchone()
        nodes = file.execute("SELECT node FROM nodes WHERE part = 0 AND closing != 'open'").fetchall()
    return Progress(math.inf if objective is None else objective, frozenset(node for (node,) in nodes))
