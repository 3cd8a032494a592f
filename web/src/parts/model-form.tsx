import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { refreshStatus } from "../session";
import { api } from "../wire/api";
import type { LlmTest, LlmTested, Settings } from "../wire/types";
import { words } from "../words";
import { Button } from "./button";
import { TextField } from "./field";
import { Note, TroubleNote } from "./note";
import { useAttempt } from "./problem";

/** Where programs that serve a model on this computer listen when nobody told them otherwise. */
const LOCAL: readonly (readonly [string, string])[] = [
  ["Ollama", "http://localhost:11434/v1"],
  ["LM Studio", "http://localhost:1234/v1"],
  ["llama.cpp", "http://localhost:8080/v1"],
];

/** Connecting a model: address, name and key, with a test that says what the endpoint said. */
export function ModelForm({ onSaved }: { onSaved(): void }): VNode {
  const w = words.value;
  const [address, setAddress] = useState("");
  const [model, setModel] = useState("");
  const [key, setKey] = useState("");
  const [keyKept, setKeyKept] = useState(false);
  const [answer, setAnswer] = useState<LlmTested | null>(null);
  const load = useAttempt();
  const test = useAttempt();
  const save = useAttempt();

  function show({ llm }: Settings): void {
    setAddress(llm.base_url);
    setModel(llm.model);
    setKey("");
    setKeyKept(llm.api_key_set);
  }
  useEffect(() => void load.run(async () => show(await api.settings())), []);

  const filled = address.trim() !== "" && model.trim() !== "";
  const given: LlmTest = { base_url: address.trim(), model: model.trim(), ...(key === "" ? {} : { api_key: key }) };

  async function ask(): Promise<void> {
    setAnswer(null);
    await test.run(async () => setAnswer(await api.testModel(given)));
  }
  async function keep(event: Event): Promise<void> {
    event.preventDefault();
    const kept = await save.run(async () => {
      show(await api.changeSettings({ llm: given }));
      await refreshStatus();
    });
    if (kept) onSaved();
  }

  const trouble = load.trouble ?? test.trouble ?? save.trouble;
  return (
    <form class="model-form" onSubmit={(event) => void keep(event)}>
      <TextField label={w.model.baseUrl} hint={w.model.baseUrlHint} type="url" value={address} required onText={setAddress} />
      <p class="presets">
        <span>{w.model.onThisComputer}</span>
        {LOCAL.map(([name, url]) => (
          <button key={name} type="button" class="chip" onClick={() => setAddress(url)}>
            {name}
          </button>
        ))}
      </p>
      <TextField
        label={w.model.model}
        hint={w.model.modelHint}
        value={model}
        required
        suggestions={answer?.models ?? []}
        onText={setModel}
      />
      <TextField
        label={w.model.key}
        hint={keyKept ? w.model.keyKept : w.model.keyHint}
        type="password"
        value={key}
        onText={setKey}
      />
      {trouble !== null && <TroubleNote said={trouble} />}
      {answer !== null && <Answer answer={answer} onPick={setModel} />}
      <div class="row">
        <Button look="main" type="submit" disabled={!filled || save.busy}>
          {w.model.connect}
        </Button>
        <Button disabled={!filled || test.busy} onClick={() => void ask()}>
          {test.busy ? w.model.testing : w.model.test}
        </Button>
      </div>
      <p class="hint">{w.model.privacy}</p>
    </form>
  );
}

function Answer({ answer, onPick }: { answer: LlmTested; onPick(model: string): void }): VNode {
  const w = words.value.model;
  const others = answer.models.filter((name) => name !== answer.model).slice(0, 8);
  return (
    <Note tone="good" icon="check" role="status">
      <p>{w.answered(answer.model, answer.first_token_s.toFixed(1))}</p>
      {others.length > 0 && (
        <p class="presets">
          <span>{w.otherModels}</span>
          {others.map((name) => (
            <button key={name} type="button" class="chip" onClick={() => onPick(name)}>
              {name}
            </button>
          ))}
        </p>
      )}
    </Note>
  );
}
