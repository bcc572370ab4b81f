"""Cases: a suite is cases as data, a function that runs one of them, and figures that sum up the rows."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from pathlib import Path
from typing import Any, Protocol

Row = dict[str, Any]
#: The rows of each suite that has any.
Rows = Mapping[str, list[Row]]
#: The text of a figure, from the rows.
Figure = Callable[[Rows], str]


class Tier(IntEnum):
    """Which runs have a case: quick ones too, those of the record, or only those of all cases of a suite."""

    QUICK = 0
    RECORD = 1
    ALL = 2


@dataclass(frozen=True)
class Case:
    """One line of a suite.

    Parameters
    ----------
    name : str
        Unique in the suite; a row with this name in the CSV file means that the case is done.
    arguments : dict
        What the suite's ``run`` needs, as JSON values.
    columns : dict
        Description that goes into the row.
    gap, time_limit : float
        Relative gap asked for, and seconds that the case may take.
    workers : int or None
        Processes of a solve; None leaves the choice to pcsos.
    tier : Tier
        Which runs have it.
    """

    name: str
    arguments: Row = field(default_factory=dict)
    columns: Row = field(default_factory=dict)
    gap: float = 1e-4
    time_limit: float = 60.0
    workers: int | None = None
    tier: Tier = Tier.RECORD


class Suite(Protocol):
    """A module of :mod:`benchmarks.suites`."""

    #: Columns of the CSV file, without those that the runner adds, and those that a report shows.
    COLUMNS: Sequence[str]
    SHOWN: Sequence[str]
    #: Figures by name, each from the rows of this suite, or of several.
    FIGURES: Mapping[str, Figure]
    #: The cases, given the folder of all data, or none.
    cases: Callable[[Path | None], list[Case]]
    #: Runs one case in a process of its own and returns columns of its row.
    run: Callable[..., Row]


def in_tiers(cases: Sequence[Case], pattern: str = "", *, every: int = 1, quick: int = 1) -> list[Case]:
    """Return the cases: every so many that fit the pattern are in the record, and so many of those in a quick one.

    Examples
    --------
    >>> [int(case.tier) for case in in_tiers([Case(name) for name in "abcdx"], "[a-d]", every=2)]
    [0, 2, 1, 2, 2]
    """
    recorded = [case.name for case in cases if re.search(pattern, case.name)][::every]
    quick = min(quick, len(recorded))
    quickest = {recorded[number * len(recorded) // quick] for number in range(quick)}
    tiers = {name: Tier.QUICK if name in quickest else Tier.RECORD for name in recorded}
    return [replace(case, tier=tiers.get(case.name, Tier.ALL)) for case in cases]
