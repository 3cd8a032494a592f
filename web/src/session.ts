/** Who is here and which room is open: what all rooms share. */
import { batch, computed, effect, signal } from "@preact/signals";
import { introduction } from "./first-visit";
import { api } from "./wire/api";
import { EventStream, type Happening } from "./wire/events";
import { Problem } from "./wire/http";
import { Outbox } from "./wire/outbox";
import { Replies } from "./wire/replies";
import { storage } from "./wire/storage";
import type { Me, Persona, Status } from "./wire/types";
import { locale } from "./words";

export type Room = "opening" | "door" | "welcome" | "talk";

const LAST_PERSONA = "echovessel.persona";
/** Set once this browser has told what it knows of the person. */
const INTRODUCED = "echovessel.introduced";
/** A short break is not worth a word. */
const BREAK_MS = 1_500;
const KNOCK_MS = 2_000;
const LOOK_EVERY_MS = 30_000;

export const room = signal<Room>("opening");
export const me = signal<Me | null>(null);
export const personas = signal<readonly Persona[]>([]);
export const status = signal<Status | null>(null);
export const settingsOpen = signal(false);
/** Who is talked to, seen closer. */
export const personaOpen = signal(false);
export const away = signal(false);

const chosen = signal<string | null>(storage.getItem(LAST_PERSONA));
/** The persona being talked to; the last one chosen, else the first. */
export const persona = computed(() => personas.value.find((p) => p.id === chosen.value) ?? personas.value[0] ?? null);

/** The time zone that days and times are shown in. */
export const zone = computed(() => knownZone(me.value?.zone) ?? Intl.DateTimeFormat().resolvedOptions().timeZone);

export function knownZone(name: string | undefined): string | null {
  if (name === undefined || name === "") return null;
  try {
    return Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

export const outbox = new Outbox({
  storage,
  send: (letter) => api.say(letter.persona_id, letter.text, letter.client_id),
  later: (run, ms) => void window.setTimeout(run, ms),
  newId: () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join(""),
  now: () => new Date().toISOString(),
});

export const replies = new Replies(api.turn);

/** Rooms that want to know what happens; `opened(true)` asks them to load anew. */
export interface Guest {
  happened(event: Happening): void;
  opened(missed: boolean): void;
}
let guest: Guest | null = null;
export function welcomeGuest(next: Guest): () => void {
  guest = next;
  return () => {
    if (guest === next) guest = null;
  };
}

let breakTimer: number | undefined;
const events = new EventStream({
  happened(event) {
    if (event.name === "persona.changed") hold(event.data.persona);
    if (event.name === "user.changed") me.value = event.data.user;
    replies.happened(event);
    guest?.happened(event);
  },
  opened(missed) {
    window.clearTimeout(breakTimer);
    away.value = false;
    void outbox.flush();
    if (missed) replies.forgetAll();
    void lookAround();
    guest?.opened(missed);
  },
  lost() {
    window.clearTimeout(breakTimer);
    breakTimer = window.setTimeout(() => {
      away.value = true;
      void knock();
    }, BREAK_MS);
  },
});

/** Open the right room; waits for the daemon as long as it takes. */
export async function enter(): Promise<void> {
  try {
    const [known, them, state] = await Promise.all([api.me(), api.personas(), api.status()]);
    const nobodyThere = them.items.length === 0;
    const who = await introduced(known, nobodyThere);
    batch(() => {
      me.value = who;
      personas.value = them.items;
      status.value = state;
      away.value = false;
      room.value = nobodyThere ? "welcome" : "talk";
    });
    events.connect();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.status === 401) {
      room.value = "door";
      return;
    }
    away.value = true;
    window.setTimeout(() => void enter(), KNOCK_MS);
  }
}

/** The person, as known once the browser has told what it knows. */
async function introduced(who: Me, nobodyThere: boolean): Promise<Me> {
  const browser = { zone: Intl.DateTimeFormat().resolvedOptions().timeZone, locale: locale.value };
  const change = introduction(who, browser, { first: storage.getItem(INTRODUCED) === null, nobodyThere });
  try {
    const told = change === null ? who : await api.changeMe(change);
    storage.setItem(INTRODUCED, "yes");
    return told;
  } catch (error) {
    // Not worth a word: both can be set by hand, and the next visit tells them again.
    if (!(error instanceof Problem)) throw error;
    return who;
  }
}

/** Whether it is the daemon that is away, or our token that no longer holds. */
async function knock(): Promise<void> {
  try {
    await api.me();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.status === 401) {
      events.close();
      away.value = false;
      room.value = "door";
    }
  }
}

/** A persona as it now stands; a new one comes last. */
function hold(changed: Persona): void {
  const known = personas.value.some((one) => one.id === changed.id);
  personas.value = known
    ? personas.value.map((one) => (one.id === changed.id ? changed : one))
    : [...personas.value, changed];
}

export async function refreshStatus(): Promise<void> {
  status.value = await api.status();
}

/** What troubles the daemon is no event: while someone looks at the page, it is asked for now and then. */
async function lookAround(): Promise<void> {
  if (document.hidden || away.value || room.value !== "talk") return;
  try {
    await refreshStatus();
  } catch (error) {
    // The stream of events tells of a daemon that is away.
    if (!(error instanceof Problem)) throw error;
  }
}
window.setInterval(() => void lookAround(), LOOK_EVERY_MS);
document.addEventListener("visibilitychange", () => void lookAround());

export function choosePersona(id: string): void {
  storage.setItem(LAST_PERSONA, id);
  batch(() => {
    chosen.value = id;
    room.value = "talk";
  });
}

/** Someone new: let them greet, then go and talk. */
export async function meet(newcomer: Persona): Promise<void> {
  await api.greet(newcomer.id);
  hold(newcomer);
  choosePersona(newcomer.id);
}

effect(() => {
  document.title = room.value === "talk" && persona.value !== null ? `${persona.value.name} · EchoVessel` : "EchoVessel";
});
