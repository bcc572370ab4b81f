"""``python -m pcsos.verify`` is the same as ``pcsos-verify``."""

from pcsos.verify.command import program

if __name__ == "__main__":
    program()
