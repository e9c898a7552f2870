"""What the commands do: each prints its answer and returns its exit status; and what they share."""
