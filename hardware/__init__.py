"""Cameras and recordings: pictures with the time they were taken."""
