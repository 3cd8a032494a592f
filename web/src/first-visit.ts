/** What the browser knows of the person, for a vessel that does not know it yet. Pure. */
import type { Me, MeChange } from "./wire/types";

/** What a machine says that was never told where it stands. */
const NOWHERE: ReadonlySet<string> = new Set(["UTC", "Etc/UTC", "Etc/UCT", "UCT", "GMT", "Etc/GMT", "Etc/Universal", "Universal", "Zulu"]);

export interface Browser {
  zone: string;
  locale: "zh" | "en";
}

/**
 * The language as long as nobody is there to talk to; the zone, once, where the machine's is only UTC. Whoever
 * chooses UTC by hand has been here before.
 */
export function introduction(me: Me, browser: Browser, visit: { first: boolean; nobodyThere: boolean }): MeChange | null {
  const zone = visit.first && NOWHERE.has(me.zone) && !NOWHERE.has(browser.zone) ? { zone: browser.zone } : {};
  const locale = visit.nobodyThere && me.locale !== browser.locale ? { locale: browser.locale } : {};
  const change = { ...zone, ...locale };
  return Object.keys(change).length === 0 ? null : change;
}
