"""What the site shows from outside of ``docs/``, and a check that its reference is whole."""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import pcsos

ROOT = Path(__file__).parents[1]
PICTURES = "benchmarks/results"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the changelog as a page, and the pictures of the benchmarks under the path that they have in the repository."""
    files.append(File.generated(config, "changelog.md", abs_src_path=str(ROOT / "CHANGELOG.md")))
    for picture in sorted(ROOT.joinpath(PICTURES).glob("*.svg")):
        files.append(File.generated(config, f"{PICTURES}/{picture.name}", abs_src_path=str(picture)))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Let links out of ``docs/`` to those pictures, which work in the repository, work in the site."""
    return markdown.replace(f"](../{PICTURES}/", f"]({PICTURES}/")


def on_page_content(html: str, page: Page, **_: object) -> str:
    """Refuse a reference that leaves out a public name, under ``pcsos`` or under the module where it is defined."""
    if page.file.src_uri == "reference/index.md":
        missing = [
            name
            for name in pcsos.__all__
            if not name.startswith("_")
            and f'id="pcsos.{name}"' not in html
            and f'id="{getattr(pcsos, name).__module__}.{name}"' not in html
        ]
        if missing:
            raise PluginError(f"docs/reference/index.md has no entry for {', '.join(missing)}")
    return html
