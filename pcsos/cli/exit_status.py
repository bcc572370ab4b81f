"""Exit status: what each number says to the shell."""

from enum import IntEnum


class ExitStatus(IntEnum):
    """The exit statuses; they are part of the interface and never change."""

    OPTIMAL = 0  #: proved optimal within the gap; for info and verify: all is well
    FAILURE = 1  #: anything unexpected, a process that was killed, or a result that could not be written
    BAD_INPUT = 2
    INFEASIBLE = 3
    STOPPED = 4  #: ended without a proof of optimality, with the best partition found
    NOT_VERIFIED = 5
    INTERRUPTED = 130  #: Ctrl-C before there was anything to return
