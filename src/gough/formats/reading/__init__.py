"""Models of other programs read as a linkage, and the robot that is in it."""
