"""pcsos: the clustering of least sum of squares under must-link and cannot-link constraints, with proof."""
