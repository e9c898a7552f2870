"""The live page: what is seen, called and counted, in any browser on the network."""

from web.app import create_app

__all__ = ["create_app"]
