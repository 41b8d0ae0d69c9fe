"""Many robots at once, stepped in one batch."""
