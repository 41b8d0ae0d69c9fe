"""`python -m gough`: the command."""

from gough.cli import main

raise SystemExit(main())
