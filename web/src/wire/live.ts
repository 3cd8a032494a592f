/**
 * A reply while it is being worded. The daemon counts characters as Unicode code points; a JavaScript string counts
 * UTF-16 units, where an emoji is two. Pure.
 */
import type { Delta, Turn } from "./types";

export interface Live {
  turn_id: string;
  persona_id: string;
  /** `reading`: the burst is still open. `writing`: a worker holds the turn. */
  phase: "reading" | "writing";
  text: string;
  /** The message this turn words again, if it does. */
  regenerates: string | null;
}

/** Characters as the daemon counts them. */
function characters(text: string): string[] {
  return Array.from(text);
}

/** The reply with one more piece, or `null` when pieces before it are missing. */
export function withDelta(live: Live | undefined, delta: Delta): Live | null {
  const { turn_id, persona_id } = delta;
  const before = live ?? { turn_id, persona_id, phase: "writing", text: "", regenerates: null };
  if (delta.reset) return { ...before, phase: "writing", text: delta.text };
  const held = characters(before.text);
  if (delta.offset > held.length) return null;
  const seen = characters(delta.text).slice(held.length - delta.offset).join("");
  return { ...before, phase: "writing", text: before.text + seen };
}

/** The reply as a turn's record tells it; `undefined` when the turn is over. A draft never takes back what was shown. */
export function withTurn(live: Live | undefined, turn: Turn): Live | undefined {
  if (turn.state !== "open" && turn.state !== "running") return undefined;
  const shown = live?.text ?? "";
  return {
    turn_id: turn.id,
    persona_id: turn.persona_id,
    phase: turn.state === "open" ? "reading" : "writing",
    text: turn.draft.length > shown.length ? turn.draft : shown,
    regenerates: turn.regenerates ?? live?.regenerates ?? null,
  };
}
