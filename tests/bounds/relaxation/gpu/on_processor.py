"""The source of the accelerator on the processor: NumPy in place of CuPy, kernels as plain loops of a C++ compiler."""

import ctypes
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pcsos.bounds.relaxation.gpu import device

COMPILER = shutil.which("g++") or shutil.which("clang++")


@cache
def library() -> ctypes.CDLL:
    assert COMPILER is not None
    with tempfile.TemporaryDirectory() as folder:
        path, source = Path(folder) / "kernels.so", Path(device.__file__).with_name("kernels.cu")
        subprocess.run([COMPILER, "-x", "c++", "-O2", "-shared", "-fPIC", "-o", path, source], check=True)
        return ctypes.CDLL(str(path))


def passed(value: Any) -> Any:
    """What C gets for an array or a number of NumPy."""
    if isinstance(value, np.ndarray):
        assert value.flags.c_contiguous
        return ctypes.c_void_p(value.ctypes.data)
    return np.ctypeslib.as_ctypes_type(value.dtype)(value)


class OnProcessor(device.Device):
    """What stands in for a device."""

    def __init__(self) -> None:
        self.xp = np

    def run(self, kernel: str, number: int, *arguments: Any, lanes: int = 1, block: int = 0) -> None:
        getattr(library(), kernel)(*map(passed, (np.int64(number), *arguments)))

    def host(self, array: Any) -> Any:
        return np.array(array)

    def is_positive(self, matrix: Any) -> bool:
        try:
            np.linalg.cholesky(matrix)
        except np.linalg.LinAlgError:
            return False
        return True
