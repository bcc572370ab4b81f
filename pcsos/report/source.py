"""Source: where the data of a page come from."""

from datetime import datetime
from typing import NamedTuple


class Source(NamedTuple):
    """Where the data of a page come from, as far as that is known.

    Parameters
    ----------
    data : str
        What people call them, such as the name of their file.
    run_file : str
        The name of the file of the run.
    begun : datetime or None
        When the run began.
    """

    data: str = ""
    run_file: str = ""
    begun: datetime | None = None


#: Where nothing is known.
NOWHERE = Source()
