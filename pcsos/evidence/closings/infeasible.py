"""Closed without any partition."""

from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from pcsos.evidence.role import ColumnReader, Columns, ColumnWriter

#: Steps of a search for a colouring that are read.
MOST_STEPS = 1 << 22


@dataclass(frozen=True, eq=False)
class InfeasibleClosing:
    """No partition belongs to the state; ``witness`` and ``search`` as in :class:`InfeasibleError`."""

    how: ClassVar[str] = "infeasible"
    words: ClassVar[str] = "without any partition"

    witness: dict[str, object]
    search: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))

    def to_columns(self, write: ColumnWriter) -> Columns:
        """Return what the run file stores of it."""
        return {"witness": write.structure(self.witness), "search": write.integers(self.search, differences=True)}

    @classmethod
    def of_columns(cls, columns: Columns, read: ColumnReader) -> Self:
        """Return what :meth:`to_columns` has stored."""
        search = read.integers(columns["search"], "the search for a colouring", MOST_STEPS)
        return cls(read.mapping(columns["witness"], "the witness"), search)
