"""Methods of others that pip can install, and ours, called in the same way."""
