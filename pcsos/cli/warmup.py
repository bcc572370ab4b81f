"""The command ``warmup``: compile now what the first run would compile."""

import argparse

from pcsos.base.numerics.kernels import place
from pcsos.cli.messages import ExitStatus, say
from pcsos.cli.outputs import write_or_rescue
from pcsos.io.outputs import STDOUT
from pcsos.presolve.colouring.conflict_regions import grow_regions
from pcsos.search.warm_up import warm_up


def warmup(arguments: argparse.Namespace) -> int:
    """Compile the kernels unless they are compiled already, and say where they are kept."""
    warm_up(say)
    is_written = write_or_rescue(STDOUT, f"the kernels are compiled, {place(grow_regions)}\n")
    return ExitStatus.OPTIMAL if is_written else ExitStatus.FAILURE
