"""Views: what shows a result, and what can be asked of it later, by rooms above this one that the package hands in."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, cast

from pcsos.base import loading
from pcsos.base.typing import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Views(Protocol):
    """Whoever has the functions behind methods of a result."""

    certain_pairs: Callable[..., Any]  #: decides what all good partitions have in common
    membership: Callable[..., Floats]  #: tells how far pairs are together in the relaxation
    draw: "Callable[..., Axes]"  #: draws a picture
    write_report: Callable[..., None]  #: writes the page of a result
    write_certain_pairs: Callable[..., None]  #: writes the page of certain pairs
    result_html: Callable[..., str]  #: returns what a notebook shows of a result
    certain_html: Callable[..., str]  #: returns what a notebook shows of certain pairs


VIEWS = cast(Views, loading.VIEWS)
