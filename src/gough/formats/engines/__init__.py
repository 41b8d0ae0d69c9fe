"""Other programs as references: they open a file themselves and compute where its loops close and its forces."""
