"""The first schema."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TSVECTOR

from echovessel.adapters.store.columns import Instant, Number

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make every table."""
    _people()
    _pairs()
    _conversations()
    _turns()
    _messages()
    _quotes()
    _index_data()
    _feed()
    _work()


def _people() -> None:
    """Users and personas."""
    op.create_table(
        "user",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("locale", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user")),
    )
    op.create_table(
        "identity",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("trust", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user.id"],
            name=op.f("fk_identity_user_id"),
        ),
        sa.PrimaryKeyConstraint("user_id", "channel", "external_id", name=op.f("pk_identity")),
        sa.UniqueConstraint("channel", "external_id", name=op.f("uq_identity_channel_external_id")),
    )
    op.create_table(
        "persona",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("locale", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("basis", sa.Text(), nullable=False),
        sa.Column("tagline", sa.Text(), nullable=False),
        sa.Column("examples", sa.Text(), nullable=False),
        sa.Column("greetings", sa.JSON(), nullable=False),
        sa.Column("card_format", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("card_hash", sa.Text(), nullable=True),
        sa.Column("card", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_persona")),
        sa.UniqueConstraint("card_hash", name=op.f("uq_persona_card_hash")),
    )


def _pairs() -> None:
    """Who belongs to whom, and the blocks that speak to them."""
    op.create_table(
        "pair",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("persona_id", sa.Text(), nullable=False),
        sa.Column("met_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["persona_id"],
            ["persona.id"],
            name=op.f("fk_pair_persona_id"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user.id"],
            name=op.f("fk_pair_user_id"),
        ),
        sa.PrimaryKeyConstraint("user_id", "persona_id", name=op.f("pk_pair")),
    )
    op.create_table(
        "core_block",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("persona_id", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["persona_id"],
            ["persona.id"],
            name=op.f("fk_core_block_persona_id"),
        ),
        sa.PrimaryKeyConstraint("user_id", "persona_id", "label", "revision", name=op.f("pk_core_block")),
    )


def _conversations() -> None:
    """Threads."""
    op.create_table(
        "conversation",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("persona_id", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("opened_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id", "persona_id"],
            ["pair.user_id", "pair.persona_id"],
            name=op.f("fk_conversation_user_id_persona_id"),
        ),
        sa.PrimaryKeyConstraint("user_id", "id", name=op.f("pk_conversation")),
        sa.UniqueConstraint("user_id", "channel", "key", name=op.f("uq_conversation_user_id_channel_key")),
    )


def _turns() -> None:
    """A burst and its reply; what may exist once only."""
    op.create_table(
        "turn",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("persona_id", sa.Text(), nullable=False),
        sa.Column("conversation_id", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("opened_at", Instant(), nullable=False),
        sa.Column("due_at", Instant(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("regenerates", sa.Text(), nullable=True),
        sa.Column("asked_to_stop", sa.Boolean(), nullable=False),
        sa.Column("lease_token", sa.Text(), nullable=True),
        sa.Column("lease_until", Instant(), nullable=True),
        sa.Column("trouble", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("draft", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id", "conversation_id"],
            ["conversation.user_id", "conversation.id"],
            name=op.f("fk_turn_user_id_conversation_id"),
        ),
        sa.PrimaryKeyConstraint("user_id", "id", name=op.f("pk_turn")),
    )
    _turn_index("uq_turn_running", ["user_id", "persona_id"], "state = 'running'", unique=True)
    waits = ["user_id", "persona_id", "channel"]
    _turn_index("uq_turn_collecting", waits, "state = 'open' AND regenerates IS NULL", unique=True)
    _turn_index("uq_turn_rerolling", waits, "state = 'open' AND regenerates IS NOT NULL", unique=True)
    _turn_index("ix_turn_open_due_at", ["due_at"], "state = 'open'")
    _turn_index("ix_turn_running_lease_until", ["lease_until"], "state = 'running'")
    _turn_index("ix_turn_running_id", ["id"], "state = 'running'")


def _turn_index(name: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    """An index over some turns only."""
    op.create_index(name, "turn", columns, unique=unique, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def _messages() -> None:
    """What was said."""
    op.create_table(
        "message",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("persona_id", sa.Text(), nullable=False),
        sa.Column("conversation_id", sa.Text(), nullable=False),
        sa.Column("turn_id", sa.Text(), nullable=True),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("speaker", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("sent_at", Instant(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("text_id", sa.Text(), nullable=False),
        sa.Column("client_id", sa.Text(), nullable=True),
        sa.Column("external_id", sa.Text(), nullable=True),
        sa.Column("trouble", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id", "conversation_id"],
            ["conversation.user_id", "conversation.id"],
            name=op.f("fk_message_user_id_conversation_id"),
        ),
        sa.PrimaryKeyConstraint("user_id", "id", name=op.f("pk_message")),
    )
    op.create_index("ix_message_timeline", "message", ["user_id", "persona_id", "sent_at", "id"], unique=False)
    op.create_index("ix_message_turn", "message", ["user_id", "turn_id"], unique=False)
    op.create_index("uq_message_client_id", "message", ["user_id", "persona_id", "client_id"], unique=True)
    op.create_index(
        "uq_message_external_id", "message", ["user_id", "persona_id", "channel", "external_id"], unique=True
    )
    op.create_table(
        "message_text",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("made_at", Instant(), nullable=False),
        sa.Column("embedded_by", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id", "message_id"],
            ["message.user_id", "message.id"],
            name=op.f("fk_message_text_user_id_message_id"),
        ),
        sa.PrimaryKeyConstraint("user_id", "id", name=op.f("pk_message_text")),
    )
    op.create_index("ix_message_text_embedded_by", "message_text", ["embedded_by", "id"])
    op.create_index("ix_message_text_message", "message_text", ["user_id", "message_id"], unique=False)


def _quotes() -> None:
    """Who repeats whose words."""
    op.create_table(
        "quote",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("turn_id", sa.Text(), nullable=False),
        sa.Column("text_id", sa.Text(), nullable=True),
        sa.Column("instead", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id", "message_id"], ["message.user_id", "message.id"], name=op.f("fk_quote_user_id_message_id")
        ),
        sa.ForeignKeyConstraint(
            ["user_id", "turn_id"], ["turn.user_id", "turn.id"], name=op.f("fk_quote_user_id_turn_id")
        ),
        sa.PrimaryKeyConstraint("user_id", "message_id", "turn_id", name=op.f("pk_quote")),
    )
    op.create_index("ix_quote_turn", "quote", ["user_id", "turn_id"], unique=False)


def _index_data() -> None:
    """Rebuilt from the texts."""
    op.create_table(
        "text_vector",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("text_id", sa.Text(), nullable=False),
        sa.Column("embedder", sa.Text(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id", "text_id"],
            ["message_text.user_id", "message_text.id"],
            name=op.f("fk_text_vector_user_id_text_id"),
        ),
        sa.PrimaryKeyConstraint("user_id", "text_id", "embedder", name=op.f("pk_text_vector")),
    )
    op.create_table(
        "message_search",
        sa.Column("id", Number, nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("tokens", sa.Text().with_variant(TSVECTOR(), "postgresql"), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id", "message_id"],
            ["message.user_id", "message.id"],
            name=op.f("fk_message_search_user_id_message_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_message_search")),
        sa.UniqueConstraint("user_id", "message_id", name=op.f("uq_message_search_user_id_message_id")),
    )
    if op.get_context().dialect.name == "postgresql":
        op.create_index("ix_message_search_tokens", "message_search", ["tokens"], postgresql_using="gin")
    else:
        # Our tokens have no ASCII sign in them, so this tokenizer only splits at the spaces between them.
        op.execute(
            "CREATE VIRTUAL TABLE message_fts USING fts5("
            "tokens, content='message_search', content_rowid='id', tokenize='ascii', detail='none', columnsize=0)"
        )


def _feed() -> None:
    """Who must hear of what."""
    op.create_table(
        "change_head",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("seq", Number, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user.id"],
            name=op.f("fk_change_head_user_id"),
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_change_head")),
    )
    op.create_table(
        "change",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("seq", Number, autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("ref", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user.id"],
            name=op.f("fk_change_user_id"),
        ),
        sa.PrimaryKeyConstraint("user_id", "seq", name=op.f("pk_change")),
    )


def _work() -> None:
    """Jobs, the ledger, traces."""
    op.create_table(
        "job",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("due_at", Instant(), nullable=False),
        sa.Column("again_at", Instant(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("lease_token", sa.Text(), nullable=True),
        sa.Column("lease_until", Instant(), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user.id"],
            name=op.f("fk_job_user_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
        sa.UniqueConstraint("kind", "key", name=op.f("uq_job_kind_key")),
    )
    op.create_index("ix_job_state", "job", ["state", "due_at"], unique=False)
    op.create_table(
        "llm_call",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("turn_id", sa.Text(), nullable=True),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("tokens_in", sa.Integer(), nullable=False),
        sa.Column("tokens_out", sa.Integer(), nullable=False),
        sa.Column("cached_in", sa.Integer(), nullable=False),
        sa.Column("estimated", sa.Boolean(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user.id"],
            name=op.f("fk_llm_call_user_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_llm_call")),
    )
    op.create_index("ix_llm_call_at", "llm_call", ["at"], unique=False)
    op.create_table(
        "recall_trace",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("turn_id", sa.Text(), nullable=False),
        sa.Column("trace", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id", "turn_id"], ["turn.user_id", "turn.id"], name=op.f("fk_recall_trace_user_id_turn_id")
        ),
        sa.PrimaryKeyConstraint("user_id", "turn_id", name=op.f("pk_recall_trace")),
    )
