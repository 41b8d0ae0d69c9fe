"""How more actuators than coordinates share what the platform needs."""
