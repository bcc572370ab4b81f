"""Troubles: what happens to a process while it runs."""

import contextlib
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

#: Less address space the program refuses, or Python itself fails in the middle of imports.
LOADED_MB = 640
LEAST_MB = 250
SIGNALS = {
    "SIGKILL": (signal.SIGKILL,),
    "SIGINT": (signal.SIGINT,),
    "SIGINT twice": (signal.SIGINT, signal.SIGINT),
    "SIGTERM": (signal.SIGTERM,),
    "SIGHUP": (signal.SIGHUP,),
}
TIME_LIMIT, NODE_LIMIT = LIMITS = ("time limit", "node limit")
SMALL_DISK, SMALL_FILES, FULL, CLOSED = "small disk", "small files", "/dev/full", "closed stdout"
#: A disk that fills up while run file and outputs are written.
FILLING = (SMALL_DISK, SMALL_FILES)
#: These, a device that is full from the start, and a reader that goes away.
OUTPUTS = (*FILLING, FULL, CLOSED)


@dataclass(frozen=True)
class Trouble:
    """What happens to a process.

    Parameters
    ----------
    name : str
        One of :data:`SIGNALS`, :data:`LIMITS` or :data:`OUTPUTS`, ``memory`` or ``none``.
    signals : tuple of (float, int)
        Seconds after the start, and the signal that is sent then.
    memory_mb : int, optional
        Limit of its address space.
    file_bytes : int, optional
        Limit of the size of a file that it writes.
    disk_bytes : int, optional
        Space that is left on the disk that its outputs are on.
    options : tuple of str
        Limits among its own options.
    """

    name: str = "none"
    signals: tuple[tuple[float, int], ...] = ()
    memory_mb: int | None = None
    file_bytes: int | None = None
    disk_bytes: int | None = None
    options: tuple[str, ...] = ()

    @property
    def kills(self) -> bool:
        """Whether the process may end without a word."""
        return self.name == "SIGKILL"

    @property
    def is_tight(self) -> bool:
        """Whether there may be too little memory to load the program."""
        return self.memory_mb is not None and self.memory_mb < LOADED_MB

    def after(self, num_signals: int) -> "Trouble":
        """Return what is left of this trouble if only so many of its signals came before the process had ended."""
        if num_signals == len(self.signals):
            return self
        came = self.signals[:num_signals]
        numbers = tuple(number for _, number in came)
        return replace(self, name=next((name for name, own in SIGNALS.items() if own == numbers), "none"), signals=came)


NONE = Trouble()


def draw_trouble(rng: np.random.Generator, names: tuple[str, ...], seconds: float) -> Trouble:
    """Draw one of these troubles for a process that takes about so many seconds when it is left alone."""
    name = str(rng.choice([name for name in names if name != SMALL_DISK or can_mount()]))
    if name in SIGNALS:
        at = rng.uniform(0.0, 1.1 * seconds)
        later = at + rng.uniform(0.0, 1.0)
        return Trouble(name, signals=tuple(zip((at, later), SIGNALS[name], strict=False)))
    tight, wide = int(rng.integers(LEAST_MB, LOADED_MB)), int(rng.integers(LOADED_MB, 1500))
    draws: dict[str, dict[str, Any]] = {
        TIME_LIMIT: {"options": ("--time-limit", f"{rng.uniform(0.0, max(seconds - 0.8, 0.2)):.3f}")},
        NODE_LIMIT: {"options": ("--node-limit", str(rng.integers(0, 4)))},
        "memory": {"memory_mb": tight if rng.random() < 0.3 else wide},
        SMALL_DISK: {"disk_bytes": int(rng.integers(1, 40)) * 4096},
        SMALL_FILES: {"file_bytes": int(2.0 ** rng.uniform(6, 18))},
    }
    return Trouble(name, **draws.get(name, {}))


@contextlib.contextmanager
def disk(folder: Path, trouble: Trouble) -> Iterator[None]:
    """Let a folder lie on a disk with little space meanwhile, where the trouble says so."""
    if trouble.disk_bytes is None:
        yield
        return
    held = sum(path.stat().st_size + 4096 for path in folder.iterdir())
    with tempfile.TemporaryDirectory() as name:
        aside = Path(name) / "aside"
        shutil.copytree(folder, aside)
        try:
            _mount(folder, held + trouble.disk_bytes)
            shutil.copytree(aside, folder, dirs_exist_ok=True)
            yield
            shutil.rmtree(aside)
            shutil.copytree(folder, aside)
        finally:
            subprocess.run(["umount", "-l", str(folder)], check=False)
        _empty(folder)
        shutil.copytree(aside, folder, dirs_exist_ok=True)


@cache
def can_mount() -> bool:
    """Tell whether small disks can be had: on Linux, by the administrator."""
    with tempfile.TemporaryDirectory() as name:
        try:
            _mount(Path(name), 4096)
            subprocess.run(["umount", name], check=True, capture_output=True)
        except (OSError, subprocess.SubprocessError):
            return False
    return True


def _mount(folder: Path, size: int) -> None:
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)]
    subprocess.run(command, check=True, capture_output=True)


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
