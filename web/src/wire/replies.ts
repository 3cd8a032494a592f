/** Every reply that is being worded, whoever is looked at: the stream tells each piece once. */
import { signal } from "@preact/signals";
import type { Happening } from "./events";
import { Problem } from "./http";
import { withDelta, withTurn, type Live } from "./live";
import type { Delta, Turn } from "./types";

export class Replies {
  /** By turn, in the order in which they were heard of. */
  readonly live = signal<ReadonlyMap<string, Live>>(new Map());
  /** Turns that are over: what a request says of them may be older than what the stream already said. */
  private readonly over = new Set<string>();
  private readonly asked = new Set<string>();

  constructor(private readonly ask: (turn: string) => Promise<Turn>) {}

  happened(event: Happening): void {
    if (event.name === "turn.changed") this.follow(event.data.turn);
    if (event.name === "reply.delta") this.hear(event.data);
    if (event.name === "reply.done" || event.name === "reply.failed") this.end(event.data.turn_id);
  }

  /** How a turn stands, from a request or from the stream. */
  follow(turn: Turn): void {
    if (this.over.has(turn.id)) return;
    const live = withTurn(this.live.value.get(turn.id), turn);
    if (live === undefined) this.forget(turn.id);
    else this.live.value = new Map(this.live.value).set(turn.id, live);
  }

  end(turn: string): void {
    this.over.add(turn);
    this.forget(turn);
  }

  /** The stream was away too long to know. */
  forgetAll(): void {
    this.live.value = new Map();
    this.asked.clear();
  }

  private hear(delta: Delta): void {
    if (this.over.has(delta.turn_id)) return;
    const held = this.live.value.get(delta.turn_id);
    const live = withDelta(held, delta);
    if (live !== null) this.live.value = new Map(this.live.value).set(delta.turn_id, live);
    // A turn heard of for the first time may word an old message again; one with a hole needs what was missed.
    if ((live === null || held === undefined) && !this.asked.has(delta.turn_id)) {
      this.asked.add(delta.turn_id);
      void this.look(delta.turn_id);
    }
  }

  private async look(turn: string): Promise<void> {
    try {
      this.follow(await this.ask(turn));
    } catch (error) {
      // Not worth a word: the whole reply is told at its end.
      if (!(error instanceof Problem)) throw error;
    }
  }

  private forget(turn: string): void {
    if (!this.live.value.has(turn)) return;
    const next = new Map(this.live.value);
    next.delete(turn);
    this.live.value = next;
  }
}
