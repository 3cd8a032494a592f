/** Who speaks in a message. Pure. */
import type { Message, Status } from "../../wire/types";

/** `keeper` and `care` are the house speaking in the persona's place; they must never be taken for it. */
export type Voice = "user" | "persona" | "keeper" | "care";

export function voiceOf(message: Message): Voice {
  if (message.speaker === "user") return "user";
  if (message.made_by.startsWith("keeper@")) return "keeper";
  return message.made_by.startsWith("care@") ? "care" : "persona";
}

/** The model that worded it, where that is not the one that speaks: another stepped in, or spoke before. Else null. */
export function otherModel(message: Message, speaking: Status["model"]): string | null {
  const [, model] = /^\S+ (.+)$/u.exec(message.made_by) ?? [];
  const own = speaking.model || speaking.file.replace(/^.*[\\/]/u, "").replace(/\.[^.]+$/u, "");
  return voiceOf(message) !== "persona" || model === undefined || !speaking.connected || model === own ? null : model;
}
