"""What is proved, and why a run stopped."""

from enum import StrEnum

from pcsos.base.control.stop import OUT_OF_TIME


class Status(StrEnum):
    """What is proved."""

    OPTIMAL = "OPTIMAL"  #: the objective is within the gap of the lower bound
    FEASIBLE = "FEASIBLE"  #: a partition is known, optimality is not proved
    INFEASIBLE = "INFEASIBLE"  #: no partition satisfies the constraints
    UNKNOWN = "UNKNOWN"  #: neither a partition nor a proof that there is none


class Reason(StrEnum):
    """Why a run stopped."""

    GAP_REACHED = "GAP_REACHED"
    INFEASIBLE = "INFEASIBLE"
    TIME_LIMIT = "TIME_LIMIT"
    NODE_LIMIT = "NODE_LIMIT"
    INTERRUPTED = "INTERRUPTED"
    HEURISTIC_FINISHED = "HEURISTIC_FINISHED"
    RUN_FILE_FAILED = "RUN_FILE_FAILED"  #: the run file could not be written any more
    STALLED = "STALLED"  #: every node is closed, but rounding leaves a gap above the one asked for

    @property
    def is_final(self) -> bool:
        """Whether all is proved that was asked for; what has stalled may go further elsewhere, as with more memory."""
        return self in {Reason.GAP_REACHED, Reason.INFEASIBLE}

    @classmethod
    def of_heuristic(cls, message: str, *, was_interrupted: bool) -> "Reason":
        """Return why a heuristic ended, by the message of its record: whatever is no limit cut it short."""
        if was_interrupted or message not in ("", OUT_OF_TIME):
            return cls.INTERRUPTED
        return cls.TIME_LIMIT if message else cls.HEURISTIC_FINISHED
