"""Contract suites: what every implementation of a port, its fake included, must pass."""
