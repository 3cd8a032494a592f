/** Which connection speaks, and which step in when it does not answer. Pure. */
import type { Settings } from "../../wire/types";

/** Names of connections; the settings' own one has none, and can only stand first. */
export interface Order {
  used: readonly string[];
  unused: readonly string[];
}

export function orderOf({ llm, profiles }: Settings): Order {
  const used = [llm.profile, ...llm.fallback.filter((name) => name !== llm.profile)];
  const all = [...(llm.speaks === null ? [] : [""]), ...Object.keys(profiles)];
  return { used: used.filter((name) => all.includes(name)), unused: all.filter((name) => !used.includes(name)) };
}

/** One place up (−1) or down (1). */
export function moved(used: readonly string[], at: number, by: -1 | 1): string[] {
  const next = [...used];
  const [one] = next.splice(at, 1);
  if (one !== undefined) next.splice(at + by, 0, one);
  return next.filter((name, place) => name !== "" || place === 0);
}

export function without(used: readonly string[], name: string): string[] {
  return used.filter((one) => one !== name);
}

/** Used last; the settings' own connection, which can only stand first, then speaks. */
export function joined(used: readonly string[], name: string): string[] {
  return name === "" ? ["", ...used] : [...used, name];
}

/** The order as the daemon keeps it. */
export function kept(used: readonly string[]): { profile: string; fallback: string[] } {
  return { profile: used[0] ?? "", fallback: used.slice(1) };
}
