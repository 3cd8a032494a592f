import { describe, expect, it } from "vitest";
import { blocks, plainText, type Line } from "../src/parts/markup";

const MARKS = { plain: ["", ""], emphasis: ["<", ">"], strong: ["<<", ">>"], code: ["[", "]"] } as const;
const told = (line: Line): string => line.map((s) => MARKS[s.kind][0] + s.text + MARKS[s.kind][1]).join("");
const line = (text: string): string => told(blocks(text)[0]?.lines[0] ?? []);
const shape = (text: string): string[] =>
  blocks(text).map((b) => `${b.kind}${b.kind === "list" && b.from !== null ? b.from : ""}: ${b.lines.map(told).join(" / ")}`);

describe("markup", () => {
  it("makes paragraphs and lines", () => {
    expect(shape("a\nb\r\n\r\n\n\nc\n")).toEqual(["paragraph: a / b", "paragraph: c"]);
    expect(blocks("")).toEqual([]);
    expect(blocks("\n \n")).toEqual([]);
  });

  it("knows emphasis, weight and code, in both languages", () => {
    expect(line("*smiles* Good **evening**.")).toBe("<smiles> Good <<evening>>.");
    expect(line("*笑了笑*晚上好，**真的**。")).toBe("<笑了笑>晚上好，<<真的>>。");
    expect(line("*a*")).toBe("<a>");
    expect(line("在 `[llm]` 下写 `base_url`")).toBe("在 [[llm]] 下写 [base_url]");
    expect(line("`a * b * c` *d*")).toBe("[a * b * c] <d>");
  });

  it("knows simple lists, and where their numbers begin", () => {
    expect(shape("First:\n1. Unplug it.\n2. Look at the *cord*.\n\n3. Wait.")).toEqual([
      "paragraph: First:",
      "list1: Unplug it. / Look at the <cord>.",
      "list3: Wait.",
    ]);
    expect(shape("- 一\n  - 二\n1. 三")).toEqual(["list: 一 / 二", "list1: 三"]);
  });

  it("knows quotes", () => {
    expect(shape("> Never hit\n> a radio **twice**.\nHe said so.")).toEqual([
      "quote: Never hit / a radio <<twice>>.",
      "paragraph: He said so.",
    ]);
  });

  it("leaves marks that mark nothing", () => {
    const marks = ["2 * 3 * 4", "**", "*", "a*", "* item", "*open", "** bold **", "`", "``", "`open", "-5 °C", "- ", "1.5", "a > b", "1984. "];
    for (const text of marks) expect(shape(text)).toEqual([`paragraph: ${text}`]);
  });

  it("leaves anything like HTML as the text it is", () => {
    expect(line('<img src=x onerror="alert(1)">')).toBe('<img src=x onerror="alert(1)">');
  });

  it("gives the words alone", () => {
    expect(plainText("*smiles*\n\n> **Never** twice\n- `EM-84`")).toBe("smiles\nNever twice\nEM-84");
  });

  it.each(["*a", "**a", "`a*", "*a ", "`", "*", "> ", "- a\n", "1. *\n", "a\n\n", " ", "** "])(
    "is quick on 100,000 characters of %j",
    (piece) => {
      const hostile = [piece.repeat(100_000 / piece.length), `*${piece.repeat(50_000)}`.slice(0, 100_000), `\`**${" ".repeat(99_997)}`];
      const begun = performance.now();
      for (const text of hostile) blocks(text);
      expect(performance.now() - begun).toBeLessThan(500);
    },
  );
});
