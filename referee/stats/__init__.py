"""Statistics over stored matches: pure functions of matches that were folded. A name spelled the same is one player."""
