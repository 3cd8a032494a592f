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
  problem?: { message: string; remedy: string };
}

const KEY = "echovessel.letter.";
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 15_000;

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
      this.post.later(() => void this.flush(), Math.min(FIRST_RETRY_MS * 2 ** this.tries, LAST_RETRY_MS));
      this.tries += 1;
    } finally {
      this.sending = false;
    }
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
      if (!(error instanceof Problem) || error.passes) throw error;
      this.change(letter.client_id, { state: "refused", problem: { message: error.message, remedy: error.remedy } });
    }
  }

  private change(client_id: string, to: Partial<Letter>): void {
    this.letters.value = this.letters.value.map((l) => (l.client_id === client_id ? { ...l, ...to } : l));
  }
}

function kept(storage: Storage): Letter[] {
  const found: Letter[] = [];
  for (let i = 0; i < storage.length; i += 1) {
    const key = storage.key(i);
    if (key?.startsWith(KEY)) found.push(JSON.parse(storage.getItem(key) ?? "") as Letter);
  }
  return found.sort((a, b) => a.at.localeCompare(b.at));
}
