"""pcsos: the clustering with the least sum of squares under must-link and cannot-link constraints, with proof."""
