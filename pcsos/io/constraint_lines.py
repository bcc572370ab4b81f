"""Constraints as text that :func:`pcsos.io.read_constraints` reads."""

import json

from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.validation.names import PointNames

#: What separates the values of a line, or ends it, besides white space; ids with one of these are written as JSON.
SEPARATORS = set(",;#\"'")


def constraints_text(constraints: Constraints, names: PointNames) -> str:
    """Return lines ``ML i j`` and ``CL i j`` with the names of the points, or JSON where these have separators."""
    pairs = {"ml": constraints.must_link.tolist(), "cl": constraints.cannot_link.tolist()}
    called = {key: [[names[i], names[j]] for i, j in rows] for key, rows in pairs.items()}
    words = {name for rows in called.values() for pair in rows for name in pair}
    if not all(words) or any(letter in SEPARATORS or letter.isspace() for name in words for letter in name):
        return json.dumps(called, ensure_ascii=False) + "\n"
    text = "".join(f"{key.upper()} {i} {j}\n" for key, rows in called.items() for i, j in rows)
    return text or "# no pairs\n"
