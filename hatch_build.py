"""What distributions say beside ``pyproject.toml``: where the project is, and the README as it reads outside of it."""

import os
import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).parent
#: A link, or a picture, that leads to another file of the repository.
LINK = re.compile(r"(!?)\[([^]]*)\]\((?!\w+:)([^)]+)\)")

#: Addresses that an index shows.
PAGES = {
    "Repository": "",
    "Documentation": "/blob/{tag}/docs/index.md",
    "Changelog": "/blob/{tag}/CHANGELOG.md",
    "Issues": "/issues",
}


class Place(MetadataHookInterface):
    """Addresses below ``PCSOS_URL``, that of the repository; where nobody has said it, links are words alone."""

    def update(self, metadata: dict[str, object]) -> None:
        """Set the README and the addresses."""
        url, tag = os.environ.get("PCSOS_URL"), f"v{metadata['version']}"
        readme = ROOT.joinpath("README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": led_to(readme, url, tag)}
        metadata["urls"] = {name: f"{url}{path.format(tag=tag)}" for name, path in PAGES.items()} if url else {}


def led_to(readme: str, url: str | None, tag: str) -> str:
    """Return the README with links to the files of a tag."""

    def absolute(link: re.Match[str]) -> str:
        mark, words, path = link.groups()
        if not url:
            return "" if mark else words
        return f"{mark}[{words}]({url}/{'raw' if mark else 'blob'}/{tag}/{path})"

    return LINK.sub(absolute, readme)
