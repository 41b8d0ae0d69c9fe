"""A robot in the browser: live, or as one file that plays."""
