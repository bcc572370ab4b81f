"""How figures of results are shown in words, none of which says more than is proved, and what other rooms hand in."""

import sys
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_CEILING, Decimal
from typing import TYPE_CHECKING, Any, Protocol, cast

from pcsos.base import loading
from pcsos.base.typing import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: Clusters whose sizes are listed one by one.
MOST_SIZES = 12
#: Per cent below which it is enough to say that it is no more than this.
LEAST_PERCENT = Decimal("1e-4")
#: Of a share of a cost, what is put down to the rounding of the doubles that it comes from.
ROUNDING = 4.0 * sys.float_info.epsilon
#: Per cent from which on all digits are written out before a power of ten is.
LEAST_SPELLED = Decimal("1e-7")


def shown(value: float | None) -> str:
    """Return a figure as text, nothing where it is not known."""
    return "" if value is None else f"{value:.10g}"


def percent(share: float) -> str:
    """Return a share in per cent with two digits, rounded up, and never as a power of ten.

    Examples
    --------
    >>> [percent(share) for share in (0.012, 0.01200000009, 0.5, 1.234, 0.0)]
    ['1.2 %', '1.3 %', '50 %', '130 %', '0.0001 %']
    """
    value = max(_percent(share - ROUNDING), LEAST_PERCENT)
    return _spelled(value.quantize(Decimal(1).scaleb(value.adjusted() - 1), ROUND_CEILING))


def whole_percent(share: float) -> str:
    """Return a share in per cent with all its digits, where what is said holds neither for more nor for less.

    Examples
    --------
    >>> [whole_percent(share) for share in (0.01, 0.1, 0.13212252119416865, 1e-12)]
    ['1 %', '10 %', '13.212252119416865 %', '1e-10 %']
    """
    value = _percent(share)
    return _spelled(value) if not value or value >= LEAST_SPELLED else f"{100.0 * share:g} %"


def above_optimum(gap: float) -> str | None:
    """Return how much a partition with this gap costs above the optimum at most; None where nothing is proved.

    A gap is a share of its own cost, which is the larger of the two.
    """
    return percent(gap / (1.0 - gap)) if gap < 1.0 else None


def _percent(share: float) -> Decimal:
    return Decimal(repr(float(share))).scaleb(2)


def _spelled(value: Decimal) -> str:
    text = f"{value:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + " %"


def summary_of(rows: Mapping[str, str]) -> str:
    """Return rows of a summary, what is empty left out, one a line behind their names."""
    return "\n".join(f"{name:12} {value}" for name, value in rows.items() if value)


def listed_sizes(sizes: list[int]) -> str:
    """Return the number of clusters and of the points in them."""
    points = f"point{'s' * (max(sizes) > 1)}"
    if len(sizes) == 1 or len(sizes) > MOST_SIZES:
        span = f"{min(sizes)} to {max(sizes)}" if min(sizes) < max(sizes) else f"{sizes[0]}"
        return f"{len(sizes)} of {span} {points}"
    return f"{len(sizes)} of {', '.join(map(str, sizes[:-1]))} and {sizes[-1]} {points}"


class Views(Protocol):
    """The functions behind methods of a result."""

    certain_pairs: Callable[..., Any]  #: decides what all good partitions have in common
    membership: Callable[..., Floats]  #: tells how far pairs are together in the relaxation
    draw: "Callable[..., Axes]"  #: draws a picture
    write_report: Callable[..., None]  #: writes the page of a result
    write_certain_pairs: Callable[..., None]  #: writes the page of certain pairs
    result_html: Callable[..., str]  #: returns what a notebook shows of a result
    certain_html: Callable[..., str]  #: returns what a notebook shows of certain pairs


VIEWS = cast("Views", loading.VIEWS)


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return lines of rows, the first of their columns to the left, the others to the right.

    Examples
    --------
    >>> from pcsos.evidence.result.words import aligned
    >>> print(aligned([["file", "cost"], ["a.csv", "12.5"]]), end="")
    file   cost
    a.csv  12.5
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join(
        "  ".join(
            f"{cell:<{width}}" if at == 0 else f"{cell:>{width}}"
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        + "\n"
        for row in rows
    )
