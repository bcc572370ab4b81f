"""Draw what a terminal shows after a command: ``python docs/pictures/terminal.py PICTURE.svg COMMAND ...``."""

import shlex
import subprocess
import sys

import matplotlib.pyplot as plt

LINE = 0.19  # height of a line and width of a letter, in inches
LETTER = 0.0845
COLUMNS = 100


def draw(picture: str, command: list[str]) -> None:
    """Run the command and draw it with all that it writes, as light text on dark ground."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    written = [f"$ {shlex.join(command)}", *done.stdout.splitlines()]
    lines = [line[i : i + COLUMNS] for line in written for i in range(0, max(len(line), 1), COLUMNS)]
    width, height = LETTER * (max(map(len, lines)) + 4), LINE * (len(lines) + 2)
    figure = plt.figure(figsize=(width, height), facecolor="#1b1f24")
    for row, line in enumerate(lines):
        figure.text(
            2 * LETTER / width,
            1.0 - (row + 1.7) * LINE / height,
            line.replace("$", r"\$"),
            family="monospace",
            size=10,
            color="#7ee2b8" if row == 0 else "#e6edf3",
        )
    figure.savefig(picture, metadata={"Date": None})


if __name__ == "__main__":
    draw(sys.argv[1], sys.argv[2:])
