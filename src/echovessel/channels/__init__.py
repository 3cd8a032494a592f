"""Where a persona is talked to: one folder a channel, handed what it needs by wiring."""
