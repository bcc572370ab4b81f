"""The head of a file of results: comment lines that say how it came about, merged where several runs did."""

import io
import os
import re
from collections.abc import Iterable
from pathlib import Path

#: Options that say which rows a run adds, not what is in them.
WHICH_ROWS = re.compile(r" --(?:filter|hours|first-seed)(?:=| )\S*| --retry")


def merged(lines: Iterable[str]) -> list[str]:
    """Return the comment lines of all runs as those of one: a line for each key, different values one after the other.

    Different commands count without the options that say which rows they add, so that one is left with which all rows
    can be produced again, unless the runs differed otherwise, too. Of the dates the first and the last are kept.

    Parameters
    ----------
    lines : iterable of str
        Lines such as ``# machine: AMD EPYC, 2 cores``, one run after the other.

    Examples
    --------
    >>> runs = ["# command: run a --filter x", "# date: 2026-11-21", "# command: run a", "# date: 2026-11-22"]
    >>> merged(runs)
    ['# command: run a', '# date: 2026-11-21 to 2026-11-22']
    """
    values: dict[str, list[str]] = {}
    for line in lines:
        key, _, value = line.removeprefix("#").strip().partition(": ")
        values.setdefault(key, []).extend(value.split(" to ") if key == "date" else value.split("; "))
    if len(set(values.get("command", ()))) > 1:
        values["command"] = [WHICH_ROWS.sub("", command) for command in values["command"]]
    if "date" in values:
        first, last = min(values["date"]), max(values["date"])
        values["date"] = [first if first == last else f"{first} to {last}"]
    return [f"# {key}: {'; '.join(dict.fromkeys(found))}" for key, found in values.items()]


def finished_lines(path: Path) -> list[str]:
    """Return the lines of a file, with their ends; a last one that a kill or a full disk has cut off is left out.

    A file without any end of a line is none of results, and is left as it is.
    """
    content = path.read_bytes()
    end = content.rfind(b"\n") + 1 or None
    return list(io.StringIO(content[:end].decode(), newline=""))


def write_head(path: Path, description: Iterable[str] = ()) -> None:
    """Put one head at the top of a file, made of all comment lines in it and of a description of this run.

    A last line that is not finished goes, so that the next one begins a line of its own.
    """
    lines = finished_lines(path)
    head = merged([*(line for line in lines if line.startswith("#")), *description])
    fresh = path.with_name(f"{path.name}.new")
    with fresh.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(f"{line}\n" for line in head)
        stream.writelines(line for line in lines if not line.startswith("#"))
    os.replace(fresh, path)
