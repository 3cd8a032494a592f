import { describe, expect, it } from "vitest";
import { ownWords, withLabels } from "../src/words/problems";
import { problems as en } from "../src/words/en-problems";
import { problems as zh } from "../src/words/zh-problems";
import { spaced } from "../src/words/spaced";

const bad = (message: string, field: string) => ({ code: "bad-input", message, remedy: "", field });

describe("what went wrong", () => {
  it("is told by the sentence, else by the field, else by the code", () => {
    const card = bad("This is a picture without a character card.", "file");
    expect(ownWords(card, zh)).toMatchObject({ said: { message: "这张图片里没有角色卡。" }, byCode: false });
    expect(ownWords(bad("`llm.base_url` is not an address we can call.", "llm.base_url"), zh)?.said.message).toBe("这个地址不能用。");
    expect(ownWords(bad("Something new.", "elsewhere"), zh)).toMatchObject({ byCode: true });
    expect(ownWords(bad("Something new.", "elsewhere"), en)).toBeNull();
    expect(ownWords({ code: "conflict", message: "", remedy: "", field: "name" }, zh)?.said).toBe(zh.codes["conflict"]);
  });

  it("calls settings as the page calls them", () => {
    expect(withLabels("`name` is longer than 100 characters.", en.labels)).toBe("The name is longer than 100 characters.");
    expect(withLabels("Check llm.base_url: it ends in /v1.", en.labels)).toBe("Check the address: it ends in /v1.");
    expect(withLabels("Check profiles.evening.file.", en.labels)).toBe("Check “Model file”.");
    expect(withLabels("profiles.夜里.base_url is none.", zh.labels)).toBe("地址 is none.");
    expect(withLabels("turn.debounce_s is too long.", en.labels)).toBe("turn.debounce_s is too long.");
    expect(withLabels("`k` is too small. Raise llm.idle_timeout_s.", en.labels)).toBe("K is too small. Raise llm.idle_timeout_s.");
  });

  it("has a remedy for everything", () => {
    const all = [en, zh].flatMap((one) => [...Object.values(one.codes), ...Object.values(one.fields), ...one.sentences.map(([, said]) => said)]);
    expect(all.filter((said) => said.message === "" || said.remedy === "")).toEqual([]);
  });
});

describe("a sentence put together", () => {
  it("has a space between Han and Latin, and only there", () => {
    const to = (name: string): string => spaced`写给${name}的信`;
    expect(to("Ines Farrow")).toBe("写给 Ines Farrow 的信");
    expect(to("若木")).toBe("写给若木的信");
    expect(to("《Ida》")).toBe("写给《Ida》的信");
    expect(spaced`找到 ${3} 条`).toBe("找到 3 条");
  });
});
