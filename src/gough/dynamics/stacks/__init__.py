"""One robot on the platform of another."""
