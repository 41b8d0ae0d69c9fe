"""Benchmarks: the engine and the dynamics on real models, timed against their peers and checked while timed."""

import os

# All contestants run on one core; the linear algebra of NumPy would take more. NumPy reads this when it is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
