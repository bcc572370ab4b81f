"""Base: what everything stands on, and that knows nothing of clustering."""
