/** The page's short names for what the daemon says (`types.generated.ts` has all of them). */
import type * as wire from "./types.generated";

/** A page of a list; without `next` it is the last one. */
export interface List<T> {
  items: T[];
  next?: string | null;
}

export type Me = wire.Me;
export type MeChange = wire.MeChange;
export type Status = wire.Status;
export type Usage = wire.Usage;
export type Settings = wire.SettingsView;
export type SettingsChange = wire.SettingsChange;
export type LlmTest = wire.LlmTest;
export type LlmTested = wire.LlmTestView;
export type ModelSettings = wire.ModelView;
export type NearbyServer = wire.NearbyServerView;
export type Backup = wire.BackupView;
export type Backups = wire.BackupList;

export type Persona = wire.PersonaView;
export type PersonaChange = wire.PersonaChange;
export type CoreBlock = wire.CoreBlockView;
export type CoreBlockWrite = wire.CoreBlockWrite;
export type ImportedPersona = wire.ImportedPersonaView;
export type NewPersona = wire.PersonaMake;
export type Kind = NonNullable<NewPersona["kind"]>;
export type Shelved = wire.LibraryView;

export type Message = wire.MessageView;
export type Turn = wire.TurnView;
export type Receipt = wire.Said;
export type Delta = wire.ReplyDeltaEvent;
export type Events = wire.EventData;
