"""What is wrong with a robot, one line for each fault: form, structure, sizes, bodies, legs."""
