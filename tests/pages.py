"""Pages of the documentation, as programs: their blocks of Python and of commands run in order.

``python -m tests.pages PAGE FOLDER`` runs one and leaves what it writes in the folder: so is the gallery drawn.
"""

import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pcsos.cli import main

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)

#: Commands of other programs, which do not run here: installing, building, benchmarks that take hours.
OTHERS = ("python", ".venv/bin/", "pip ", "git ", "mkdocs ", "pre-commit ", "export ", "source ")

#: What users have at hand when they read a page, and what it is here.
AT_HAND = {
    "points.csv": "instances/points/iris.csv",
    "pairs.txt": "instances/constraints/iris-both.txt",
}


@dataclass(frozen=True)
class Block:
    """A block of code: its language, its text, and the line of the page before its first."""

    language: str
    text: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    """Return the blocks of a page in order."""
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        yield Block(found[1], found[2], text.count("\n", 0, found.start(2)))


def furnish(folder: Path) -> None:
    """Put into a folder what users have at hand, and a place for pictures."""
    folder.joinpath("pictures").mkdir()
    shutil.copytree(ROOT / "instances", folder / "instances")
    for name, source in AT_HAND.items():
        shutil.copy(ROOT / source, folder / name)


def run_page(page: Path) -> dict[str, Any]:
    """Run the blocks of a page in the current folder and return the names that its Python has defined."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.language == "python":
            padding = "\n" * block.line  # so that a traceback tells the line of the page
            exec(compile(padding + block.text, str(page), "exec"), names)
        elif block.language in {"sh", "bash", "console"}:
            for command in block.text.replace("\\\n", " ").splitlines():
                run_command(command, f"{page.name}, the block at line {block.line}")
    return names


def run_command(command: str, where: str) -> None:
    """Run a command of pcsos; its comment says the exit status where that is not 0 (``# exits with 3: ...``)."""
    if not command.strip() or command.startswith(("#", *OTHERS)):
        return
    words, _, comment = command.partition(" #")
    program, *arguments = shlex.split(words)
    assert program == "pcsos", f"{where}: {program} is unknown; name it among the other programs if it cannot run here"
    said = re.search(r"exits with (\d+)", comment)
    status = main(arguments)
    assert status == int(said[1] if said else 0), f"{where}: {command} has exited with {status}"


if __name__ == "__main__":
    with chdir(sys.argv[2]):
        run_page(ROOT / sys.argv[1])
