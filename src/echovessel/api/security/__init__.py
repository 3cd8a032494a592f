"""What stands before every route: pure ASGI, so that streams pass through untouched."""
