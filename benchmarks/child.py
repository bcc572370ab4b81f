"""The process of one case: arguments as JSON on standard input, the row as the last line of standard output."""

import json
import sys

from benchmarks.machine import peak_mb
from benchmarks.suites import suite_named


def main() -> None:
    """Run the case of the suite that the command line names."""
    row = suite_named(sys.argv[1]).run(**json.loads(sys.stdin.read()))
    print(json.dumps({"peak_mb": peak_mb()} | row))


if __name__ == "__main__":
    main()
