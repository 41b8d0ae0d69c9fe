"""Benchmarks: the engine on one real model, timed against its peers and checked while timed."""
