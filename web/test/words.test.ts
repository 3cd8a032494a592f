import { describe, expect, it } from "vitest";
import { en } from "../src/words/en";
import { zh } from "../src/words/zh";

/** Every word with its path; functions are told something they can be seen to use. */
function said(words: object, path = ""): [string, string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] => {
    const here = path === "" ? key : `${path}.${key}`;
    if (typeof value === "string") return [[here, value]];
    if (typeof value === "function") return [[here, String((value as (...a: string[]) => string)("‹told›", ""))]];
    return here === "problems" ? [] : said(value as object, here);
  });
}

describe("words", () => {
  it("are there in both languages, and none is empty", () => {
    expect(said(zh).map(([path]) => path)).toEqual(said(en).map(([path]) => path));
    expect([...said(en), ...said(zh)].filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  it("use what they are told in both languages", () => {
    const told = (words: object): string[] => said(words).map(([path, text]) => `${path} ${text.includes("‹told›")}`);
    expect(told(zh)).toEqual(told(en));
  });

  it("are Chinese in Chinese: full-width marks beside Chinese characters", () => {
    const half = said(zh).filter(([, text]) => /\p{Script=Han}[,:;!?()]|[,:;!?()]\p{Script=Han}/u.test(text));
    expect(half).toEqual([]);
  });

  it("are translated", () => {
    const same = said(zh).filter(([path, text]) => said(en).some(([p, t]) => p === path && t === text));
    expect(same).toEqual([]);
  });
});
