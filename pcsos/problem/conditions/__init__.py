"""What is asked of a partition, a file a family of conditions."""
