"""The report of a robot along a motion as one HTML file: `gough.reports.page.report_page.report_html`."""
