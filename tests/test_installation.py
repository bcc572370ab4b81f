"""The package is found from anywhere, also from the folder above a clone, which has its name."""

import subprocess
import sys
from pathlib import Path


def test_a_folder_of_the_same_name_does_not_hide_the_package(tmp_path: Path) -> None:
    (tmp_path / "pcsos" / "docs").mkdir(parents=True)  # as a clone looks from above: a folder that is no package
    script = tmp_path / "script.py"
    script.write_text("import pcsos\nprint(pcsos.solve.__name__)\n")
    found = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.stdout == "solve\n", found.stderr
