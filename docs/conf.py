"""The site, built by `make docs`: Markdown pages, whose code blocks run as they are built (`_ext/run_blocks.py`)."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

import gough  # noqa: E402

project = "gough"
author = "The gough developers"
copyright = "The gough developers, Apache-2.0"
release = version = gough.__version__

extensions = [
    "myst_nb",
    "sphinx_design",
    "sphinx-mathjax-offline",
    "run_blocks",
    "command_pages",
    "api_pages",
    "gallery_pages",
    "leg_form_pages",
]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
exclude_patterns = ["_build", "images/**", "release_checklist.md"]
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 3
nb_execution_mode = "cache"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
suppress_warnings = ["mystnb.unknown_mime_type"]

smartquotes_action = "qe"  # Not dashes: options begin with two.

html_theme = "furo"
html_title = f"gough {version}"
html_static_path = ["_static"]
html_css_files = ["pictures.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"
pygments_dark_style = "monokai"
nitpicky = True
nitpick_ignore_regex = [(r"py:.*", r".*")]
