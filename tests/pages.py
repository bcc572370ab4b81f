"""Pages of the documentation, as programs: their blocks of Python and of commands run in order.

``python -m tests.pages PAGE ...`` runs some and puts the pictures that they draw where they show them.
"""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from pcsos.cli import main
from pcsos.verify import command as checker_alone

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)
PICTURE = re.compile(r"\.savefig\(\"([^\"]+)\"")

#: How the pictures look: on a light page as on a dark one.
STYLE = ROOT / "docs" / "gallery" / "pcsos.mplstyle"

#: The programs of the package.
PROGRAMS = {"pcsos": main, "pcsos-verify": checker_alone.main}

#: Commands of other programs, which do not run here: installing, building, benchmarks that take hours.
OTHERS = ("python", ".venv/bin/", "pip ", "git ", "mkdocs ", "pre-commit ", "coqc ", "export ", "source ")

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
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        yield Block(found[1], found[2], text.count("\n", 0, found.start(2)))


def pictures(page: Path) -> dict[str, Path]:
    """Return the pictures that a page draws and shows, by name: the files, beside the page or in ``pictures/``."""
    drawn = [name for block in blocks(page) if block.language == "python" for name in PICTURE.findall(block.text)]
    text = page.read_text(encoding="utf-8")
    shown = {name: [place for place in (name, f"pictures/{name}") if f"]({place})" in text] for name in drawn}
    return {name: page.parent / places[0] for name, places in shown.items() if places}


def furnish(folder: Path) -> None:
    shutil.copytree(ROOT / "instances", folder / "instances")
    for name, source in AT_HAND.items():
        shutil.copy(ROOT / source, folder / name)


@contextmanager
def drawing() -> Iterator[None]:
    """Let pictures look alike, and be the same each time that they are drawn."""
    from matplotlib import pyplot, rcParams, style

    with style.context(STYLE), mock.patch.dict(os.environ, SOURCE_DATE_EPOCH="0"):
        rcParams["svg.hashsalt"] = "pcsos"
        yield
        pyplot.close("all")


def run_page(page: Path) -> dict[str, Any]:
    """Run the blocks of a page in the current folder and return the names that its Python has defined."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with drawing() if pictures(page) else nullcontext():
        for block in blocks(page):
            if block.language == "python":
                padding = "\n" * block.line  # so that a traceback tells the line of the page
                exec(compile(padding + block.text, str(page), "exec"), names)
            elif block.language in {"sh", "bash", "console"}:
                for command in block.text.replace("\\\n", " ").splitlines():
                    run_command(command, f"{page.name}, the block at line {block.line}")
    return names


def with_few_colours(picture: str) -> None:
    """Write a picture anew with 256 colours, which takes half of the room."""
    from PIL import Image

    with Image.open(picture) as image:
        few = image.quantize(256, method=Image.Quantize.FASTOCTREE)
    few.save(picture, optimize=True)


def draw(page: Path) -> None:
    """Run a page among what users have at hand, and put the pictures that it draws where it shows them."""
    with TemporaryDirectory() as folder, chdir(folder):
        furnish(Path(folder))
        run_page(page)
        for name, shown in pictures(page).items():
            if name.endswith(".png"):
                with_few_colours(name)
            shutil.copy(name, shown)


def run_command(command: str, where: str) -> None:
    """Run a command of pcsos; its comment says the exit status where that is not 0 (``# exits with 3: ...``)."""
    if not command.strip() or command.startswith(("#", *OTHERS)):
        return
    words, _, comment = command.partition(" #")
    program, *arguments = shlex.split(words)
    assert program in PROGRAMS, f"{where}: {program} is unknown; name it among the other programs if it cannot run here"
    said = re.search(r"exits with (\d+)", comment)
    status = PROGRAMS[program](arguments)
    assert status == int(said[1] if said else 0), f"{where}: {command} has exited with {status}"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        draw(ROOT / name)
