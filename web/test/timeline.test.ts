import { describe, expect, it } from "vitest";
import { lastReply, nothing, withMessage, withNewer, withOlder, without, type Timeline } from "../src/rooms/talk/timeline";
import type { Message } from "../src/wire/types";

function said(minute: number, change: Partial<Message> = {}): Message {
  const at = `2026-11-30T10:${String(minute).padStart(2, "0")}:00.000Z`;
  return {
    id: `m${String(minute).padStart(2, "0")}`,
    persona_id: "p",
    speaker: "user",
    text: `at ${minute}`,
    state: "complete",
    sent_at: at,
    zone: "Asia/Shanghai",
    turn_id: null,
    channel: "page",
    client_id: null,
    made_by: "user",
    text_id: `x${minute}`,
    variants: [],
    edited: false,
    trouble: null,
    ...change,
  };
}

function ids(timeline: Timeline): string[] {
  return timeline.messages.map((message) => message.id);
}

const now = withOlder(nothing, [said(30), said(20)], false);

describe("the timeline", () => {
  it("puts pages, which come newest first, in the order of talk", () => {
    expect(ids(withOlder(now, [said(15), said(10)], true))).toEqual(["m10", "m15", "m20", "m30"]);
  });

  it("shows nothing twice where pages overlap", () => {
    expect(ids(withOlder(now, [said(20), said(10)], true))).toEqual(["m10", "m20", "m30"]);
  });

  it("takes a new message at its end, and a changed one in its place", () => {
    const more = withMessage(now, said(40, { speaker: "persona" }));
    expect(ids(more)).toEqual(["m20", "m30", "m40"]);
    expect(withMessage(more, said(30, { text: "changed" })).messages[1]?.text).toBe("changed");
  });

  it("leaves out what was said elsewhere in time", () => {
    const old: Timeline = { messages: [said(20), said(30)], fromBeginning: false, upToNow: false };
    expect(ids(withMessage(old, said(40)))).toEqual(["m20", "m30"]);
    expect(ids(withMessage(now, said(5)))).toEqual(["m20", "m30"]);
    expect(ids(withMessage(now, said(25)))).toEqual(["m20", "m25", "m30"]);
  });

  it("drops what was deleted", () => {
    expect(ids(without(now, "m20"))).toEqual(["m30"]);
    expect(ids(withMessage(now, said(20, { state: "deleted", text: "" })))).toEqual(["m30"]);
  });

  it("goes down from an old message until it reaches the present", () => {
    const alone: Timeline = { messages: [said(10)], fromBeginning: false, upToNow: false };
    const further = withNewer(alone, [said(20), said(15)], false);
    expect(ids(further)).toEqual(["m10", "m15", "m20"]);
    expect(withNewer(further, [said(30)], true).upToNow).toBe(true);
  });

  it("knows the reply that may be worded again", () => {
    expect(lastReply(now)).toBeNull();
    const answered = withMessage(now, said(40, { speaker: "persona" }));
    expect(lastReply(answered)?.id).toBe("m40");
    expect(lastReply({ ...answered, upToNow: false })).toBeNull();
  });
});
