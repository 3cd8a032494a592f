"""Alembic's folder: `env.py`, and one file a schema revision in `versions`. Run by `store.schema.upgrade`."""
