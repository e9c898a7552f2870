"""Frames to events: what the camera saw, as facts with their confidence."""
