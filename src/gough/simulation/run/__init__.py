"""A single run: what drives it, its integration, events and result."""
