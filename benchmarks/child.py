"""The process of one case: arguments as JSON on standard input, the row as the last line of standard output."""

import json
import resource
import sys

from benchmarks.suites import suite_named


def main() -> None:
    """Run the case of the suite that the command line names."""
    row = suite_named(sys.argv[1]).run(**json.loads(sys.stdin.read()))
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    largest_child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(json.dumps({"peak_mb": round(max(own, largest_child) / 1024, 1)} | row))


if __name__ == "__main__":
    main()
