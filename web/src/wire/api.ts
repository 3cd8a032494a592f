/** Every route the page uses, by name. */
import { call, withQuery } from "./http";
import type {
  Backup,
  Backups,
  CoreBlock,
  CoreBlockWrite,
  ImportedPersona,
  List,
  LlmTest,
  LlmTested,
  Me,
  MeChange,
  Message,
  NearbyServer,
  NewPersona,
  Persona,
  PersonaChange,
  Receipt,
  Settings,
  SettingsChange,
  Shelved,
  Status,
  Turn,
  Usage,
} from "./types";

const V1 = "/api/v1";

export const api = {
  login: (token: string) => call<unknown>("POST", "/login", { token }),

  me: () => call<Me>("GET", `${V1}/me`),
  changeMe: (change: MeChange) => call<Me>("PATCH", `${V1}/me`, change),
  status: () => call<Status>("GET", `${V1}/status`),

  usage: () => call<Usage>("GET", `${V1}/usage`),

  settings: () => call<Settings>("GET", `${V1}/settings`),
  changeSettings: (change: SettingsChange) => call<Settings>("PATCH", `${V1}/settings`, change),
  nearby: () => call<List<NearbyServer>>("GET", `${V1}/models/nearby`),
  testModel: (test: LlmTest) => call<LlmTested>("POST", `${V1}/settings/llm/test`, test),

  backups: () => call<Backups>("GET", `${V1}/backups`),
  makeBackup: () => call<Backup>("POST", `${V1}/backups`),
  /** Where a browser gets everything of one persona's talk as a file. */
  exportOf: (persona: string) => `${V1}/personas/${persona}/export`,

  personas: () => call<List<Persona>>("GET", `${V1}/personas`),
  makePersona: (persona: NewPersona) => call<Persona>("POST", `${V1}/personas`, persona),
  changePersona: (id: string, change: PersonaChange) => call<Persona>("PATCH", `${V1}/personas/${id}`, change),
  coreBlocks: (persona: string) => call<List<CoreBlock>>("GET", `${V1}/personas/${persona}/core-blocks`),
  writeCoreBlock: (persona: string, label: string, text: CoreBlockWrite) =>
    call<CoreBlock>("PUT", `${V1}/personas/${persona}/core-blocks/${label}`, text),
  importCard: (file: File) =>
    call<ImportedPersona>("POST", withQuery(`${V1}/personas/import`, { filename: file.name }), file),
  shelf: () => call<List<Shelved>>("GET", `${V1}/library`),
  take: (slug: string, locale: string) => call<Persona>("POST", `${V1}/library/${encodeURIComponent(slug)}`, { locale }),
  greet: (persona: string) => call<unknown>("POST", `${V1}/personas/${persona}/greetings`),

  say: (persona: string, text: string, client_id: string) =>
    call<Receipt>("POST", `${V1}/personas/${persona}/messages`, { text, client_id }),
  messages: (persona: string, page: { before?: string; after?: string; limit?: number; q?: string }) =>
    call<List<Message>>("GET", withQuery(`${V1}/personas/${persona}/messages`, page)),
  message: (id: string) => call<Message>("GET", `${V1}/messages/${id}`),
  editMessage: (id: string, text: string) => call<Message>("PATCH", `${V1}/messages/${id}`, { text }),
  chooseVariant: (id: string, text_id: string) => call<Message>("PATCH", `${V1}/messages/${id}`, { text_id }),
  deleteMessage: (id: string) => call<unknown>("DELETE", `${V1}/messages/${id}`),
  regenerate: (id: string) => call<{ turn_id: string }>("POST", `${V1}/messages/${id}/regenerate`),

  turn: (id: string) => call<Turn>("GET", `${V1}/turns/${id}`),
  stop: (id: string) => call<unknown>("POST", `${V1}/turns/${id}/stop`),
};
