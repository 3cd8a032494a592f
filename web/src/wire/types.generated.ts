// Made by scripts/wire_types.py from the OpenAPI document. Do not edit.

/** Every backup, the newest first. */
export interface BackupList {
  items: BackupView[];
  next?: string | null;
  /** Where they lie; empty where a database server keeps the data. */
  folder: string;
  /** Hours between automatic ones; 0: none are made. */
  every_h: number;
  /** Why the last automatic one failed, with what to do; empty when it did not. */
  failing: string;
}

/** One backup. `wrong` and `holds_deleted` say what speaks against relying on it. */
export interface BackupView {
  /** Its name. */
  id: string;
  made_at: string;
  /** Why it was made; only automatic ones are removed by themselves. */
  reason: Reason;
  /** The version of EchoVessel that made it. */
  program: string;
  /** Revision of the schema. */
  revision: string;
  messages: number;
  bytes: number;
  /** Why it cannot be relied on; empty when it can. */
  wrong: string;
  /** It still holds messages that were deleted since it was made. */
  holds_deleted: boolean;
}

/** L1 blocks. `persona` and `style` belong to the persona; the others to one pair. */
export type BlockLabel = "persona" | "style" | "self" | "user" | "relationship";

/** The daily caps; 0 is no cap. */
export interface Cap {
  cost: number;
  tokens: number;
}

/** Everything that was looked at. */
export interface CheckList {
  items: CheckView[];
  next?: string | null;
}

/** One thing that was looked at. */
export interface CheckView {
  name: string;
  verdict: Verdict;
  found: string;
  /** What to do about it; empty when nothing. */
  do: string;
}

/** The conversation that was opened, or was open already. */
export interface ConversationRef {
  /** A ULID. */
  conversation_id: string;
}

/** Core blocks, or the revisions of one of them, newest first. */
export interface CoreBlockList {
  items: CoreBlockView[];
  next?: string | null;
}

/** One revision of an L1 block. */
export interface CoreBlockView {
  label: BlockLabel;
  text: string;
  /** 1, 2, … */
  revision: number;
  /** Who wrote it: a user's id, `card`, `library` or the like. */
  by: string;
  at: string;
}

/** The new text of an L1 block. `base_revision` is the revision you started from, 0 when there was none. */
export interface CoreBlockWrite {
  text: string;
  base_revision: number;
}

/** A core block has a new revision. `ref` names it. */
export interface CoreEvent {
  ref: string;
}

/** What finds by meaning. `name` is empty when there is none: then keywords alone find. */
export interface EmbedderStatus {
  name: string;
  /** Messages without a vector yet; counted up to 1000. */
  waiting: number;
}

/** Which embedder makes vectors; changed in config.toml. */
export interface EmbedderView {
  name: string;
}

/** The JSON in `data:` by the name in `event:`. */
export interface EventData {
  "message.created": MessageEvent;
  "message.edited": MessageEvent;
  "message.deleted": MessageEvent;
  "turn.changed": TurnEvent;
  "reply.delta": ReplyDeltaEvent;
  "reply.done": ReplyDoneEvent;
  "reply.failed": ReplyFailedEvent;
  "persona.changed": PersonaEvent;
  "user.changed": UserEvent;
  "core.changed": CoreEvent;
  "job.changed": JobEvent;
  "feed.reset": ResetEvent;
}

/** Well. */
export interface Health {
  status?: "ok";
}

/** What an import did. */
export interface ImportView {
  added: number;
  already_there: number;
  /** Lines that could not be taken, each with its reason. */
  refused: string[];
  first_at: string | null;
  last_at: string | null;
}

/** A persona made from a card file. */
export interface ImportedPersonaView {
  /** A ULID. */
  id: string;
  name: string;
  kind: PersonaKind;
  locale: string;
  zone: string;
  /** One line about them. */
  tagline: string;
  /** For a real person: the consent or other basis. */
  basis: string;
  /** Sample lines in the persona's voice. */
  examples: string;
  greetings: string[];
  /** Such as `v3-png`; empty when not made from a card. */
  card_format: string;
  created_at: string;
  /** Sentences, in the card's language: what was wrong with the card and what was not taken from it. */
  left_out: string[];
}

