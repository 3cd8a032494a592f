/** Who speaks in a message. Pure. */
import type { Message } from "../../wire/types";

/** `keeper` and `care` are the house speaking in the persona's place; they must never be taken for it. */
export type Voice = "user" | "persona" | "keeper" | "care";

export function voiceOf(message: Message): Voice {
  if (message.speaker === "user") return "user";
  if (message.made_by.startsWith("keeper@")) return "keeper";
  return message.made_by.startsWith("care@") ? "care" : "persona";
}
