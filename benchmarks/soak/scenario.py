"""A scenario: everything that follows from one seed, and what the judge says about it."""

import shutil
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchmarks.soak.process import Ran
from benchmarks.soak.scene import Scene
from benchmarks.soak.stories import play

#: Files of a failure that are larger than this are not kept.
MOST_KEPT = 20_000_000


@dataclass(frozen=True)
class Outcome:
    """What happened in one scenario.

    Parameters
    ----------
    seed : int
        Draws it again.
    about : str
        Size and kind of the instance, and the story.
    commands, troubles, checks : Counter
        How many processes of each command and under each trouble there were, and how many checks of each name.
    peaks : dict
        The most megabytes of each command, by size of the instance.
    wrong : list of (str, str)
        Name and sentence of each check that failed.
    seconds : float
        How long it took.
    """

    seed: int
    about: str
    commands: Counter[str]
    troubles: Counter[str]
    checks: Counter[str]
    peaks: dict[str, float]
    wrong: list[tuple[str, str]]
    seconds: float


def judge_seed(seed: int, failures: Path) -> Outcome:
    """Play the scenario of a seed; where a check fails, keep its files in a folder below ``failures``."""
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        scene = Scene(Path(name), seed)
        story = play(scene)
        about = f"{scene.about.size} {scene.about.kind}, {story}"
        if scene.judge.wrong:
            _keep(scene, failures / f"seed-{seed}", about)
    peaks: dict[str, float] = {}
    for ran in scene.runs:
        key = f"{ran.name} {scene.about.size}"
        peaks[key] = max(peaks.get(key, 0.0), round(ran.peak_mb, 1))
    return Outcome(
        seed,
        about,
        Counter(ran.name for ran in scene.runs),
        Counter(ran.trouble.name for ran in scene.runs),
        scene.judge.counts,
        peaks,
        scene.judge.wrong,
        time.perf_counter() - begun,
    )


def _keep(scene: Scene, folder: Path, about: str) -> None:
    """Keep the files of a scenario, what was run in it, and what is wrong."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(scene.folder, folder, ignore=_too_large)
    lines = [about, "", *(f"{name}: {sentence}" for name, sentence in scene.judge.wrong), ""]
    (folder / "story.txt").write_text("\n".join([*lines, *(_told(ran) for ran in scene.runs)]))


def _told(ran: Ran) -> str:
    return f"$ {ran.name} {' '.join(ran.arguments)}\n{ran.trouble}: {ran.status}, {ran.seconds:.2f} s\n{ran.err}"


def _too_large(folder: str, names: list[str]) -> list[str]:
    return [
        name for name in names if (Path(folder) / name).is_file() and (Path(folder) / name).stat().st_size > MOST_KEPT
    ]