/** The embedder in use, and how far its vectors are. */
export interface IndexedView {
  /** Its name, as it stands beside each vector. */
  embedder: string;
  /** Numbers in a vector; 1 as long as nobody knows. */
  dimension: number;
  /** Whether its cosines can be compared; until then recall goes by words. */
  calibrated: boolean;
  /** Whether it is being calibrated because someone asked. */
  measuring: boolean;
  /** Texts that have its vector. */
  embedded: number;
  /** Texts that lack it; they are found by their words. */
  waiting: number;
  /** Vectors of embedders used before; kept until nothing waits any more. */
  others: Record<string, number>;
}

/** A job was scheduled or ended. */
export interface JobEvent {
  /** A ULID. */
  job_id: string;
}

/** Jobs, those due first ahead. */
export interface JobList {
  items: JobView[];
  next?: string | null;
}

/** `parked`: given up on, visible, retried on request. */
export type JobState = "due" | "leased" | "done" | "parked";

/** Work for later. */
export interface JobView {
  /** A ULID. */
  id: string;
  kind: string;
  key: string;
  state: JobState;
  due_at: string;
  attempts: number;
  last_error: string;
}

/** The library. */
export interface LibraryList {
  items: LibraryView[];
  next?: string | null;
}

/** In which language to take a persona of the library. */
export interface LibraryTake {
  locale: "zh" | "en";
}

/** A persona of the library. */
export interface LibraryView {
  slug: string;
  locale: string;
  name: string;
  tagline: string;
  about: string;
}

/** Settings of the section `llm`. */
export interface LlmChange {
  kind?: "auto" | "openai" | "anthropic" | "gguf" | null;
  base_url?: string | null;
  /** A model file on the daemon's machine; empty: none. */
  file?: string | null;
  model?: string | null;
  small_model?: string | null;
  /** Empty forgets the saved one. */
  api_key?: string | null;
  proxy?: string | null;
  /** 0: as many as the model says itself. */
  context_tokens?: number | null;
  first_token_timeout_s?: number | null;
  idle_timeout_s?: number | null;
  reply_timeout_s?: number | null;
  retries?: number | null;
  max_reply_tokens?: number | null;
  /** Null leaves the endpoint's default. */
  temperature?: number | null;
  price_in?: number | null;
  price_out?: number | null;
  /** Null: the same as `price_in`. */
  price_cached_in?: number | null;
  /** Null: the same as `price_in`. */
  price_cache_written_in?: number | null;
  /** Empty: the connection of this section speaks. */
  profile?: string | null;
  fallback?: string[] | null;
  daily_cost_cap?: number | null;
  daily_token_cap?: number | null;
}

/** A connection to try without saving it. Without a key the saved one is used, but only for the address it was saved for. */
export interface LlmTest {
  /** Whose saved key and settings are used; empty: those of the section `llm`. */
  profile?: string;
  kind?: "auto" | "openai" | "anthropic" | "gguf";
  /** Empty: no endpoint. */
  base_url?: string;
  file?: string;
  model?: string;
  api_key?: string | null;
  /** Left out: as it is saved. */
  proxy?: string | null;
}

/** It answered. Without a model's name only the list of models was asked for. */
export interface LlmTestView {
  /** The model that answered; empty when none was asked. */
  model: string;
  /** What the endpoint offers; may be empty. */
  models: string[];
  /** Null when no model was asked. */
  first_token_s: number | null;
  /** Null when the answer was too short to tell, or came at once. */
  tokens_per_s: number | null;
  /** What the model holds; null when nobody says. */
  context_tokens: number | null;
  /** What holds an answer to JSON: a schema, the form alone, or nothing; null when no model was asked. */
  json_mode: "schema" | "object" | "none" | null;
  /** What works, and will disappoint: each with its code and a remedy. */
  worries: TroubleView[];
}

/** The connection of the section `llm`, which model speaks, and what all of them may cost. */
export interface LlmView {
  /** How it is spoken to; null: it names no model. */
  speaks: "openai" | "anthropic" | "gguf" | null;
  kind: "auto" | "openai" | "anthropic" | "gguf";
  /** Without its user name and password. */
  base_url: string;
  file: string;
  model: string;
  small_model: string;
  api_key_set: boolean;
  /** Without its user name and password. */
  proxy: string;
  context_tokens: number;
  first_token_timeout_s: number;
  idle_timeout_s: number;
  reply_timeout_s: number;
  retries: number;
  max_reply_tokens: number;
  temperature: number | null;
  price_in: number;
  price_out: number;
  price_cached_in: number | null;
  price_cache_written_in: number | null;
  /** The profile that speaks; empty: the connection of this section. */
  profile: string;
  /** Profiles that are tried in this order when the model does not answer. */
  fallback: string[];
  daily_cost_cap: number;
  daily_token_cap: number;
}

