"""What all tests share."""

from hypothesis import settings

# A busy machine is no failure.
settings.register_profile("referee", deadline=None, max_examples=60)
settings.load_profile("referee")
