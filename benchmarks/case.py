"""Cases: a suite is cases as data, a function that runs one of them, and a report of the rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

Row = dict[str, Any]

#: Set in the environment, which the processes of the cases inherit, where the whole of a long protocol is asked for.
FULL = "PCSOS_BENCHMARKS_FULL"


@dataclass(frozen=True)
class Settings:
    """What the command line says about a run.

    Parameters
    ----------
    data, published : Path or None
        Folder with the data, and folder with the published tables, for the suites that need them.
    gap, time_limit : float
        Relative gap asked for, and seconds a case may take.
    workers : int or None
        Processes of a solve; None leaves the choice to pcsos.
    """

    data: Path | None = None
    published: Path | None = None
    gap: float = 1e-4
    time_limit: float = 600.0
    workers: int | None = None


@dataclass(frozen=True)
class Case:
    """One line of a suite: a unique name, columns that describe it, and arguments of the suite's ``run``.

    Parameters
    ----------
    name : str
        Unique in the suite; a row with this name in the CSV file means that the case is done.
    columns : dict
        Description that goes into the row.
    arguments : dict
        What ``run`` needs, as JSON values.
    """

    name: str
    columns: Row = field(default_factory=dict)
    arguments: Row = field(default_factory=dict)


class Suite(Protocol):
    """A module of :mod:`benchmarks.suites`."""

    #: Columns of the CSV file, without those that the runner adds.
    COLUMNS: Sequence[str]
    #: The cases.
    cases: Callable[[Settings], list[Case]]
    #: Runs one case in a process of its own and returns columns of its row.
    run: Callable[..., Row]
    #: Text that sums up the rows, with the published figures beside them where there are any.
    report: Callable[[list[Row], Settings], str]
