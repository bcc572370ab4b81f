"""``python -m pcsos`` is the same as ``pcsos``."""

import sys

from pcsos.cli import main

if __name__ == "__main__":
    sys.exit(main())
