"""``python -m pcsos`` is the same as ``pcsos``."""

from pcsos.cli import program

if __name__ == "__main__":
    program()
