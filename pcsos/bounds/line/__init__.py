"""One feature: intervals, exactly."""
