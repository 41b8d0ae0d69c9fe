"""`gough export TARGET`: one file per target, listed in `gough.cli.GROUPS`."""
