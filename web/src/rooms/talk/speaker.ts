/** What the one who speaks in a message is called. The program's own words never stand under the persona's name. */
import type { Message, Persona } from "../../wire/types";
import { words } from "../../words";
import { voiceOf } from "./voice";

export function speakerOf(message: Message, persona: Persona): string {
  const w = words.value.talk;
  switch (voiceOf(message)) {
    case "user":
      return w.you;
    case "persona":
      return persona.name;
    case "keeper":
      return w.fromKeeper(persona.name);
    case "care":
      return w.fromCare(persona.name);
  }
}
