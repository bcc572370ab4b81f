"""Stories: what is done with an instance, command by command, trouble by trouble."""

import shutil
from collections.abc import Callable
from typing import Any

from benchmarks.soak.commands import ALONE, alone, troubles_of
from benchmarks.soak.flaws import FLAWS, refusals
from benchmarks.soak.scene import Scene, verified_bound
from benchmarks.soak.trouble import LIMITS, NONE, OUTPUTS, draw_trouble

#: Times that a run is resumed under trouble before it is left alone.
ROUNDS = 2
#: Seconds for a larger instance, for runs left alone and for the last resume.
LIMIT = {"small": 60.0, "medium": 10.0, "large": 6.0}
COMMANDS_A_STORY = 2


def play(scene: Scene) -> str:
    """Do with the instance what its generator draws; return the name of the story."""
    name = str(scene.rng.choice(list(STORIES), p=[share for share, _ in STORIES.values()]))
    STORIES[name][1](scene)
    scene.end()
    return name


def journaled(scene: Scene) -> None:
    """Write a run file under trouble, resume it under trouble, then to the end; it ends like a run left alone."""
    Journal(scene).play()


class Journal:
    """A run with a run file, by ``solve`` or by ``certify``."""

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
        names = tuple(trouble for trouble in troubles_of(name))
        trouble = draw_trouble(scene.rng, names, seconds) if is_troubled else NONE
        has_limit = trouble.name in LIMITS[:1]
        was = scene.path("result.json").stat().st_mtime_ns if scene.path("result.json").exists() else None
        ran = scene.do(name, [*arguments, *([] if has_limit else self.limit)], trouble, also=self._stalls())
        source = f"result of {ran.sentence}"
        is_new = scene.path("result.json").exists() and scene.path("result.json").stat().st_mtime_ns != was
        record = scene.judge_result("result.json", self.gap, source) if is_new and not trouble.disk_bytes else None
        if record is not None:
            if self.known:
                scene.judge.kept(self.known, record, source)
            is_filed = record.get("reason") != "RUN_FILE_FAILED" and trouble.name not in OUTPUTS[:2]
            if is_filed and (self.has_file or not self.needs_none):
                self.known = record
        return record

    def _look(self) -> None:
        """See what the run file holds, by resuming a copy of it for no time, and let the checker look, too."""
        scene = self.scene
        if not self.has_file:
            scene.judge.check("run file kept", not self.known, f"{self.file} is gone")
            return
        self._copy("copy.pcsos")
        arguments = ["out/copy.pcsos", "--quiet", "--json", "out/look.json", "--time-limit", "0"]
        scene.path("look.json").unlink(missing_ok=True)
        ran = scene.do("resume", arguments, also=(0, 2, 3, 4))
        if ran.status == 2:
            scene.judge.check("run file kept", not self.known, f"what was a run file is refused: {ran.sentence}")
            return
        record = scene.judge_result("look.json", self.gap, f"what the run file held: {ran.sentence}")
        if record is not None:
            scene.judge.kept(self.known, record, ran.sentence)
            self.known = record
            self._verify("verify", "out/copy.pcsos")

    def _verify(self, name: str, file: str) -> None:
        ran = self.scene.do(name, [file])
        bound = verified_bound(ran)
        if bound is not None and self.scene.truth.is_feasible:
            self.scene.judge.bound(bound, self.scene.truth, ran.sentence)

    def _inspect(self) -> None:
        """Let the commands about run files look at the one that has been finished, some of them under trouble."""
        scene, file = self.scene, f"out/{self.file}"
        looks: dict[str, list[str]] = {
            "verify": [file, *scene.about.arguments()] if scene.about.kind != "gram" else [file],
            "pcsos-verify": [file],
            "report": [file, "-o", "out/page.html"],
            "info": [file, "--certain", "0.01", "--time-limit", "3", "--json", "out/certain.json"],
        }
        looks["verify"] = [
            argument if argument != "points.csv" else "--points=points.csv" for argument in looks["verify"]
        ]
        for name in scene.rng.choice(list(looks), 2, replace=False).tolist():
            also = (0, 2, 3) if name == "info" and not scene.truth.is_feasible else ()
            ran = scene.do(name, looks[name], also=also)
            bound = verified_bound(ran)
            if bound is not None and scene.truth.is_feasible:
                scene.judge.bound(bound, scene.truth, ran.sentence)
            scene.do(name, looks[name], draw_trouble(scene.rng, troubles_of(name), ran.seconds), also=also)

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


