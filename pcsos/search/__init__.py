"""Search: the tree, what bounds its problems, who does the work and what is written down."""
