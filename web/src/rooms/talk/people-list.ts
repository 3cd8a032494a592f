/** The personas at the side: in which order, and what tells those of one name apart. Pure. */
import type { Persona } from "../../wire/types";

/** Whoever was made first comes first: the list stays as one knows it. */
export function inOrder(personas: readonly Persona[]): Persona[] {
  return [...personas].sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || (a.id < b.id ? -1 : 1));
}

/** Whether the day it was made must be told: name and tagline are also another's. */
export function needsItsDay(one: Persona, all: readonly Persona[]): boolean {
  return all.some((other) => other.id !== one.id && other.name === one.name && other.tagline === one.tagline);
}