/** The token from the home's `token` file. */
export interface Login {
  token: string;
}

/** You, as the personas know you. */
export interface Me {
  /** A ULID. */
  id: string;
  name: string;
  /** IANA time zone. */
  zone: string;
  locale: string;
}

/** What to change about yourself; a field left out stays as it is. */
export interface MeChange {
  name?: string | null;
  zone?: string | null;
  locale?: "zh" | "en" | null;
}

/** Either a new wording or the choice of an older one, not both. */
export interface MessageChange {
  text?: string | null;
  text_id?: string | null;
}

/** A message came, was reworded or was deleted. */
export interface MessageEvent {
  /** A ULID. */
  persona_id: string;
  message: MessageView;
}

/** A page of the timeline, newest first. `next` goes on in the direction asked for: older, or with `after` newer. */
export interface MessageList {
  items: MessageView[];
  next?: string | null;
}

/** `partial`: cut or stopped, text kept. `failed`: no text came. `deleted`: text gone, row kept. */
export type MessageState = "complete" | "partial" | "failed" | "deleted";

/** One thing said, verbatim. */
export interface MessageView {
  /** A ULID. */
  id: string;
  /** A ULID. */
  persona_id: string;
  speaker: Speaker;
  /** The active wording; empty when deleted or when no text came. */
  text: string;
  state: MessageState;
  sent_at: string;
  /** The IANA zone of the person who said it. */
  zone: string;
  turn_id: string | null;
  channel: string;
  /** The name its sender gave it. */
  client_id: string | null;
  /** `user`, `import`, `card`, `edit`, `keeper@1`, `care@1` or a prompt and a model. */
  made_by: string;
  /** The active wording. */
  text_id: string;
  variants: VariantView[];
  edited: boolean;
  trouble: TroubleView | null;
}

/** Settings of a connection. Another address without a new `api_key` forgets the saved key: it belongs to the old one. */
export interface ModelChange {
  kind?: "auto" | "openai" | "anthropic" | "gguf" | null;
  base_url?: string | null;
  /** A model file on the daemon's machine; empty: none. */
  file?: string | null;
  model?: string | null;
  small_model?: string | null;
  /** Empty forgets the saved one. */
  api_key?: string | null;
  proxy?: string | null;
  /** 0: as many as the model says itself. */
  context_tokens?: number | null;
  first_token_timeout_s?: number | null;
  idle_timeout_s?: number | null;
  reply_timeout_s?: number | null;
  retries?: number | null;
  max_reply_tokens?: number | null;
  /** Null leaves the endpoint's default. */
  temperature?: number | null;
  price_in?: number | null;
  price_out?: number | null;
  /** Null: the same as `price_in`. */
  price_cached_in?: number | null;
  /** Null: the same as `price_in`. */
  price_cache_written_in?: number | null;
}

/** The model that speaks; without one the keeper answers. */
export interface ModelStatus {
  connected: boolean;
  /** The name of its connection; empty for the section `llm`. */
  profile: string;
  base_url: string;
  file: string;
  model: string;
  /** The connections that are tried after it, in this order. */
  fallback: string[];
}

/** A connection to a model. The key itself is never answered. */
export interface ModelView {
  /** How it is spoken to; null: it names no model. */
  speaks: "openai" | "anthropic" | "gguf" | null;
  kind: "auto" | "openai" | "anthropic" | "gguf";
  /** Without its user name and password. */
  base_url: string;
  file: string;
  model: string;
  small_model: string;
  api_key_set: boolean;
  /** Without its user name and password. */
  proxy: string;
  context_tokens: number;
  first_token_timeout_s: number;
  idle_timeout_s: number;
  reply_timeout_s: number;
  retries: number;
  max_reply_tokens: number;
  temperature: number | null;
  price_in: number;
  price_out: number;
  price_cached_in: number | null;
  price_cache_written_in: number | null;
}

/** Servers of models on this machine, those that have a model first. */
export interface NearbyList {
  items: NearbyServerView[];
  next?: string | null;
}

/** A model that can be connected. */
export interface NearbyModelView {
  /** The value for `model`. */
  name: string;
  /** What it can hold as it runs now; null when its server does not say. */
  context_tokens: number | null;
}

