"""Files of older formats, each with the latest that it knows."""

from dataclasses import replace

from tests.conformance.certificate import Certificate
from tests.conformance.honest import closings, cuts, prices, soft, trees


def named(subject: list[Certificate], name: str) -> Certificate:
    return next(own for own in subject if own.name == name)


def aged(found: Certificate, version: int, shows: str) -> Certificate:
    """The same certificate in an older format."""
    row = {
        name: value
        for name, value in found.rows["instance"][0].items()
        if version >= 6 or name not in ("conditions", "gram")
    }
    rows = found.rows | {"instance": [row]}
    return replace(
        found,
        name=f"format-{version}-{found.name}",
        kind="formats",
        shows=shows,
        section="1",
        rows=rows,
        version=version,
    )


CERTIFICATES = [
    *(
        aged(named(trees.CERTIFICATES, "hand"), version, f"The certificate of section 8 in format {version}.")
        for version in (5, 6, 7, 8)
    ),
    aged(named(closings.CERTIFICATES, "bound-stars"), 5, "Stars in format 5."),
    aged(named(soft.CERTIFICATES, "soft-step-apart"), 6, "Soft pairs in format 6."),
    aged(named(cuts.CERTIFICATES, "cuts-sizes"), 7, "Set cuts in format 7."),
    aged(named(prices.CERTIFICATES, "prices-knot"), 8, "Knots in format 8."),
    aged(named(prices.CERTIFICATES, "prices-axes"), 8, "Axes in format 8."),
    aged(named(prices.CERTIFICATES, "prices"), 5, "Prices in format 5."),
]
