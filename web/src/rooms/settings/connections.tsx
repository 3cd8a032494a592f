import { Fragment, type VNode } from "preact";
import { useState } from "preact/hooks";
import { Button, IconButton } from "../../parts/button";
import { TextField } from "../../parts/field";
import { ModelForm } from "../../parts/model-form";
import { FreshTrouble } from "../../parts/note";
import { useAttempt } from "../../parts/problem";
import { refreshStatus } from "../../session";
import { api } from "../../wire/api";
import type { ModelSettings, Settings, SettingsChange } from "../../wire/types";
import { words } from "../../words";
import { joined, kept, moved, orderOf, without } from "./order";

/** Stands for the connection that is being added: no name looks like this. */
const NEW = "+";

/** Several connections: who speaks, who steps in, and each one's own settings. */
export function Connections({ settings, onChanged }: { settings: Settings; onChanged(now: Settings): void }): VNode {
  const w = words.value.model;
  const [open, setOpen] = useState<string | null>(null);
  const change = useAttempt();
  const { used, unused } = orderOf(settings);
  const several = Object.keys(settings.profiles).length > 0;

  async function save(next: SettingsChange): Promise<void> {
    await change.run(async () => {
      onChanged(await api.changeSettings(next));
      await refreshStatus();
    });
  }
  const reorder = (next: readonly string[]): Promise<void> => save({ llm: kept(next) });
  async function saved(): Promise<void> {
    setOpen(null);
    await change.run(async () => onChanged(await api.settings()));
  }
  const remove = (name: string): Promise<void> => save({ llm: kept(without(used, name)), profiles: { [name]: null } });

  const addOne = (
    <AddOne
      used={used}
      open={open === NEW}
      onOpen={(adding) => setOpen(adding ? NEW : null)}
      onSaved={() => void saved()}
    />
  );
  if (!several) {
    return (
      <>
        {open !== NEW && <ModelForm profile="" onSaved={() => void saved()} />}
        {addOne}
      </>
    );
  }
  return (
    <>
      <ol class="connections" aria-label={w.order}>
        {[...used, ...unused].map((name) => {
          const place = used.indexOf(name);
          return (
            <Fragment key={name}>
              <li class={place < 0 ? "connection connection-unused" : "connection"}>
                <One name={name} settings={name === "" ? settings.llm : settings.profiles[name]} place={place} />
                {place > 0 && (
                  <IconButton icon="up" label={w.earlier(shown(name))} onClick={() => void reorder(moved(used, place, -1))} />
                )}
                {place >= 0 && place < used.length - 1 && (
                  <IconButton icon="down" label={w.later(shown(name))} onClick={() => void reorder(moved(used, place, 1))} />
                )}
                {place < 0 && <Button onClick={() => void reorder(joined(used, name))}>{w.use}</Button>}
                <IconButton icon="edit" label={w.change(shown(name))} onClick={() => setOpen(open === name ? null : name)} />
                {name !== "" && <IconButton icon="delete" label={w.remove(name)} onClick={() => void remove(name)} />}
              </li>
              {open === name && (
                <li class="connection-open">
                  <h3>{w.change(shown(name))}</h3>
                  <ModelForm profile={name} onSaved={() => void saved()} onCancel={() => setOpen(null)} />
                </li>
              )}
            </Fragment>
          );
        })}
      </ol>
      {change.trouble !== null && <FreshTrouble said={change.trouble} />}
      {addOne}
    </>
  );
}

function shown(name: string): string {
  return name === "" ? words.value.model.own : name;
}

function One({ name, settings, place }: { name: string; settings: ModelSettings | undefined; place: number }): VNode {
  const w = words.value.model;
  const what = settings?.model || settings?.file.replace(/^.*[\\/]/u, "") || settings?.base_url || "";
  return (
    <div class="connection-what">
      <strong>{shown(name)}</strong>
      <span class="hint">{[what, place === 0 ? w.speaks : place > 0 ? w.stepsIn : w.unused].filter(Boolean).join(" · ")}</span>
    </div>
  );
}

function AddOne(props: { used: readonly string[]; open: boolean; onOpen(open: boolean): void; onSaved(): void }): VNode {
  const w = words.value.model;
  const [name, setName] = useState("");
  const asked = name.trim().toLowerCase();
  function saved(): void {
    setName("");
    props.onSaved();
  }
  if (!props.open) {
    return (
      <div class="row">
        <Button icon="plus" onClick={() => props.onOpen(true)}>{w.addOne}</Button>
        <span class="hint">{w.addOneHint}</span>
      </div>
    );
  }
  return (
    <div class="connection-new">
      <TextField label={w.name} hint={w.nameHint} value={name} autofocus onText={setName} />
      <ModelForm
        profile={asked}
        fresh
        along={kept(joined(props.used, asked))}
        lacks={asked === "" ? w.needsName : ""}
        onSaved={saved}
        onCancel={() => props.onOpen(false)}
      />
    </div>
  );
}
