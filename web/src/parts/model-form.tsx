import type { VNode } from "preact";
import type { LlmTested } from "../wire/types";
import { explainTrouble, locale, words } from "../words";
import { Button } from "./button";
import { useConnection, type Connection, type Speaks, type Which } from "./connection";
import { Switch, TextField } from "./field";
import { Models } from "./models";
import { Nearby } from "./nearby";
import { FreshTrouble, Note } from "./note";
import { Prices } from "./prices";

interface Props extends Which {
  /** Why it cannot be saved yet, where that is not to be seen in the form. */
  lacks?: string;
  onSaved(): void;
  onCancel?(): void;
}

/** Connecting a model: what kind it is, where it is, name and key, with a test that tells what it said and how fast. */
export function ModelForm({ lacks, onSaved, onCancel, ...which }: Props): VNode {
  const { common, model: w } = words.value;
  const line = useConnection(which);
  const ofFile = line.speaks === "gguf";
  const missing = lacks ? lacks : line.nowhere ? w.needs[ofFile ? "gguf" : "openai"] : !ofFile && line.model.trim() === "" ? w.needsModel : line.pricesFit ? "" : words.value.usage.noAmount;

  async function keep(event: Event): Promise<void> {
    event.preventDefault();
    if (await line.save()) onSaved();
  }

  return (
    <form class="model-form" onSubmit={(event) => void keep(event)}>
      <Switch<Speaks>
        label={w.kind}
        value={line.speaks}
        options={[["openai", w.kinds.openai], ["anthropic", "Claude"], ["gguf", w.kinds.gguf]]}
        onChoose={line.speak}
      />
      {ofFile ? (
        <TextField label={w.file} hint={w.fileHint} value={line.file} required onText={line.openFile} />
      ) : (
        <Endpoint line={line} />
      )}
      {line.kept && !ofFile && <Prices line={line} />}
      {line.trouble !== null && <FreshTrouble said={line.trouble} />}
      {line.answer !== null && <Answer answer={line.answer} />}
      <div class="row">
        <Button look="main" type="submit" disabled={missing !== "" || line.saving}>
          {line.kept ? common.save : w.connect}
        </Button>
        <Button disabled={line.nowhere || line.testing} onClick={() => void line.test()}>
          {line.testing ? w.testing : w.test}
        </Button>
        {onCancel !== undefined && <Button look="quiet" onClick={onCancel}>{common.cancel}</Button>}
        <span class="hint" role="status">{missing}</span>
      </div>
      <p class="hint">{ofFile ? w.privacyOfFile : w.privacy}</p>
    </form>
  );
}

function Endpoint({ line }: { line: Connection }): VNode {
  const w = words.value.model;
  const claude = line.speaks === "anthropic";
  function pick(address: string, model: string): void {
    line.goTo(address);
    line.setModel(model);
  }
  return (
    <>
      {!claude && <Nearby address={line.address} model={line.model} onPick={pick} />}
      <TextField
        label={w.baseUrl}
        hint={claude ? w.claudeHint : w.baseUrlHint}
        keyboard="url"
        value={line.address}
        required={!claude}
        trouble={line.addressTrouble}
        onText={line.goTo}
      />
      <TextField label={w.model} hint={w.modelHint} value={line.model} suggestions={line.offered} onText={line.setModel} />
      <Models offered={line.offered} chosen={line.model.trim()} onPick={line.setModel} />
      <TextField
        label={w.key}
        hint={line.keyKept ? w.keyKept : w.keyHint}
        type="password"
        value={line.key}
        onText={line.setKey}
      />
    </>
  );
}

function Answer({ answer }: { answer: LlmTested }): VNode {
  const w = words.value.model;
  const { model, first_token_s, tokens_per_s, context_tokens } = answer;
  if (first_token_s === null) return <Note tone="good" icon="check" role="status"><p>{w.listed}</p></Note>;
  const number = (value: number): string => new Intl.NumberFormat(locale.value).format(Math.round(value));
  const measured = [
    ...(tokens_per_s === null ? [] : [w.speed(number(tokens_per_s))]),
    ...(context_tokens === null ? [] : [w.holds(number(context_tokens))]),
  ];
  const worries = answer.worries.map(explainTrouble);
  return (
    <Note tone={worries.length === 0 ? "good" : "plain"} icon={worries.length === 0 ? "check" : "warning"} role="status">
      <p>{w.answered(model, first_token_s.toFixed(1))}</p>
      {measured.length > 0 && <p class="hint">{measured.join(" ")}</p>}
      {worries.map((worry) => (
        <p key={worry.code}>{worry.message} {worry.remedy}</p>
      ))}
    </Note>
  );
}
