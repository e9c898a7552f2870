"""The live page: what is seen, called and counted, in any browser on the network."""
