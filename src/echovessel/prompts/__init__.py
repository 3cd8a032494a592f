"""What a model is told, and what the keeper says without one. Pure: templates arrive as a `Catalog`, time as an argument."""
