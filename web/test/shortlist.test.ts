import { describe, expect, it } from "vitest";
import { shortlist } from "../src/parts/shortlist";

const many = Array.from({ length: 300 }, (_, i) => `model-${i}`);

describe("the models on offer", () => {
  it("are all shown where they are few, also beside a wrong name", () => {
    expect(shortlist(["luna", "sol"], "")).toEqual({ shown: ["luna", "sol"], more: 0 });
    expect(shortlist(["luna", "sol"], "terra").shown).toEqual(["luna", "sol"]);
    expect(shortlist([], "terra")).toEqual({ shown: [], more: 0 });
  });

  it("are narrowed by what is typed", () => {
    expect(shortlist(many, "-29").shown).toEqual(["model-29", ...many.slice(290)]);
    expect(shortlist(["Luna", "sol"], "lu").shown).toEqual(["Luna"]);
  });

  it("hold the chosen one, however many there are", () => {
    const { shown, more } = shortlist(many, "model-250");
    expect(shown[0]).toBe("model-250");
    expect(shown.length + more).toBe(300);
  });
});
