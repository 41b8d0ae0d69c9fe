"""Simulation: forces in, motion out."""
