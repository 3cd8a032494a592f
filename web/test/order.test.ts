import { describe, expect, it } from "vitest";
import { joined, kept, moved, orderOf, without } from "../src/rooms/settings/order";
import type { Settings } from "../src/wire/types";

function settings(profile: string, fallback: string[], names: string[], own = true): Settings {
  const profiles = Object.fromEntries(names.map((name) => [name, {}]));
  return { llm: { profile, fallback, speaks: own ? "openai" : null }, profiles } as unknown as Settings;
}

describe("the order of connections", () => {
  it("begins with the one that speaks; what is not asked comes after", () => {
    expect(orderOf(settings("", ["b"], ["a", "b"]))).toEqual({ used: ["", "b"], unused: ["a"] });
    expect(orderOf(settings("a", ["b"], ["a", "b"]))).toEqual({ used: ["a", "b"], unused: [""] });
  });

  it("knows nothing of a connection that names no model", () => {
    expect(orderOf(settings("", ["a"], ["a"], false))).toEqual({ used: ["a"], unused: [] });
  });

  it("moves one place, and keeps what can only stand first from standing elsewhere", () => {
    expect(moved(["a", "b", "c"], 2, -1)).toEqual(["a", "c", "b"]);
    expect(moved(["a", "b"], 0, 1)).toEqual(["b", "a"]);
    expect(moved(["", "a", "b"], 0, 1)).toEqual(["a", "b"]);
    expect(moved(["", "a"], 1, -1)).toEqual(["a"]);
  });

  it("takes in at the end, or at the front where there is no other place", () => {
    expect(joined(["a"], "b")).toEqual(["a", "b"]);
    expect(joined(["a"], "")).toEqual(["", "a"]);
    expect(without(["a", "b"], "a")).toEqual(["b"]);
  });

  it("is kept as who speaks and who steps in", () => {
    expect(kept(["", "a"])).toEqual({ profile: "", fallback: ["a"] });
    expect(kept(["a", "b"])).toEqual({ profile: "a", fallback: ["b"] });
    expect(kept([])).toEqual({ profile: "", fallback: [] });
  });
});
