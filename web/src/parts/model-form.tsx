import type { VNode } from "preact";
import type { LlmTested } from "../wire/types";
import { words } from "../words";
import { Button } from "./button";
import { useConnection } from "./connection";
import { TextField } from "./field";
import { Models } from "./models";
import { FreshTrouble, Note } from "./note";

/** Where programs that serve a model on this computer listen when nobody told them otherwise. */
const LOCAL: readonly (readonly [string, string])[] = [
  ["Ollama", "http://localhost:11434/v1"],
  ["LM Studio", "http://localhost:1234/v1"],
  ["llama.cpp", "http://localhost:8080/v1"],
];

/** Connecting a model: address, name and key, with a test that says what the endpoint said. An address is enough to test. */
export function ModelForm({ onSaved }: { onSaved(): void }): VNode {
  const w = words.value.model;
  const line = useConnection();
  const chosen = line.model.trim();
  const missing = line.address.trim() === "" ? w.needsAddress : chosen === "" ? w.needsModel : "";

  async function keep(event: Event): Promise<void> {
    event.preventDefault();
    if (await line.save()) onSaved();
  }

  return (
    <form class="model-form" onSubmit={(event) => void keep(event)}>
      <TextField
        label={w.baseUrl}
        hint={w.baseUrlHint}
        keyboard="url"
        value={line.address}
        required
        trouble={line.addressTrouble}
        onText={line.goTo}
      />
      <p class="presets">
        <span>{w.onThisComputer}</span>
        {LOCAL.map(([name, url]) => (
          <button key={name} type="button" class="chip" onClick={() => line.goTo(url)}>
            {name}
          </button>
        ))}
      </p>
      <TextField label={w.model} hint={w.modelHint} value={line.model} suggestions={line.offered} onText={line.setModel} />
      <Models offered={line.offered} chosen={chosen} onPick={line.setModel} />
      <TextField
        label={w.key}
        hint={line.keyKept ? w.keyKept : w.keyHint}
        type="password"
        value={line.key}
        onText={line.setKey}
      />
      {line.trouble !== null && <FreshTrouble said={line.trouble} />}
      {line.answer !== null && <Answer answer={line.answer} />}
      <div class="row">
        <Button look="main" type="submit" disabled={missing !== "" || line.saving}>
          {w.connect}
        </Button>
        <Button disabled={line.address.trim() === "" || line.testing} onClick={() => void line.test()}>
          {line.testing ? w.testing : w.test}
        </Button>
        <span class="hint" role="status">{missing}</span>
      </div>
      <p class="hint">{w.privacy}</p>
    </form>
  );
}

function Answer({ answer }: { answer: LlmTested }): VNode {
  const w = words.value.model;
  const { model, first_token_s } = answer;
  return (
    <Note tone="good" icon="check" role="status">
      <p>{first_token_s === null ? w.listed : w.answered(model, first_token_s.toFixed(1))}</p>
    </Note>
  );
}
