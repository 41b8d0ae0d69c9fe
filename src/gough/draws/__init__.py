"""Random and quasi-random numbers by counter: each depends on its own number and the seed, never on its neighbours."""
