"""Other programs as judges: they open a file by themselves, and say where its loops close and what moves it."""
