import { describe, expect, it } from "vitest";
import { Problem } from "../src/wire/http";
import { memoryStorage } from "../src/wire/memory-storage";
import { Outbox, type Letter, type Post } from "../src/wire/outbox";
import type { Receipt } from "../src/wire/types";

const AWAY = new Problem(0, "away", "", "");
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
      { text: "long", state: "refused", problem: { message: "It is too long.", remedy: "Shorten it." } },
      { text: "short", state: "sent" },
    ]);
    expect(world.storage.length).toBe(1);
  });
});
