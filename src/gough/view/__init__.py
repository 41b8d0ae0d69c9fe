"""Pictures of robots: `gough.view.drawing.draw` and `png`."""
