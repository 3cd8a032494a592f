import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { LongField, TextField } from "../../parts/field";
import { FreshTrouble } from "../../parts/note";
import { useAttempt } from "../../parts/problem";
import { Sheet } from "../../parts/sheet";
import { personaOpen } from "../../session";
import { api } from "../../wire/api";
import type { CoreBlock, Persona } from "../../wire/types";
import { words } from "../../words";
import { changesOf, held, type Draft } from "./draft";

/** Who one talks to: the name, the line in lists, and the two texts that stand in every prompt. */
export function PersonaSheet({ persona }: { persona: Persona }): VNode {
  const w = words.value;
  const [blocks, setBlocks] = useState<readonly CoreBlock[] | null>(null);
  const load = useAttempt();
  useEffect(() => void load.run(async () => setBlocks((await api.coreBlocks(persona.id)).items)), []);
  return (
    <Sheet title={persona.name} onClosed={() => (personaOpen.value = false)}>
      {load.trouble !== null && <FreshTrouble said={load.trouble} />}
      {blocks === null ? load.busy && <p class="hint">{w.common.loading}</p> : <Form persona={persona} blocks={blocks} />}
    </Sheet>
  );
}

function Form(props: { persona: Persona; blocks: readonly CoreBlock[] }): VNode {
  const w = words.value;
  const { persona } = props;
  const [blocks, setBlocks] = useState(props.blocks);
  const [draft, setDraft] = useState<Draft>(() => held(persona, props.blocks));
  const [saved, setSaved] = useState(false);
  const save = useAttempt();
  const changes = changesOf(draft, persona, blocks);
  const set = (change: Partial<Draft>): void => {
    setSaved(false);
    setDraft((before) => ({ ...before, ...change }));
  };

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const well = await save.run(async () => {
      if (changes.persona !== null) await api.changePersona(persona.id, changes.persona);
      for (const { label, text, base_revision } of changes.blocks) {
        const written = await api.writeCoreBlock(persona.id, label, { text, base_revision });
        setBlocks((before) => [...before.filter((one) => one.label !== label), written]);
      }
    });
    setSaved(well);
  }

  const conflict = save.trouble?.code === "conflict" ? { message: w.persona.changed, remedy: w.persona.changedRemedy } : null;
  const nothing = changes.persona === null && changes.blocks.length === 0;
  return (
    <form class="model-form" onSubmit={(event) => void submit(event)}>
      <TextField label={w.persona.name} value={draft.name} required onText={(name) => set({ name })} />
      <TextField label={w.persona.tagline} hint={w.persona.taglineHint} value={draft.tagline} onText={(tagline) => set({ tagline })} />
      <LongField label={w.persona.about} hint={w.persona.aboutHint} rows={12} value={draft.persona} onText={(text) => set({ persona: text })} />
      <LongField label={w.persona.style} hint={w.persona.styleHint} rows={8} value={draft.style} onText={(text) => set({ style: text })} />
      {save.trouble !== null && <FreshTrouble said={conflict ?? save.trouble} />}
      <div class="row">
        <Button look="main" type="submit" disabled={nothing || draft.name.trim() === "" || save.busy}>
          {w.common.save}
        </Button>
        <span class="hint" role="status">{saved && nothing ? w.common.saved : ""}</span>
      </div>
      <p class="hint">
        <a href={api.exportOf(persona.id)} download>{w.persona.export}</a> {w.persona.exportHint}
      </p>
    </form>
  );
}
