import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useArrival } from "../../parts/arrival";
import { Avatar } from "../../parts/avatar";
import { Button } from "../../parts/button";
import { Choice, LongField, TextField } from "../../parts/field";
import { FreshTrouble } from "../../parts/note";
import { useAttempt } from "../../parts/problem";
import { api } from "../../wire/api";
import type { Kind, NewPersona, Persona } from "../../wire/types";
import { locale, words, type Locale } from "../../words";

const KINDS: readonly Kind[] = ["original", "fictional", "self", "authorised", "memorial", "creative", "research"];
/** Kinds that stand for a real person: the daemon wants to know on what grounds. */
const REAL: ReadonlySet<Kind> = new Set(["self", "authorised", "memorial"]);

type Draft = Required<Omit<NewPersona, "greetings">> & { greeting: string };

/** Making a persona by hand; only the name is needed. */
export function MakeForm({ onMade }: { onMade(who: Persona): void }): VNode {
  const w = words.value.make;
  const heading = useArrival();
  const make = useAttempt();
  const [draft, setDraft] = useState<Draft>({
    name: "",
    locale: locale.value,
    kind: "original",
    basis: "",
    about: "",
    style: "",
    examples: "",
    greeting: "",
  });
  const set = (change: Partial<Draft>): void => setDraft((before) => ({ ...before, ...change }));

  function submit(event: Event): void {
    event.preventDefault();
    const { greeting, ...rest } = draft;
    const greetings = greeting.trim() === "" ? [] : [greeting.trim()];
    void make.run(async () => onMade(await api.makePersona({ ...rest, greetings })));
  }

  return (
    <form class="sheet-like" onSubmit={submit}>
      <div class="make-head">
        <Avatar name={draft.name} size="l" />
        <h1 ref={heading} tabIndex={-1}>{w.title}</h1>
      </div>
      <TextField label={w.name} hint={w.nameHint} value={draft.name} required onText={(name) => set({ name })} />
      <LongField label={w.about} hint={w.aboutHint} rows={5} value={draft.about} onText={(about) => set({ about })} />
      <LongField label={w.style} hint={w.styleHint} value={draft.style} onText={(style) => set({ style })} />
      <LongField label={w.greeting} hint={w.greetingHint} rows={2} value={draft.greeting} onText={(greeting) => set({ greeting })} />
      <details open={REAL.has(draft.kind) || undefined}>
        <summary>{w.more}</summary>
        <LongField label={w.examples} hint={w.examplesHint} value={draft.examples} onText={(examples) => set({ examples })} />
        <Choice<Locale>
          label={w.language}
          value={draft.locale}
          options={[["zh", "中文"], ["en", "English"]]}
          onChoose={(chosen) => set({ locale: chosen })}
        />
        <Choice<Kind>
          label={w.kind}
          value={draft.kind}
          options={KINDS.map((kind) => [kind, w.kinds[kind]] as const)}
          onChoose={(kind) => set({ kind })}
        />
        {REAL.has(draft.kind) && (
          <LongField label={w.basis} hint={w.basisHint} rows={2} value={draft.basis} onText={(basis) => set({ basis })} />
        )}
      </details>
      {make.trouble !== null && <FreshTrouble said={make.trouble} />}
      <Button look="main" type="submit" disabled={draft.name.trim() === "" || make.busy}>
        {w.submit}
      </Button>
    </form>
  );
}
