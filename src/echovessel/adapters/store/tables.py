"""The tables: one definition for SQLite and PostgreSQL.

Every key begins with `user_id` where the row belongs to a user, so that a distributed PostgreSQL can shard by user. States and
kinds are the words of the enums in `core.talk` and `ports.records`. A new table or column also needs a migration.
"""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    column,
    literal_column,
    table,
    text,
)
from sqlalchemy.dialects.postgresql import TSVECTOR

from echovessel.adapters.store.columns import Instant, Number, Record, Words

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


def _words(name: str) -> Column[str]:
    return Column(name, Words, nullable=False)


# ---------------------------------------------------------------- people

user = Table(
    "user",
    metadata,
    Column("id", Words, primary_key=True),
    _words("name"),
    _words("zone"),
    _words("locale"),
    Column("created_at", Instant, nullable=False),
)

identity = Table(
    "identity",
    metadata,
    Column("user_id", Words, ForeignKey("user.id"), nullable=False),
    _words("channel"),
    _words("external_id"),
    _words("trust"),
    PrimaryKeyConstraint("user_id", "channel", "external_id"),
    UniqueConstraint("channel", "external_id"),
)

# `card`: the file it was made from, up to 20 MB, not read by whoever wants the persona. `card_hash`: its SHA-256 in hex,
# NULL without one.
persona = Table(
    "persona",
    metadata,
    Column("id", Words, primary_key=True),
    _words("name"),
    _words("kind"),
    _words("locale"),
    _words("zone"),
    _words("basis"),
    _words("tagline"),
    _words("examples"),
    Column("greetings", Record, nullable=False),
    _words("card_format"),
    Column("created_at", Instant, nullable=False),
    Column("card_hash", Words, unique=True),
    Column("card", LargeBinary, nullable=False, default=b""),
)

pair = Table(
    "pair",
    metadata,
    Column("user_id", Words, ForeignKey("user.id"), nullable=False),
    Column("persona_id", Words, ForeignKey("persona.id"), nullable=False),
    Column("met_at", Instant, nullable=False),
    PrimaryKeyConstraint("user_id", "persona_id"),
)

# The newest revision is the block; `user_id` is empty where the block belongs to the persona alone.
core_block = Table(
    "core_block",
    metadata,
    _words("user_id"),
    Column("persona_id", Words, ForeignKey("persona.id"), nullable=False),
    _words("label"),
    Column("revision", Integer, nullable=False),
    _words("text"),
    _words("by"),
    Column("at", Instant, nullable=False),
    PrimaryKeyConstraint("user_id", "persona_id", "label", "revision"),
)

# ---------------------------------------------------------------- talk

conversation = Table(
    "conversation",
    metadata,
    _words("user_id"),
    _words("id"),
    _words("persona_id"),
    _words("channel"),
    _words("key"),
    Column("opened_at", Instant, nullable=False),
    PrimaryKeyConstraint("user_id", "id"),
    UniqueConstraint("user_id", "channel", "key"),
    ForeignKeyConstraint(["user_id", "persona_id"], ["pair.user_id", "pair.persona_id"]),
)

