"""Branch and bound over must-links and cannot-links (Paper, Algorithm 3)."""
