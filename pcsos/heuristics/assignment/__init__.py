"""The best labels for given centres that respect the cannot-links and leave no cluster empty, exactly or greedily."""
