/**
 * What the person wrote and the daemon has not acknowledged. Each letter is kept in the browser until it is, so that
 * neither a reload nor a stopped daemon loses it. Its `client_id` makes sending it twice harmless.
 */
import { signal } from "@preact/signals";
import type { Receipt } from "./types";
import { Problem } from "./http";

export interface Letter {
  client_id: string;
  persona_id: string;
  text: string;
  /** When it was written, ISO 8601. */
  at: string;
  /** `sent`: acknowledged, and shown until the timeline holds it. */
  state: "waiting" | "sent" | "refused";
  message_id?: string;
  problem?: { code: string; message: string; remedy: string; field: string | null };
}

const KEY = "echovessel.letter.";
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 15_000;
/** How often the daemon may break over a letter before the letters behind it go first. */
const BREAKS = 3;
/** Nothing is wrong with the letter: the daemon is busy, or what stands before it cannot reach it. */
const ABSENT: readonly number[] = [502, 503, 504];

export interface Post {
  storage: Storage;
  send(letter: Letter): Promise<Receipt>;
  later(run: () => void, ms: number): void;
  newId(): string;
  now(): string;
}

export class Outbox {
  /** Oldest first. */
  readonly letters = signal<readonly Letter[]>([]);
  private sending = false;
  private tries = 0;
  private retrying = false;
  /** By `client_id`: how often the daemon broke over it. */
  private readonly broke = new Map<string, number>();

  constructor(private readonly post: Post) {
    this.letters.value = kept(post.storage);
  }

  write(persona_id: string, text: string): void {
    const letter: Letter = { client_id: this.post.newId(), persona_id, text, at: this.post.now(), state: "waiting" };
    this.post.storage.setItem(KEY + letter.client_id, JSON.stringify(letter));
    this.letters.value = [...this.letters.value, letter];
    void this.flush();
  }

  /** The timeline holds it, or the person gave it up. */
  drop(client_id: string): void {
    this.post.storage.removeItem(KEY + client_id);
    this.letters.value = this.letters.value.filter((letter) => letter.client_id !== client_id);
  }

  /** Send what waits, in order; called again by itself until nothing does. */
  async flush(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    try {
      for (let next = this.next(); next !== undefined; next = this.next()) await this.deliver(next);
      this.tries = 0;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.retry();
    } finally {
      this.sending = false;
    }
  }

  /** Once however many flushes fail meanwhile. */
  private retry(): void {
    if (this.retrying) return;
    this.retrying = true;
    const again = (): void => {
      this.retrying = false;
      void this.flush();
    };
    this.post.later(again, Math.min(FIRST_RETRY_MS * 2 ** this.tries, LAST_RETRY_MS));
    this.tries += 1;
  }

  private next(): Letter | undefined {
    return this.letters.value.find((letter) => letter.state === "waiting");
  }

  private async deliver(letter: Letter): Promise<void> {
    try {
      const receipt = await this.post.send(letter);
      this.post.storage.removeItem(KEY + letter.client_id);
      this.change(letter.client_id, { state: "sent", message_id: receipt.message_id });
    } catch (error) {
      if (!(error instanceof Problem) || (error.passes && !this.breaks(letter, error))) throw error;
      this.change(letter.client_id, { state: "refused", problem: told(error) });
    }
  }

  /** Whether the daemon breaks over this letter again and again. */
  private breaks(letter: Letter, problem: Problem): boolean {
    if (problem.status < 500 || ABSENT.includes(problem.status)) return false;
    const times = (this.broke.get(letter.client_id) ?? 0) + 1;
    this.broke.set(letter.client_id, times);
    return times >= BREAKS;
  }

  private change(client_id: string, to: Partial<Letter>): void {
    this.letters.value = this.letters.value.map((l) => (l.client_id === client_id ? { ...l, ...to } : l));
  }
}

function told({ code, message, remedy, field }: Problem): NonNullable<Letter["problem"]> {
  return { code, message, remedy, field };
}

/** What cannot be read as a letter stays where it is: it must not keep the page from opening. */
function kept(storage: Storage): Letter[] {
  const keys = Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? "").filter((key) => key.startsWith(KEY));
  const found = keys.map((key) => letterIn(storage.getItem(key) ?? "")).filter((letter) => letter !== null);
  return found.sort((a, b) => a.at.localeCompare(b.at));
}

function letterIn(stored: string): Letter | null {
  let value: unknown;
  try {
    value = JSON.parse(stored);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const { client_id, persona_id, text, at } = Object(value) as Record<string, unknown>;
  if (typeof client_id !== "string" || typeof persona_id !== "string") return null;
  if (typeof text !== "string" || typeof at !== "string") return null;
  return { client_id, persona_id, text, at, state: "waiting" };
}
