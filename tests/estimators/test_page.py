import re
from pathlib import Path
from typing import Any

import sklearn

PAGE = Path(__file__).parents[2] / "docs" / "estimators.md"


def test_the_examples_of_the_page_are_right() -> None:
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    found: dict[str, Any] = {}
    with sklearn.config_context():
        for example in examples:
            exec(example, found)
    assert len(examples) == 7
