"""Small bowling pins on a lane: where they stand, lean and lie, in one picture and over time."""
