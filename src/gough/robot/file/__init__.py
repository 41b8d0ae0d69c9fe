"""The file format: reading, units, schema, writing, and where each key stands."""
