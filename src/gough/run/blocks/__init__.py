"""Graphs on NumPy, in blocks of samples."""
