"""Device: where arrays of the accelerator are, what runs there, and whether there is one with memory enough."""

import importlib
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from pcsos.base.typing import Floats

#: Bytes that an entry of an s x s matrix takes on the device, of all that are held at once.
BYTES = 80
#: Super-points from which on a root is worth a device, and those that a device takes at least.
PAYS_FROM, LEAST = 1000, 100
#: Threads of a block.
BLOCK = 128
#: Prints name and free bytes of the device.
ASK = (
    "from cupy.cuda import runtime as own; "
    "print(own.getDeviceProperties(0)['name'].decode(), own.memGetInfo()[0], sep='\\n')"
)
#: Seconds after which there is no answer.
PATIENCE = 60.0


@cache
def _asked() -> tuple[str, float, str]:
    """Return name and free bytes of the device, or why there is none.

    Another process asks: a process that has met the device can start no others that do.
    """
    if find_spec("cupy") is None:
        return "", 0.0, 'needs CuPy; pip install "pcsos[gpu]"'
    try:
        command = [sys.executable, "-c", ASK]
        answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return "", 0.0, f"needs a CUDA device, and CuPy has not answered within {PATIENCE:g} seconds"
    lines = answer.stdout.split("\n")
    if answer.returncode or len(lines) < 2:
        reason = (answer.stderr.strip().split("\n") or [""])[-1]
        return "", 0.0, f"needs a CUDA device, and CuPy finds none here ({reason})"
    return lines[0], float(lines[1]), ""


def name() -> str:
    """Return the name of the device, empty where there is none."""
    return _asked()[0]


def announcement(size: int) -> str:
    """Return the sentence that says where a root with so many super-points is bounded."""
    return f"the root, with {size} super-points, is bounded on {name()}, and its bound proved in the end"


def lacking(size: int = 0) -> str:
    """Return in words what a device lacks for a root with so many super-points; empty where it lacks nothing."""
    own, free, reason = _asked()
    if not reason and (needed := BYTES * float(size) ** 2) > free:
        return f"needs about {needed / 1e9:.0f} GB for {size} super-points, and {own} has {free / 1e9:.0f} GB free"
    return reason


class Device:
    """An accelerator.

    Attributes
    ----------
    xp : module
        What NumPy is for arrays of the device.
    """

    def __init__(self) -> None:
        self.xp: Any = importlib.import_module("cupy")
        self._module = self.xp.RawModule(code=Path(__file__).with_name("kernels.cu").read_text())

    def run(self, kernel: str, number: int, *arguments: Any, lanes: int = 1, block: int = BLOCK) -> None:
        """Run a kernel on so many items, with so many threads for each."""
        blocks = -(-number * lanes // block)
        if blocks:
            self._module.get_function(kernel)((blocks,), (block,), (np.int64(number), *arguments))

    def host(self, array: Any) -> Any:
        """Return a copy on the processor."""
        return self.xp.asnumpy(array)

    def is_positive(self, matrix: Floats) -> bool:
        """Tell whether a symmetric matrix of the device has a Cholesky factor."""
        errors: Any = importlib.import_module("cupyx").errstate
        try:
            with errors(linalg="raise"):
                self.xp.linalg.cholesky(matrix)
        except np.linalg.LinAlgError:
            return False
        return True
