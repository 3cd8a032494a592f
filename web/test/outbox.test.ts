import { describe, expect, it } from "vitest";
import { Problem } from "../src/wire/http";
import { memoryStorage } from "../src/wire/memory-storage";
import { Outbox, type Letter, type Post } from "../src/wire/outbox";
import type { Receipt } from "../src/wire/types";

const AWAY = new Problem(0, "away", "", "");
const BROKEN = new Problem(500, "defect", "Something broke.", "Report it.");
const BUSY = new Problem(503, "port-down", "The disk is full.", "Free some space.");
const TOO_LONG = new Problem(422, "bad-input", "It is too long.", "Shorten it.", "text");

class World {
  readonly storage = memoryStorage();
  readonly sent: string[] = [];
  readonly timers: (() => void)[] = [];
  answer: (letter: Letter) => Receipt = (letter) => ({ turn_id: "t", message_id: `m-${letter.text}` });
  private count = 0;

  open(): Outbox {
    const post: Post = {
      storage: this.storage,
      send: (letter) => {
        this.sent.push(letter.text);
        return new Promise((resolve) => resolve(this.answer(letter)));
      },
      later: (run) => this.timers.push(run),
      newId: () => `c-${(this.count += 1)}`,
      now: () => `2026-11-30T10:00:0${this.count}.000Z`,
    };
    return new Outbox(post);
  }
}

async function settled(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
}

describe("the outbox", () => {
  it("keeps a letter until it is acknowledged, and shows it until it has arrived", async () => {
    const world = new World();
    const outbox = world.open();
    outbox.write("p", "hello");
    expect(world.storage.length).toBe(1);
    await settled();
    expect(world.storage.length).toBe(0);
    expect(outbox.letters.value).toMatchObject([{ text: "hello", state: "sent", message_id: "m-hello" }]);
    outbox.drop("c-1");
    expect(outbox.letters.value).toEqual([]);
  });

  it("sends what a closed page left behind, under the same name", async () => {
    const world = new World();
    world.answer = () => {
      throw AWAY;
    };
    world.open().write("p", "还在吗");
    await settled();

    world.answer = (letter) => ({ turn_id: "t", message_id: letter.client_id });
    const later = world.open();
    expect(later.letters.value).toMatchObject([{ text: "还在吗", state: "waiting", client_id: "c-1" }]);
    await later.flush();
    expect(later.letters.value).toMatchObject([{ state: "sent", message_id: "c-1" }]);
  });

  it("tries again by itself, in the order of writing", async () => {
    const world = new World();
    world.answer = () => {
      throw AWAY;
    };
    const outbox = world.open();
    outbox.write("p", "one");
    outbox.write("p", "two");
    await settled();
    expect(world.sent).toEqual(["one"]);

    world.answer = () => ({ turn_id: "t", message_id: "m" });
    world.timers.pop()?.();
    await settled();
    expect(world.sent).toEqual(["one", "one", "two"]);
    expect(world.timers).toEqual([]);
  });

  it("lets a refused letter not hold up the next, and keeps it with the reason", async () => {
    const world = new World();
    world.answer = (letter) => {
      if (letter.text === "long") throw TOO_LONG;
      return { turn_id: "t", message_id: "m" };
    };
    const outbox = world.open();
    outbox.write("p", "long");
    outbox.write("p", "short");
    await settled();
    expect(outbox.letters.value).toMatchObject([
      { text: "long", state: "refused", problem: { code: "bad-input", message: "It is too long.", remedy: "Shorten it.", field: "text" } },
      { text: "short", state: "sent" },
    ]);
    expect(world.storage.length).toBe(1);
  });

  it("sets a letter aside over which the daemon breaks again and again, and sends the ones behind it", async () => {
    const world = new World();
    world.answer = (letter) => {
      if (letter.text === "poison") throw BROKEN;
      return { turn_id: "t", message_id: "m" };
    };
    const outbox = world.open();
    outbox.write("p", "poison");
    outbox.write("q", "hello");
    await settled();
    for (let tries = 1; tries < 3; tries += 1) {
      expect(outbox.letters.value).toMatchObject([{ state: "waiting" }, { state: "waiting" }]);
      world.timers.pop()?.();
      await settled();
    }
    expect(outbox.letters.value).toMatchObject([
      { text: "poison", state: "refused", problem: { code: "defect" } },
      { text: "hello", state: "sent" },
    ]);
    expect(world.storage.length).toBe(1);
    expect(world.timers).toEqual([]);
  });

  it("waits as long as it takes for a daemon that is busy or away", async () => {
    const world = new World();
    world.answer = (letter) => {
      throw letter.text === "one" ? BUSY : AWAY;
    };
    const outbox = world.open();
    outbox.write("p", "one");
    await settled();
    for (let tries = 0; tries < 10; tries += 1) {
      world.timers.pop()?.();
      await settled();
    }
    expect(outbox.letters.value).toMatchObject([{ state: "waiting" }]);
  });

  it("has one timer, however many letters were written meanwhile", async () => {
    const world = new World();
    world.answer = () => {
      throw AWAY;
    };
    const outbox = world.open();
    for (const text of ["one", "two", "three"]) {
      outbox.write("p", text);
      await settled();
    }
    expect(world.timers.length).toBe(1);
  });

  it.each(["", "{", "null", "[]", '"text"', '{"client_id":1}'])("opens although the browser kept %j", (stored) => {
    const world = new World();
    world.storage.setItem("echovessel.letter.x", stored);
    const letter = { client_id: "c", persona_id: "p", text: "hello", at: "2026-11-30T10:00:00Z" };
    world.storage.setItem("echovessel.letter.c", JSON.stringify(letter));
    expect(world.open().letters.value).toEqual([{ ...letter, state: "waiting" }]);
  });
});
