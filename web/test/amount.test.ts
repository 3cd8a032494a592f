import { describe, expect, it } from "vitest";
import { amountOf, isAmount, written } from "../src/parts/amount";

describe("an amount in a field", () => {
  it("is read", () => {
    expect([amountOf("0.5"), amountOf(" 12 "), amountOf(".25")]).toEqual([0.5, 12, 0.25]);
  });

  it("is refused where it is none", () => {
    expect(["-1", "1e9", "a", "1.2.3", "1,000"].map(amountOf)).toEqual([null, null, null, null, null]);
    expect([isAmount(""), isAmount(" "), isAmount("3"), isAmount("much")]).toEqual([true, true, true, false]);
  });

  it("stands there as it was read, and not at all where it is 0 or left out", () => {
    expect([written(0.15), written(0), written(null)]).toEqual(["0.15", "", ""]);
  });
});
