"""What can be told of a view that nobody calibrated: balls, tracks and bounces in pixels."""
