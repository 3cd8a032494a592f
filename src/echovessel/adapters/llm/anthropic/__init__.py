"""Models that speak Anthropic's Messages API: Claude, and servers and gateways that speak like it."""
