import { describe, expect, it } from "vitest";
import { withDelta, withTurn, type Live } from "../src/wire/live";
import type { Delta, Turn } from "../src/wire/types";

function delta(offset: number, text: string, reset = false): Delta {
  return { turn_id: "t", persona_id: "p", offset, text, reset };
}

function assembled(...deltas: Delta[]): string | null {
  let live: Live | undefined;
  for (const one of deltas) {
    const next = withDelta(live, one);
    if (next === null) return null;
    live = next;
  }
  return live?.text ?? "";
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

describe("a reply being worded", () => {
  it("grows piece by piece", () => {
    expect(assembled(delta(0, "Good "), delta(5, "evening."))).toBe("Good evening.");
  });

  it("counts an emoji as one character, as the daemon does", () => {
    expect(assembled(delta(0, "🌱好"), delta(2, "的"))).toBe("🌱好的");
  });

  it("takes only what is new of a piece that overlaps", () => {
    expect(assembled(delta(0, "🌱 one"), delta(2, "one two"))).toBe("🌱 one two");
    expect(assembled(delta(0, "one two"), delta(0, "one"))).toBe("one two");
  });

  it("begins anew with a snapshot", () => {
    expect(assembled(delta(0, "first try"), delta(0, "second", true), delta(6, "!"))).toBe("second!");
  });

  it("says when something is missing", () => {
    expect(assembled(delta(0, "abc"), delta(5, "f"))).toBeNull();
    expect(assembled(delta(3, "d"))).toBeNull();
  });
});

describe("a turn's record", () => {
  it("fills the hole with the draft, and never takes back what was shown", () => {
    expect(withTurn(undefined, turn({ draft: "saved so far" }))?.text).toBe("saved so far");
    const live = withTurn(undefined, turn({ draft: "saved so far, and more" }));
    expect(withTurn(live, turn({ draft: "saved so far" }))?.text).toBe("saved so far, and more");
  });

  it("tells reading from writing, and remembers which message is worded again", () => {
    const open = withTurn(undefined, turn({ state: "open", regenerates: "m" }));
    expect(open).toMatchObject({ phase: "reading", regenerates: "m" });
    expect(withTurn(open, turn({ state: "running" }))).toMatchObject({ phase: "writing", regenerates: "m" });
  });

  it.each(["done", "failed", "stopped"] as const)("ends when the turn is %s", (state) => {
    expect(withTurn(undefined, turn({ state }))).toBeUndefined();
  });
});
