import { describe, expect, it } from "vitest";
import { snippet } from "../src/rooms/talk/snippet";

const shown = (text: string, query: string): string =>
  snippet(text, query)
    .map((piece) => (piece.marked ? `[${piece.text}]` : piece.text))
    .join("");

describe("a snippet", () => {
  it("marks every word, whatever its case", () => {
    expect(shown("The Monstera is alive. Monstera!", "monstera alive")).toBe("The [Monstera] is [alive]. [Monstera]!");
  });

  it("marks Chinese, whole or by its pairs of characters", () => {
    expect(shown("那盆龟背竹救活了", "龟背竹")).toBe("那盆[龟背竹]救活了");
    expect(shown("龟背长得好，竹也好", "龟背竹")).toBe("[龟背]长得好，竹也好");
  });

  it("shows the part where it was found, without splitting a character", () => {
    const text = `${"🌱".repeat(60)} here ${"🌿".repeat(90)}`;
    const cut = shown(text, "here");
    expect(cut).toMatch(/^… 🌱+ \[here\] 🌿+ …$/u);
  });

  it("shows the beginning where nothing is marked", () => {
    expect(shown("He ran home.", "running")).toBe("He ran home.");
  });
});
