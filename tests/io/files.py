"""Files that tests write, and the sentences in which they are refused."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pcsos.base.exceptions import InputError


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "file.txt"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def refusal(read: Callable[[Path], object], path: Path) -> str:
    """Return the sentence in which a file is refused, which begins with its name."""
    with pytest.raises(InputError) as caught:
        read(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message
