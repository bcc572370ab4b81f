"""Given centres: the best labels that respect the cannot-links, exactly or greedily; and whether any exist."""
