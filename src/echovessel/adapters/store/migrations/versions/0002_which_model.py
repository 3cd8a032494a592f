"""The ledger tells which connection was asked, and how many tokens were put into its cache."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add two columns; a line of before was paid by the section `llm`, and nothing is known of its cache."""
    op.add_column("llm_call", sa.Column("profile", sa.Text(), server_default=sa.text("''"), nullable=False))
    op.add_column("llm_call", sa.Column("cache_written_in", sa.Integer(), server_default="0", nullable=False))
