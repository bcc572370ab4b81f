"""The README's promises that a program can check; ``test_pages.py`` runs its blocks."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT.joinpath("README.md").read_text()


def shell_blocks() -> list[str]:
    return re.findall(r"```(?:sh|bash|console)\n(.*?)```", README, flags=re.DOTALL)


def test_the_first_two_commands_are_what_ci_runs() -> None:
    script = ROOT.joinpath(".ci/run").read_text()
    install, test = shell_blocks()[:2]
    for line in [*install.splitlines(), *test.splitlines()]:
        assert line in script
    assert "pip install" in install
    assert "pcsos solve" in install
    assert "pytest" in test


def test_every_file_that_the_readme_names_exists() -> None:
    linked = re.findall(r"\]\(([^)#:]+)\)", README)
    used = re.findall(r"\b(?:instances|benchmarks|docs)/[\w./-]+\w", README)
    assert linked
    assert used
    assert [name for name in linked + used if not (ROOT / name).exists()] == []