def by_itself(scene: Scene) -> None:
    """Run commands that need no run file, each left alone and then under trouble over the outputs of the first."""
    able = [name for name, kinds in ALONE.items() if scene.about.kind in kinds]
    if scene.about.size == "large":
        able = [name for name in able if name in ("heuristic", "info", "compare")]
    for name in scene.rng.choice(able, min(COMMANDS_A_STORY, len(able)), replace=False).tolist():
        arguments, stdin = alone(name, scene.about, scene.rng)
        ran = scene.do(name, arguments, stdin=stdin)
        judge_rows(scene, name, ran.sentence)
        if name == "ask":
            arguments = ask_again(scene, arguments)
        trouble = draw_trouble(scene.rng, troubles_of(name), ran.seconds)
        answers = number_of_answers(scene)
        ran = scene.do(name, arguments, trouble, stdin=stdin)
        judge_rows(scene, name, ran.sentence)
        if name == "ask" and trouble.name not in OUTPUTS:
            scene.judge.check("answers kept", number_of_answers(scene) >= answers, f"fewer answers: {ran.sentence}")


def judge_rows(scene: Scene, name: str, source: str) -> None:
    """Judge every claim in what such a command has written."""
    record = scene.record(f"{name}.json")
    if record is None:
        return
    if name == "heuristic":
        scene.judge.claim(record, scene.truth, 0.0, source)
    rows = [row for row in record.get("path", []) if row["n_clusters"] == scene.about.n_clusters]
    rows += record.get("corners", [])[:1]  # the first corner is the least cost of all
    for row in rows:
        scene.judge.claim(row, scene.truth, 1e-4, source)
    if name == "soft" and not scene.about.soft:
        labels = record["labels"]
        ours = [(i, j) for i, j in scene.about.must_link if labels[i] != labels[j]]
        same = len(ours) == len(record["violated_must_link"])
        scene.judge.check("broken pairs", same, f"{record['violated_must_link']} instead of {ours}: {source}")


def ask_again(scene: Scene, arguments: list[str]) -> list[str]:
    """Answer further questions in the session of the log."""
    at = arguments.index("--budget") + 1
    return [*arguments[:at], "16", *arguments[at + 1 :]]


def number_of_answers(scene: Scene) -> int:
    """Return how many lines the log of answers has."""
    log = scene.path("answers.csv")
    return len(log.read_text().splitlines()) if log.exists() else 0


def refused(scene: Scene) -> None:
    """Give commands bad input: one sentence, status 2, nothing on standard output."""
    for name in scene.rng.choice(list(FLAWS), 3, replace=False).tolist():
        for command, arguments in refusals(name, scene.folder, scene.about, scene.rng):
            ran = scene.do(command, arguments, also=(2, 5))
            right = ran.status == 2 or (ran.status == 5 and command in ("verify", "pcsos-verify", "report"))
            scene.judge.check("bad input refused", right, f"{name}: {ran.sentence}")
            said = ran.err.startswith("pcsos") and not ran.out
            scene.judge.check("bad input explained", said, f"{name}: {ran.out[:100]!r}, {ran.sentence}")


STORIES: dict[str, tuple[float, Callable[[Scene], None]]] = {
    "run file": (0.6, journaled),
    "commands": (0.32, by_itself),
    "bad input": (0.08, refused),
}
