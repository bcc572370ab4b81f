"""The process of one case: arguments as JSON on standard input, the row as the last line of standard output."""

import json
import re
import resource
import sys
from pathlib import Path

from benchmarks.suites import suite_named


def own_peak_kb() -> int:
    """Return the peak of this program's memory; ``getrusage`` begins with that of whoever started it."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.findall(r"VmHWM:\s*(\d+) kB", status.read_text())[0])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    """Run the case of the suite that the command line names."""
    row = suite_named(sys.argv[1]).run(**json.loads(sys.stdin.read()))
    own = own_peak_kb()
    largest_child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(json.dumps({"peak_mb": round(max(own, largest_child) / 1024, 1)} | row))


if __name__ == "__main__":
    main()