/** A program on this machine that serves models. */
export interface NearbyServerView {
  program: string;
  /** The value for `base_url`. */
  base_url: string;
  /** May be empty: the program runs, and has no model yet. */
  models: NearbyModelView[];
}

/** What to change about a persona; a field left out stays as it is. Core blocks have routes of their own. */
export interface PersonaChange {
  name?: string | null;
  locale?: "zh" | "en" | null;
  zone?: string | null;
  kind?: "fictional" | "original" | "self" | "authorised" | "memorial" | "creative" | "research" | null;
  basis?: string | null;
  tagline?: string | null;
  examples?: string | null;
  greetings?: string[] | null;
}

/** A persona was made or edited. */
export interface PersonaEvent {
  persona: PersonaView;
}

/** What a persona stands for; a real person needs consent or a stated basis. */
export type PersonaKind = "fictional" | "original" | "self" | "authorised" | "memorial" | "creative" | "research";

/** All personas. */
export interface PersonaList {
  items: PersonaView[];
  next?: string | null;
}

/** A new persona; everything but the name may be left out. */
export interface PersonaMake {
  name: string;
  locale?: "zh" | "en";
  kind?: "fictional" | "original" | "self" | "authorised" | "memorial" | "creative" | "research";
  /** Needed for a real person. */
  basis?: string;
  /** Who they are: core block `persona`. */
  about?: string;
  /** How they speak: core block `style`. */
  style?: string;
  examples?: string;
  /** Each can open a conversation. */
  greetings?: string[];
}

/** A persona. */
export interface PersonaView {
  /** A ULID. */
  id: string;
  name: string;
  kind: PersonaKind;
  locale: string;
  zone: string;
  /** One line about them. */
  tagline: string;
  /** For a real person: the consent or other basis. */
  basis: string;
  /** Sample lines in the persona's voice. */
  examples: string;
  greetings: string[];
  /** Such as `v3-png`; empty when not made from a card. */
  card_format: string;
  created_at: string;
}

/** How to get the embedder ready. */
export interface Prepare {
  /** Calibrate it again, and give every text a new vector. */
  anew?: boolean;
}

/** What went wrong (RFC 9457). */
export interface Problem {
  type: string;
  /** The phrase of the HTTP status. */
  title: string;
  status: number;
  /** What happened, in a sentence. */
  detail: string;
  /** Stable, for programs. */
  code: string;
  /** What you can do about it. */
  do: string;
  /** Which input is wrong, when it is one. */
  field?: string | null;
}

/** How long a prompt may be. */
export interface PromptChange {
  token_budget?: number | null;
  history_share?: number | null;
  recall_share?: number | null;
}

/** How long a prompt may be. */
export interface PromptSettingsView {
  token_budget: number;
  history_share: number;
  recall_share: number;
}

/** Why a backup was made. Only automatic ones are ever removed by themselves. */
export type Reason = "automatic" | "asked" | "before-restore" | "before-upgrade";

/** What to look for in everything that was said. */
export interface RecallAsk {
  query: string;
  k?: number;
  /** Leave out what fits too little for a reply to be given it. */
  only_fitting?: boolean;
}

/** A message that was found, with the factors of its score. */
export interface RecallHit {
  message: MessageView;
  score: number;
  /** Whether it fits well enough for a reply to be given it. */
  fits: boolean;
  factors: Record<string, number>;
}

/** What was found, best first. */
export interface RecallList {
  items: RecallHit[];
  next?: string | null;
}

/** A piece of a reply that is being worded. With `reset` it replaces all that was shown of this turn's reply. */
export interface ReplyDeltaEvent {
  /** A ULID. */
  turn_id: string;
  /** A ULID. */
  persona_id: string;
  /** Characters (code points) before this piece. */
  offset: number;
  text: string;
  reset: boolean;
}

/** The turn has ended. `message` is null when nothing is to be shown (all its messages were deleted). */
export interface ReplyDoneEvent {
  /** A ULID. */
  turn_id: string;
  /** A ULID. */
  persona_id: string;
  message: MessageView | null;
}

/** The turn failed; the message holds what was said until then, and can be regenerated. Null when it was deleted. */
export interface ReplyFailedEvent {
  /** A ULID. */
  turn_id: string;
  /** A ULID. */
  persona_id: string;
  message: MessageView | null;
  trouble: TroubleView;
}

/** The last event you saw is not of this database (a backup was restored): load everything anew. */
export interface ResetEvent {
}

