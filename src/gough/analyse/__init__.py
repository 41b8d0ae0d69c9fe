"""What people ask of a motion: does it fit, and by how much."""
