import { describe, expect, it } from "vitest";
import { EventStream, type Happening, type Surroundings } from "../src/wire/events";

class Source {
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  closed = false;
  private readonly ears = new Map<string, (event: unknown) => void>();
  constructor(readonly url: string) {}
  addEventListener(name: string, ear: (event: unknown) => void): void {
    this.ears.set(name, ear);
  }
  say(name: string, data: unknown, id = ""): void {
    this.ears.get(name)?.({ data: JSON.stringify(data), lastEventId: id });
  }
  close(): void {
    this.closed = true;
  }
}

class World {
  readonly sources: Source[] = [];
  readonly timers: (() => void)[] = [];
  readonly heard: Happening[] = [];
  readonly opened: boolean[] = [];
  lost = 0;
  time = 0;
  readonly stream: EventStream;

  constructor() {
    const around: Surroundings = {
      open: (url) => {
        const source = new Source(url);
        this.sources.push(source);
        return source as unknown as EventSource;
      },
      now: () => this.time,
      later: (run) => this.timers.push(run),
      never: () => undefined,
    };
    const listener = {
      happened: (event: Happening) => void this.heard.push(event),
      opened: (missed: boolean) => void this.opened.push(missed),
      lost: () => void (this.lost += 1),
    };
    this.stream = new EventStream(listener, around);
    this.stream.connect();
    this.newest.onopen?.();
  }
  get newest(): Source {
    const source = this.sources.at(-1);
    if (source === undefined) throw new Error("nothing was opened");
    return source;
  }
  breakFor(ms: number): void {
    this.newest.onerror?.();
    this.time += ms;
    this.timers.pop()?.();
    this.newest.onopen?.();
  }
}

describe("the stream of events", () => {
  it("begins with what happens from now on", () => {
    const world = new World();
    expect(world.newest.url).toBe("/api/v1/events");
    world.newest.say("reply.delta", { turn_id: "t", offset: 0, text: "Hi" });
    expect(world.heard).toEqual([{ name: "reply.delta", data: { turn_id: "t", offset: 0, text: "Hi" } }]);
  });

  it("asks for what it missed in a short break", () => {
    const world = new World();
    world.newest.say("user.changed", {}, "41");
    world.newest.say("reply.delta", { turn_id: "t", offset: 0, text: "Hi" }, "41");
    world.breakFor(1_000);
    expect(world.newest.url).toBe("/api/v1/events?after=41");
    expect(world.opened).toEqual([false, false]);
    expect(world.sources[0]?.closed).toBe(true);
  });

  it("asks its reader to load anew after a long break", () => {
    const world = new World();
    world.newest.say("user.changed", {}, "41");
    world.breakFor(120_000);
    expect(world.newest.url).toBe("/api/v1/events");
    expect(world.opened).toEqual([false, true]);
  });

  it("asks its reader to load anew where it cannot know what it missed", () => {
    const world = new World();
    world.breakFor(1_000);
    expect(world.opened).toEqual([false, true]);
  });

  it("loads anew when the daemon's data are others", () => {
    const world = new World();
    world.newest.say("user.changed", {}, "41");
    world.newest.say("feed.reset", {});
    world.breakFor(1_000);
    expect(world.opened).toEqual([false, true, true]);
  });
});
