import { describe, expect, it } from "vitest";
import { Drafts } from "../src/rooms/talk/drafts";
import { memoryStorage } from "../src/wire/memory-storage";

describe("drafts", () => {
  const shared = memoryStorage();
  const [oneOwn, otherOwn] = [memoryStorage(), memoryStorage()];
  const [one, other] = [new Drafts(oneOwn, shared), new Drafts(otherOwn, shared)];

  it("of two tabs do not fight", () => {
    one.keep("p", "from the first", "");
    other.keep("p", "from the second", "");
    expect(one.of("p")).toBe("from the first");
    expect(other.of("p")).toBe("from the second");

    one.keep("p", "", "from the first");
    expect(new Drafts(oneOwn, shared).of("p")).toBe("");
    expect(new Drafts(otherOwn, shared).of("p")).toBe("from the second");
  });

  it("outlast their tab until they are sent", () => {
    expect(new Drafts(memoryStorage(), shared).of("p")).toBe("from the second");
    other.keep("p", "", "from the second");
    expect(new Drafts(memoryStorage(), shared).of("p")).toBe("");
  });
});
