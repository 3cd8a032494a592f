import { describe, expect, it } from "vitest";
import { changesOf, held } from "../src/rooms/persona/draft";
import type { CoreBlock, Persona } from "../src/wire/types";

const persona = { id: "p", name: "Mara", tagline: "" } as Persona;
const about: CoreBlock = { label: "persona", text: "Keeps the light.", revision: 3, by: "card", at: "2026-11-30T10:00:00.000Z" };
const blocks = [about, { ...about, label: "user", text: "not the persona's" } as CoreBlock];

describe("the persona's sheet", () => {
  it("opens with what is kept", () => {
    expect(held(persona, blocks)).toEqual({ name: "Mara", tagline: "", persona: "Keeps the light.", style: "" });
  });

  it("sends only what differs, over the revision it was written on", () => {
    const draft = held(persona, blocks);
    expect(changesOf(draft, persona, blocks)).toEqual({ persona: null, blocks: [] });
    const changed = { ...draft, tagline: " By the sea ", persona: "Kept the light.", style: "Short." };
    expect(changesOf(changed, persona, blocks)).toEqual({
      persona: { tagline: "By the sea" },
      blocks: [
        { label: "persona", text: "Kept the light.", base_revision: 3 },
        { label: "style", text: "Short.", base_revision: 0 },
      ],
    });
  });
});