turn = Table(
    "turn",
    metadata,
    _words("user_id"),
    _words("id"),
    _words("persona_id"),
    _words("conversation_id"),
    _words("channel"),
    _words("state"),
    Column("opened_at", Instant, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("regenerates", Words),
    Column("asked_to_stop", Boolean, nullable=False, default=False),
    Column("lease_token", Words),
    Column("lease_until", Instant),
    Column("trouble", Record),
    Column("draft", Words, nullable=False, default=""),
    PrimaryKeyConstraint("user_id", "id"),
    ForeignKeyConstraint(["user_id", "conversation_id"], ["conversation.user_id", "conversation.id"]),
)

# One running turn a pair; one turn that collects, and one that words again, a pair and channel.
_RUNNING = text("state = 'running'")
_COLLECTING = text("state = 'open' AND regenerates IS NULL")
_REROLLING = text("state = 'open' AND regenerates IS NOT NULL")
_OPEN = text("state = 'open'")
for _name, _columns, _where, _unique in (
    ("uq_turn_running", ("user_id", "persona_id"), _RUNNING, True),
    ("uq_turn_collecting", ("user_id", "persona_id", "channel"), _COLLECTING, True),
    ("uq_turn_rerolling", ("user_id", "persona_id", "channel"), _REROLLING, True),
    ("ix_turn_open_due_at", ("due_at",), _OPEN, False),
    ("ix_turn_running_lease_until", ("lease_until",), _RUNNING, False),
    ("ix_turn_running_id", ("id",), _RUNNING, False),
):
    Index(_name, *(turn.c[c] for c in _columns), unique=_unique, sqlite_where=_where, postgresql_where=_where)

# Spelled out in a query, not bound: else SQLite does not see that an index with the same condition serves it.
is_open = turn.c.state == literal_column("'open'")
is_running = turn.c.state == literal_column("'running'")

message = Table(
    "message",
    metadata,
    _words("user_id"),
    _words("id"),
    _words("persona_id"),
    _words("conversation_id"),
    Column("turn_id", Words),
    _words("channel"),
    _words("speaker"),
    _words("state"),
    Column("sent_at", Instant, nullable=False),
    _words("zone"),
    _words("text_id"),
    Column("client_id", Words),
    Column("external_id", Words),
    Column("trouble", Record),
    PrimaryKeyConstraint("user_id", "id"),
    ForeignKeyConstraint(["user_id", "conversation_id"], ["conversation.user_id", "conversation.id"]),
    Index("ix_message_timeline", "user_id", "persona_id", "sent_at", "id"),
    Index("ix_message_turn", "user_id", "turn_id"),
)

# NULLs are distinct in a unique index, so these bind only messages that carry such an id.
Index("uq_message_client_id", *(message.c[c] for c in ("user_id", "persona_id", "client_id")), unique=True)
Index(
    "uq_message_external_id", *(message.c[c] for c in ("user_id", "persona_id", "channel", "external_id")), unique=True
)

# Each wording is immutable; `message.text_id` names the active one. `state` is the message's while this wording is active.
# `embedded_by`: NULL where it may never be recalled, empty while it waits for a vector, else who made the newest.
message_text = Table(
    "message_text",
    metadata,
    _words("user_id"),
    _words("id"),
    _words("message_id"),
    _words("state"),
    _words("made_by"),
    Column("made_at", Instant, nullable=False),
    Column("embedded_by", Words),
    _words("text"),
    PrimaryKeyConstraint("user_id", "id"),
    ForeignKeyConstraint(["user_id", "message_id"], ["message.user_id", "message.id"]),
    Index("ix_message_text_message", "user_id", "message_id"),
    Index("ix_message_text_embedded_by", "embedded_by", "id"),
)

# Whose words the keeper repeats: in the wording `text_id`, or, when that is NULL, in the aside of the turn's trouble. When the
# message is deleted, `instead` takes the place of the whole.
quote = Table(
    "quote",
    metadata,
    _words("user_id"),
    _words("message_id"),
    _words("turn_id"),
    Column("text_id", Words),
    _words("instead"),
    PrimaryKeyConstraint("user_id", "message_id", "turn_id"),
    ForeignKeyConstraint(["user_id", "message_id"], ["message.user_id", "message.id"]),
    ForeignKeyConstraint(["user_id", "turn_id"], ["turn.user_id", "turn.id"]),
    Index("ix_quote_turn", "user_id", "turn_id"),
)

# ---------------------------------------------------------------- index data, rebuilt from the texts

text_vector = Table(
    "text_vector",
    metadata,
    _words("user_id"),
    _words("text_id"),
    _words("embedder"),
    Column("raw", LargeBinary, nullable=False),
    PrimaryKeyConstraint("user_id", "text_id", "embedder"),
    ForeignKeyConstraint(["user_id", "text_id"], ["message_text.user_id", "message_text.id"]),
)

# Tokens of the active wording. SQLite's full-text index names its rows by number, hence `id`.
message_search = Table(
    "message_search",
    metadata,
    Column("id", Number, primary_key=True),
    _words("user_id"),
    _words("message_id"),
    Column("tokens", Text().with_variant(TSVECTOR(), "postgresql"), nullable=False),
    UniqueConstraint("user_id", "message_id"),
    ForeignKeyConstraint(["user_id", "message_id"], ["message.user_id", "message.id"]),
)

# SQLite only; made by the migration. Its content are the tokens of `message_search`.
message_fts = table("message_fts", column("rowid"), column("message_fts"), column("tokens"))

# ---------------------------------------------------------------- feed, work, ledger

change_head = Table(
    "change_head",
    metadata,
    Column("user_id", Words, ForeignKey("user.id"), primary_key=True),
    Column("seq", Number, nullable=False, autoincrement=False),
)

change = Table(
    "change",
    metadata,
    Column("user_id", Words, ForeignKey("user.id"), nullable=False),
    Column("seq", Number, nullable=False, autoincrement=False),
    _words("kind"),
    _words("ref"),
    PrimaryKeyConstraint("user_id", "seq"),
)

# `again_at`: it was scheduled once more while it was leased, and runs again after it ends.
job = Table(
    "job",
    metadata,
    Column("id", Words, primary_key=True),
    _words("kind"),
    _words("key"),
    Column("user_id", Words, ForeignKey("user.id")),
    _words("state"),
    Column("due_at", Instant, nullable=False),
    Column("again_at", Instant),
    Column("attempts", Integer, nullable=False, default=0),
    Column("lease_token", Words),
    Column("lease_until", Instant),
    Column("last_error", Words, nullable=False, default=""),
    _words("payload"),
    UniqueConstraint("kind", "key"),
    Index("ix_job_state", "state", "due_at"),
)

llm_call = Table(
    "llm_call",
    metadata,
    Column("id", Words, primary_key=True),
    Column("user_id", Words, ForeignKey("user.id"), nullable=False),
    Column("turn_id", Words),
    _words("role"),
    _words("model"),
    _words("prompt"),
    _words("outcome"),
    Column("tokens_in", Integer, nullable=False),
    Column("tokens_out", Integer, nullable=False),
    Column("cached_in", Integer, nullable=False),
    Column("estimated", Boolean, nullable=False),
    Column("cost", Float, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("at", Instant, nullable=False),
    Column("profile", Words, nullable=False, server_default=text("''")),
    Column("cache_written_in", Integer, nullable=False, server_default="0"),
    Index("ix_llm_call_at", "at"),
)

recall_trace = Table(
    "recall_trace",
    metadata,
    _words("user_id"),
    _words("turn_id"),
    _words("trace"),
    PrimaryKeyConstraint("user_id", "turn_id"),
    ForeignKeyConstraint(["user_id", "turn_id"], ["turn.user_id", "turn.id"]),
)

Index("ix_message_search_tokens", message_search.c.tokens, postgresql_using="gin").ddl_if(dialect="postgresql")
