"""Files in the dialects of those who write such files are read as what they were written from."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.soak.draw import KINDS, draw
from pcsos.io import read_constraint_file, read_table, read_weights
from pcsos.io.labels import read_labels
from pcsos.problem.validation.names import PointNames
from tests.io.writing import CLASSES, PLAIN, Line, Writing


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "gram"])
def test_drawn_files_are_read_as_they_are_meant(kind: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(KINDS.index(kind))
    for _ in range(60):
        about = draw(rng, "small", kind)
        n, writing = len(about.points), PLAIN
        while writing == PLAIN:
            writing = Writing.drawn(rng, n, has_points=True)
        classes = [CLASSES[label] for label in about.classes.tolist()]
        lines: list[Line] = [("ML", i, j, None) for i, j in about.must_link]
        lines += [("CL", i, j, None) for i, j in about.cannot_link]
        lines += [("SML", i, j, apart) if apart else ("SCL", i, j, together) for i, j, apart, together in about.soft]
        (tmp_path / "points.csv").write_bytes(writing.points(about.points.tolist()))
        (tmp_path / "pairs.txt").write_bytes(writing.pairs(lines, n))
        (tmp_path / "weights.txt").write_bytes(writing.weights(about.weights.tolist()))
        (tmp_path / "classes.txt").write_bytes(writing.labels(classes))
        read = {"decimal": writing.decimal, "id_column": "id" if writing.ids else None}
        table = read_table(tmp_path / "points.csv", **read)
        assert (table.ids, table.points.tolist()) == (writing.ids, about.points.tolist()), writing
        names = PointNames(n, ids=table.ids)
        weights = read_weights(tmp_path / "weights.txt", n, decimal=writing.decimal)
        assert weights.tolist() == about.weights.tolist()
        assert read_labels(tmp_path / "classes.txt", n, names).tolist() == classes, writing
        if not lines:
            continue
        found = read_constraint_file(tmp_path / "pairs.txt", table.points, names)
        assert found.constraints.must_link.tolist() == sorted(map(sorted, about.must_link)), writing
        assert found.constraints.cannot_link.tolist() == sorted(map(sorted, about.cannot_link)), writing
        soft = [(i, j, apart, 0.0) for i, j, apart in found.soft_must_link]
        soft += [(i, j, 0.0, together) for i, j, together in found.soft_cannot_link]
        assert sorted(soft) == sorted(map(tuple, about.soft)), writing
