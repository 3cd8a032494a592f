"""Alembic runs this for each upgrade. The connection, and the transaction it is in, belong to `store.schema`."""

from alembic import context

from echovessel.adapters.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
