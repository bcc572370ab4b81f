"""Stories: what is done with an instance, command by command, trouble by trouble."""

from collections.abc import Callable

from benchmarks.soak.by_itself import by_itself
from benchmarks.soak.flaws import refused
from benchmarks.soak.journal import journaled
from benchmarks.soak.scene import Scene

STORIES: dict[str, tuple[float, Callable[[Scene], None]]] = {
    "run file": (0.6, journaled),
    "commands": (0.32, by_itself),
    "bad input": (0.08, refused),
}


def play(scene: Scene) -> str:
    """Do with the instance what its generator draws; return the name of the story."""
    name = str(scene.rng.choice(list(STORIES), p=[share for share, _ in STORIES.values()]))
    STORIES[name][1](scene)
    scene.end()
    return name
