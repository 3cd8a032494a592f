import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { FreshTrouble, Note } from "../../parts/note";
import { useAttempt } from "../../parts/problem";
import { refreshStatus, status } from "../../session";
import { api } from "../../wire/api";
import type { Settings } from "../../wire/types";
import { words } from "../../words";
import { Connections } from "./connections";

/** What personas think with: whether it is connected, and how. */
export function ModelSection(): VNode {
  const w = words.value;
  const model = status.value?.model;
  const [settings, setSettings] = useState<Settings | null>(null);
  const [round, setRound] = useState(0);
  const ask = useAttempt();
  useEffect(() => void ask.run(async () => setSettings(await api.settings())), []);

  async function disconnect(): Promise<void> {
    await ask.run(async () => {
      const nothing = { kind: "auto", base_url: "", file: "" } as const;
      setSettings(await api.changeSettings({ llm: { ...nothing, profile: "", fallback: [] } }));
      await refreshStatus();
      setRound((n) => n + 1);
    });
  }
  const connected = model?.connected === true;
  return (
    <section>
      <h2>{w.settings.model}</h2>
      <Note tone="plain" icon="vessel">
        <p>{connected ? w.model.connected(model.model || model.file) : w.model.none}</p>
        {connected && (
          <Button look="quiet" disabled={ask.busy} onClick={() => void disconnect()}>
            {w.model.disconnect}
          </Button>
        )}
      </Note>
      {ask.trouble !== null && <FreshTrouble said={ask.trouble} />}
      {settings !== null && <Connections key={round} settings={settings} onChanged={setSettings} />}
    </section>
  );
}
