"""Style: colours and symbols of clusters, which differ from each other also without colour."""

#: Colours that people with impaired colour vision tell apart (Okabe and Ito 2008), dark and light alike.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31")
#: Symbols, in the names of Plotly and of Matplotlib.
SYMBOLS = {
    "circle": "o",
    "square": "s",
    "diamond": "D",
    "triangle-up": "^",
    "triangle-down": "v",
    "cross": "P",
    "x": "X",
    "star": "*",
    "pentagon": "p",
    "triangle-left": "<",
    "triangle-right": ">",
}


def colour(cluster: int) -> str:
    """Return the colour of a cluster; after all of them they begin anew."""
    return COLOURS[cluster % len(COLOURS)]


def symbol(cluster: int) -> str:
    """Return the symbol of a cluster; as there are another number of them, pairs with colours come again late."""
    return list(SYMBOLS)[cluster % len(SYMBOLS)]
