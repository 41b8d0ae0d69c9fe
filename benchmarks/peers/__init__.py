"""The engines that gough is compared with, as an expert drives them from Python."""
