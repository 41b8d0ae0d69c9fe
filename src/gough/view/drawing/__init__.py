"""A robot as a picture: solids, camera, raster, labels."""
