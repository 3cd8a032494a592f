import type { VNode } from "preact";
import { words } from "../words";
import { shortlist } from "./shortlist";

/** What an endpoint offers, to be chosen with a click. */
export function Models(props: { offered: readonly string[]; chosen: string; onPick(model: string): void }): VNode | null {
  const w = words.value.model;
  const { shown, more } = shortlist(props.offered, props.chosen);
  if (shown.length === 0) return null;
  return (
    <p class="presets">
      <span>{w.offers}</span>
      {shown.map((name) => (
        <button key={name} type="button" class="chip" aria-pressed={name === props.chosen} onClick={() => props.onPick(name)}>
          {name}
        </button>
      ))}
      {more > 0 && <span>{w.moreOffered(String(more))}</span>}
    </p>
  );
}
