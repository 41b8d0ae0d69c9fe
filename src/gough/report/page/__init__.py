"""The report of a robot along a motion as one HTML file: `gough.report.page.report.report_html`."""
