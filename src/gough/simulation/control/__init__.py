"""Controllers as values: laws, what they measure, when they act."""
