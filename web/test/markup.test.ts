import { describe, expect, it } from "vitest";
import { paragraphs } from "../src/parts/markup";

const line = (text: string): string => {
  const marks = { plain: ["", ""], emphasis: ["<", ">"], strong: ["<<", ">>"] } as const;
  return (paragraphs(text)[0]?.[0] ?? []).map((s) => marks[s.kind][0] + s.text + marks[s.kind][1]).join("");
};

describe("markup", () => {
  it("makes paragraphs and lines", () => {
    expect(paragraphs("a\nb\r\n\r\n\n\nc\n")).toHaveLength(2);
    expect(paragraphs("a\nb\n\nc")[0]).toHaveLength(2);
    expect(paragraphs("")).toEqual([]);
  });

  it("knows emphasis and weight, in both languages", () => {
    expect(line("*smiles* Good **evening**.")).toBe("<smiles> Good <<evening>>.");
    expect(line("*笑了笑*晚上好，**真的**。")).toBe("<笑了笑>晚上好，<<真的>>。");
    expect(line("*a*")).toBe("<a>");
  });

  it("leaves stars that mark nothing", () => {
    for (const text of ["2 * 3 * 4", "**", "*", "a*", "* item", "*open", "** bold **"]) expect(line(text)).toBe(text);
  });

  it("leaves anything like HTML as the text it is", () => {
    expect(line('<img src=x onerror="alert(1)">')).toBe('<img src=x onerror="alert(1)">');
  });

  it("is quick on hostile text", () => {
    const stars = "*a".repeat(20_000);
    const begun = performance.now();
    paragraphs(stars);
    expect(performance.now() - begun).toBeLessThan(500);
  });
});
