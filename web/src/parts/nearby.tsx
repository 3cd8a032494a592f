import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { status } from "../session";
import { api } from "../wire/api";
import type { NearbyServer } from "../wire/types";
import { words } from "../words";
import { useAttempt } from "./problem";

/** As many of one program's models as are shown; all of them stand below once it was chosen. */
const SHOWN = 4;

/** Models that run on this computer, each connected to with one click. */
export function Nearby(props: { address: string; model: string; onPick(address: string, model: string): void }): VNode {
  const w = words.value.model;
  const [found, setFound] = useState<readonly NearbyServer[] | null>(null);
  const look = useAttempt();
  const search = (): void => void look.run(async () => setFound((await api.nearby()).items));
  useEffect(search, []);

  if (look.busy || (found === null && look.trouble === null)) return <p class="hint" role="status">{w.looking}</p>;
  const none = found === null || found.length === 0;
  // It is looked for at the usual ports alone: what is connected may well run here all the same.
  const connected = status.value?.model.connected === true;
  return (
    <div class="nearby">
      <p class="presets">
        {none && !connected && <span>{w.nothingNearby}</span>}
        {!none && <span>{w.onThisComputer}</span>}
        <button type="button" class="chip" onClick={search}>{none && connected ? w.lookHere : w.lookAgain}</button>
      </p>
      {found?.map((server) => (
        <p key={server.base_url} class="presets">
          <strong>{server.program}</strong>
          {server.models.length === 0 && <span>{w.noModelYet}</span>}
          {server.models.slice(0, SHOWN).map(({ name }) => (
            <button
              key={name}
              type="button"
              class="chip"
              aria-pressed={server.base_url === props.address && name === props.model}
              onClick={() => props.onPick(server.base_url, name)}
            >
              {name}
            </button>
          ))}
        </p>
      ))}
    </div>
  );
}
