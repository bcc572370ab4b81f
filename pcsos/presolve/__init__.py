"""What is known of a problem before anything is bounded."""
