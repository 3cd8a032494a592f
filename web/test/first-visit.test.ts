import { describe, expect, it } from "vitest";
import { introduction } from "../src/first-visit";
import type { Me } from "../src/wire/types";

const me = (change: Partial<Me> = {}): Me => ({ id: "u", name: "", zone: "Etc/UTC", locale: "en", ...change });
const here = { zone: "Asia/Shanghai", locale: "zh" } as const;
const first = { first: true, nobodyThere: true };

describe("the first visit", () => {
  it("tells the browser's zone and language", () => {
    expect(introduction(me(), here, first)).toEqual({ zone: "Asia/Shanghai", locale: "zh" });
  });

  it("leaves a zone that was chosen, and one that it was told before", () => {
    expect(introduction(me({ zone: "Europe/Berlin", locale: "zh" }), here, first)).toBeNull();
    expect(introduction(me({ locale: "zh" }), here, { first: false, nobodyThere: true })).toBeNull();
    expect(introduction(me({ locale: "zh" }), { ...here, zone: "UTC" }, first)).toBeNull();
  });

  it("leaves the language once there is someone to talk to", () => {
    expect(introduction(me(), here, { first: true, nobodyThere: false })).toEqual({ zone: "Asia/Shanghai" });
  });
});
