"""Pictures of robots: `gough.view.drawing.draw.draw` and `png`."""
