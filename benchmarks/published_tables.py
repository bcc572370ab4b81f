"""Published figures with one line a dataset, from CSV files."""

import csv
from pathlib import Path


def by_dataset(folder: Path | None, name: str) -> dict[str, dict[str, float | None]]:
    """Return the figures of each dataset, its name in lower case; nothing without a folder."""
    if folder is None:
        return {}
    with folder.joinpath(name).open(newline="") as stream:
        return {
            row.pop("dataset").lower(): {column: float(cell) if cell else None for column, cell in row.items()}
            for row in csv.DictReader(stream)
        }
