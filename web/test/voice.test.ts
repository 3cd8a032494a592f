import { describe, expect, it } from "vitest";
import { otherModel } from "../src/rooms/talk/voice";
import type { Message, Status } from "../src/wire/types";

const speaking: Status["model"] = { connected: true, profile: "", base_url: "http://x/v1", file: "", model: "big", fallback: ["evening"] };
const made = (made_by: string, speaker: Message["speaker"] = "persona"): Message => ({ made_by, speaker }) as Message;

describe("who worded a message", () => {
  it("is told where another model stepped in", () => {
    expect(otherModel(made("reply/v1 small one"), speaking)).toBe("small one");
    expect(otherModel(made("reply/v1 big"), speaking)).toBeNull();
  });

  it("is known of a model file by its name", () => {
    const file = { ...speaking, model: "", file: "/models/Small-1.5.gguf" };
    expect(otherModel(made("reply/v1 Small-1.5"), file)).toBeNull();
    expect(otherModel(made("reply/v1 big"), file)).toBe("big");
  });

  it("is nobody for what no model said", () => {
    const others = [made("card"), made("edit"), made("keeper@1"), made("user", "user")];
    expect(others.map((one) => otherModel(one, speaking))).toEqual([null, null, null, null]);
    expect(otherModel(made("reply/v1 small"), { ...speaking, connected: false })).toBeNull();
  });
});
