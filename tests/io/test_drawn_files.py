"""Files in the dialects that the soak draws are read as what they were written from."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.soak.draw import KINDS, drawn
from benchmarks.soak.writing import CLASSES, PLAIN, Writing
from pcsos.io import read_constraint_file, read_table, read_weights
from pcsos.io.labels import read_labels
from pcsos.problem.validation.names import PointNames


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "gram"])
def test_drawn_files_are_read_as_they_are_meant(kind: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(KINDS.index(kind))
    for _ in range(60):
        about = drawn(rng, "small", kind)
        writing = PLAIN
        while writing == PLAIN:
            writing = Writing.drawn(rng, about.n, has_points=True)
        object.__setattr__(about, "writing", writing)
        about.write(tmp_path)
        read = {"decimal": writing.decimal, "id_column": "id" if writing.ids else None}
        table = read_table(tmp_path / "points.csv", **read)
        assert (table.ids, table.points.tolist()) == (writing.ids, about.points.tolist()), writing
        names = PointNames(about.n, ids=table.ids)
        weights = read_weights(tmp_path / "weights.txt", about.n, decimal=writing.decimal)
        assert weights.tolist() == about.weights.tolist()
        classes = read_labels(tmp_path / "classes.txt", about.n, names)
        assert classes.tolist() == [CLASSES[label] for label in about.classes], writing
        if not (about.must_link or about.cannot_link or about.soft):
            continue
        found = read_constraint_file(tmp_path / "pairs.txt", table.points, names)
        assert found.constraints.must_link.tolist() == sorted(map(sorted, about.must_link)), writing
        assert found.constraints.cannot_link.tolist() == sorted(map(sorted, about.cannot_link)), writing
        soft = [(i, j, apart, 0.0) for i, j, apart in found.soft_must_link]
        soft += [(i, j, 0.0, together) for i, j, together in found.soft_cannot_link]
        assert sorted(soft) == sorted(map(tuple, about.soft)), writing
