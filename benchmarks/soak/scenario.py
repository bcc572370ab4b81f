"""A scenario: everything that follows from one seed, and what the judge says about it."""

import shutil
import tempfile
import traceback
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchmarks.soak.process import Ran
from benchmarks.soak.scene import Scene
from benchmarks.soak.stories import play

#: Files of a failure that are larger than this are not kept.
MOST_KEPT = 20_000_000
#: What failed where it is not the program that did.
FAILED = "the soak itself"


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
        How many processes of each command there were, how many met each trouble, and how many checks of each name
        were made.
    peaks : dict
        The most megabytes of each command, by size of the instance.
    wrong : list of (str, str)
        Name and sentence of each check that failed.
    """

    seed: int
    about: str
    commands: Counter[str]
    troubles: Counter[str]
    checks: Counter[str]
    peaks: dict[str, float]
    wrong: list[tuple[str, str]]

    @classmethod
    def of_failure(cls, seed: int, error: BaseException) -> "Outcome":
        """Return what there is to say where the soak itself fails: that counts as wrong, too."""
        sentence = f"{type(error).__name__}: {error}"
        return cls(seed, FAILED, Counter(), Counter(), Counter({FAILED: 1}), {}, [(FAILED, sentence)])


def try_seed(seed: int, failures: Path) -> Outcome:
    """Play the scenario of a seed as :func:`judge_seed` does; an exception is an entry of its own, not the end."""
    try:
        return judge_seed(seed, failures)
    except Exception as error:
        folder = failures / f"seed-{seed}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "story.txt").write_text(traceback.format_exc())
        return Outcome.of_failure(seed, error)


def judge_seed(seed: int, failures: Path) -> Outcome:
    """Play the scenario of a seed; where a check fails, keep its files in a folder below ``failures``."""
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
        Counter(ran.met.name for ran in scene.runs),
        scene.judge.counts,
        peaks,
        scene.judge.wrong,
    )


def _keep(scene: Scene, folder: Path, about: str) -> None:
    """Keep the files of a scenario, what was run in it, and what is wrong."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(scene.folder, folder, ignore=_too_large)
    lines = [about, "", *(f"{name}: {sentence}" for name, sentence in scene.judge.wrong), ""]
    (folder / "story.txt").write_text("\n".join([*lines, *(_told(ran) for ran in scene.runs)]))


def _told(ran: Ran) -> str:
    happened = f"{ran.trouble}, {ran.num_signals} signals came: {ran.status}, {ran.seconds:.2f} s"
    return f"$ {ran.name} {' '.join(ran.arguments)}\n{happened}\n{ran.err}"


def _too_large(folder: str, names: list[str]) -> list[str]:
    return [
        name for name in names if (Path(folder) / name).is_file() and (Path(folder) / name).stat().st_size > MOST_KEPT
    ]
