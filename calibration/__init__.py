"""Where the table is in the picture: layouts, lenses, poses."""