/** The message is on disk; the reply will come in this turn. */
export interface Said {
  /** A ULID. */
  turn_id: string;
  /** A ULID. */
  message_id: string;
}

/** Something to say. The same `client_id` twice is one message. */
export interface Say {
  text: string;
  /** Your own name of this message: letters, digits and `_.:-`, at most 64. */
  client_id?: string | null;
  /** The client that is asking. */
  channel?: "page" | "terminal";
}

/** What to change; what is left out stays. Where the daemon listens and where data is kept is changed in config.toml. */
export interface SettingsChange {
  llm?: LlmChange | null;
  /** By name: what to change, or to make; null takes the profile away. */
  profiles?: Record<string, ModelChange | null> | null;
  turn?: TurnChange | null;
  prompt?: PromptChange | null;
}

/** The settings that the page shows. */
export interface SettingsView {
  llm: LlmView;
  /** More connections, by name. */
  profiles: Record<string, ModelView>;
  embedder: EmbedderView;
  turn: TurnSettingsView;
  prompt: PromptSettingsView;
}

/** Who said it. */
export type Speaker = "user" | "persona";

/** What one model took. */
export interface SpentOnView {
  calls: number;
  tokens_in: number;
  tokens_out: number;
  /** Of the prompt tokens, those read from a provider's cache. */
  cached_in: number;
  /** Of the prompt tokens, those put into a provider's cache. */
  cache_written_in: number;
  /** In the currency of the price settings. */
  cost: number;
  /** The name of its connection; empty for the section `llm`. */
  profile: string;
  model: string;
}

/** Sum of the cost ledger. */
export interface SpentView {
  calls: number;
  tokens_in: number;
  tokens_out: number;
  /** Of the prompt tokens, those read from a provider's cache. */
  cached_in: number;
  /** Of the prompt tokens, those put into a provider's cache. */
  cache_written_in: number;
  /** In the currency of the price settings. */
  cost: number;
}

/** How the vessel is. */
export interface Status {
  version: string;
  model: ModelStatus;
  embedder: EmbedderStatus;
  /** Where the data is kept. */
  home: string;
  /** Spent since midnight in your zone. */
  daily: SpentView;
  cap: Cap;
  /** What keeps it from working as it should, each with a remedy: a wrong settings file, a disk that is full. */
  troubles: TroubleView[];
}

/** Why a turn said what it said: ids and numbers, no words. */
export interface TraceView {
  /** A ULID. */
  turn_id: string;
  trace: Record<string, unknown>;
}

/** Why a turn failed, and what helps. */
export interface TroubleView {
  code: string;
  message: string;
  /** What you can do about it. */
  do: string;
  /** What the keeper could still say; may be empty. */
  aside: string;
}

/** How a turn is taken. */
export interface TurnChange {
  debounce_s?: number | null;
}

/** A turn opened, was claimed, or was asked to stop. */
export interface TurnEvent {
  turn: TurnView;
}

/** A turn that will answer. */
export interface TurnRef {
  /** A ULID. */
  turn_id: string;
}

/** How a turn is taken. */
export interface TurnSettingsView {
  debounce_s: number;
}

/** `open` collects the burst; `running` is claimed; the other three are final. */
export type TurnState = "open" | "running" | "done" | "failed" | "stopped";

/** Your burst of messages and the reply to it. */
export interface TurnView {
  /** A ULID. */
  id: string;
  state: TurnState;
  /** A ULID. */
  persona_id: string;
  channel: string;
  opened_at: string;
  due_at: string;
  /** The persona message that this turn words again. */
  regenerates: string | null;
  /** The reply so far, as last saved. */
  draft: string;
  trouble: TroubleView | null;
}

/** What model calls cost since an instant. */
export interface Usage {
  calls: number;
  tokens_in: number;
  tokens_out: number;
  /** Of the prompt tokens, those read from a provider's cache. */
  cached_in: number;
  /** Of the prompt tokens, those put into a provider's cache. */
  cache_written_in: number;
  /** In the currency of the price settings. */
  cost: number;
  since: string;
  /** The same by connection and model, the dearest first. */
  by_model: SpentOnView[];
}

/** You changed your name, zone or language. */
export interface UserEvent {
  user: Me;
}

/** One wording of a message, without its text: choose it to read it. */
export interface VariantView {
  /** A ULID. */
  id: string;
  made_by: string;
  made_at: string;
}

/** `note`: works, but the owner may want to know. `broken`: something does not work. */
export type Verdict = "ok" | "note" | "broken";
