"""Every HTTP and SSE route, and what guards them. Routes are handed ports (`Doors`); they never see a flow or an adapter."""
