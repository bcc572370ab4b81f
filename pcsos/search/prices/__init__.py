"""Search by prices: nodes that prices bound."""
