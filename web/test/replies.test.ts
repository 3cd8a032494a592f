import { describe, expect, it } from "vitest";
import { Replies } from "../src/wire/replies";
import type { Delta, Turn } from "../src/wire/types";

function delta(offset: number, text: string, reset = false): Delta {
  return { turn_id: "t", persona_id: "p", offset, text, reset };
}

function turn(change: Partial<Turn>): Turn {
  return {
    id: "t",
    persona_id: "p",
    channel: "page",
    state: "running",
    opened_at: "2026-11-30T10:00:00.000Z",
    due_at: "2026-11-30T10:00:02.000Z",
    regenerates: null,
    draft: "",
    trouble: null,
    ...change,
  };
}

function heard(...deltas: Delta[]): { replies: Replies; asked: string[]; answer: (turn: Turn) => Promise<void> } {
  const asked: string[] = [];
  let answer: (turn: Turn) => void = () => undefined;
  const replies = new Replies((id) => {
    asked.push(id);
    return new Promise((resolve) => (answer = resolve));
  });
  for (const data of deltas) replies.happened({ name: "reply.delta", data });
  return {
    replies,
    asked,
    answer: async (told) => {
      answer(told);
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

describe("replies on their way", () => {
  it("learn once which message a turn words again", async () => {
    const { replies, asked, answer } = heard(delta(0, "Hel", true), delta(3, "lo"));
    await answer(turn({ regenerates: "m" }));
    expect(asked).toEqual(["t"]);
    expect(replies.live.value.get("t")).toMatchObject({ text: "Hello", regenerates: "m" });
  });

  it("ask for what was missed once, however many pieces follow", async () => {
    const { replies, asked, answer } = heard(delta(10, "e"), delta(11, "f"), delta(12, "g"));
    await answer(turn({ draft: "the draft" }));
    expect(asked).toEqual(["t"]);
    expect(replies.live.value.get("t")?.text).toBe("the draft");
  });

  it("stay over, whatever an older answer says", async () => {
    const { replies, answer } = heard(delta(0, "Hello", true));
    replies.end("t");
    await answer(turn({ state: "running", draft: "Hel" }));
    replies.happened({ name: "turn.changed", data: { turn: turn({ state: "open" }) } });
    expect(replies.live.value.size).toBe(0);
  });
});
