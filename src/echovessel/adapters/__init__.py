"""What touches the outside world, each behind a port."""
