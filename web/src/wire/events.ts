/**
 * The one stream of everything that happens. It reconnects by itself and asks for what it missed; after a long
 * absence it starts from now instead and says that it did, so that its reader loads what is shown anew.
 */
import type { Events } from "./types";

export type Happening = { [N in keyof Events]: { name: N; data: Events[N] } }[keyof Events];

const NAMES: readonly (keyof Events)[] = [
  "message.created",
  "message.edited",
  "message.deleted",
  "turn.changed",
  "reply.delta",
  "reply.done",
  "reply.failed",
  "persona.changed",
  "user.changed",
];

/** Longer away than this, and what was missed is loaded instead of replayed. */
const REPLAY_MS = 60_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;

export interface Listener {
  happened(event: Happening): void;
  /** Connected; `missed` when events were skipped and what is shown must be loaded anew. */
  opened(missed: boolean): void;
  lost(): void;
}

/** What the stream needs of the browser; a test hands in its own. */
export interface Surroundings {
  open(url: string): EventSource;
  now(): number;
  later(run: () => void, ms: number): number;
  never(timer: number): void;
}

export const browser: Surroundings = {
  open: (url) => new EventSource(url),
  now: () => performance.now(),
  later: (run, ms) => window.setTimeout(run, ms),
  never: (timer) => window.clearTimeout(timer),
};

export class EventStream {
  private source: EventSource | null = null;
  private last: string | null = null;
  private lostAt: number | null = null;
  private tries = 0;
  private timer: number | null = null;

  constructor(
    private readonly listener: Listener,
    private readonly around: Surroundings = browser,
  ) {}

  connect(): void {
    this.close();
    const stale = this.lostAt !== null && (this.last === null || this.around.now() - this.lostAt > REPLAY_MS);
    if (stale) this.last = null;
    const source = this.around.open(this.last === null ? "/api/v1/events" : `/api/v1/events?after=${this.last}`);
    this.source = source;
    source.onopen = () => {
      this.tries = 0;
      this.lostAt = null;
      this.listener.opened(stale);
    };
    source.onerror = () => this.again();
    source.addEventListener("feed.reset", () => this.restart());
    for (const name of NAMES) source.addEventListener(name, (event) => this.hear(name, event as MessageEvent<string>));
  }

  close(): void {
    if (this.timer !== null) this.around.never(this.timer);
    this.timer = null;
    this.source?.close();
    this.source = null;
  }

  private hear(name: keyof Events, event: MessageEvent<string>): void {
    if (event.lastEventId !== "") this.last = event.lastEventId;
    this.listener.happened({ name, data: JSON.parse(event.data) } as Happening);
  }

  /** The daemon's data are not those we knew: begin from now. */
  private restart(): void {
    this.last = null;
    this.listener.opened(true);
  }

  private again(): void {
    this.close();
    this.lostAt ??= this.around.now();
    this.listener.lost();
    const wait = Math.min(FIRST_RETRY_MS * 2 ** this.tries, LAST_RETRY_MS);
    this.tries += 1;
    this.timer = this.around.later(() => this.connect(), wait);
  }
}
