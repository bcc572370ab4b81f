"""Stated bound: what the records of a run say of all partitions, taken at their word."""

import math
from collections import Counter
from collections.abc import Iterable

from pcsos.base.exceptions import FormatError
from pcsos.evidence.closings import Branching, OpenClosing
from pcsos.evidence.node import NodeRecord, bound_of_what_was_cut_off


def stated_bound(records: Iterable[NodeRecord], cover_bound: float) -> float:
    """Return the least bound of the leaves, of nodes whose children were not all looked at, and of what was cut off.

    Parameters
    ----------
    records : iterable of NodeRecord
        In the order in which they were written, parents first.
    cover_bound : float
        What parts of the instance prove of the whole, which is all where there are no records.

    Raises
    ------
    FormatError
        If no branching leads to a node.
    """
    known: dict[int | None, float] = {None: cover_bound}
    missing, least = Counter[int | None]({None: 1}), math.inf
    for record in records:
        if not missing[record.parent]:
            raise FormatError(f"no branching leads to node {record.node}")
        missing[record.parent] -= 1
        bound = known[record.node] = max(known[record.parent], record.lower_bound)
        if isinstance(record.closing, Branching):
            missing[record.node] += 2
        else:
            least = min(least, bound)
        if not isinstance(record.closing, OpenClosing):
            least = min(least, bound_of_what_was_cut_off(record.steps))
    return min([least, *(known[node] for node, number in missing.items() if number)])
