"""What lies there in one still picture, without any other to compare it with."""
