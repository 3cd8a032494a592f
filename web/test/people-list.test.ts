import { describe, expect, it } from "vitest";
import { inOrder, needsItsDay } from "../src/rooms/talk/people-list";
import type { Persona } from "../src/wire/types";

const made = (id: string, name: string, day: number, tagline = ""): Persona =>
  ({ id, name, tagline, created_at: `2026-11-0${day}T10:00:00.000Z` }) as Persona;
const [first, second, third, other] = [made("a", "Mira", 1), made("b", "Mira", 3), made("c", "Mira", 2, "Sings"), made("d", "Ida", 2)];
const all = [second, third, other, first];

describe("the personas at the side", () => {
  it("stand in the order in which they were made", () => {
    expect(inOrder(all).map((one) => one.id)).toEqual(["a", "c", "d", "b"]);
  });

  it("tell the day where nothing else tells them apart", () => {
    expect(all.map((one) => needsItsDay(one, all))).toEqual([true, false, false, true]);
  });
});
