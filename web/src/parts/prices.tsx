import type { VNode } from "preact";
import { words } from "../words";
import type { Connection } from "./connection";
import { TextField } from "./field";

/** What a connection's words cost, for the sum of the day and its cap. */
export function Prices({ line }: { line: Connection }): VNode {
  const w = words.value.usage;
  return (
    <details>
      <summary>{w.prices}</summary>
      <p class="hint">{w.pricesHint}</p>
      <TextField label={w.priceIn} keyboard="decimal" value={line.priceIn} onText={(priceIn) => line.setPrice({ priceIn })} />
      <TextField label={w.priceOut} keyboard="decimal" value={line.priceOut} onText={(priceOut) => line.setPrice({ priceOut })} />
      <TextField
        label={w.priceCached}
        hint={w.priceCachedHint}
        keyboard="decimal"
        value={line.priceCached}
        onText={(priceCached) => line.setPrice({ priceCached })}
      />
    </details>
  );
}
