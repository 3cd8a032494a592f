"""Memory, pure: what is kept, what comes to mind, and how a model's proposals are admitted. No clock, no store, no model."""
