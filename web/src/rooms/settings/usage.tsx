import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { amountOf, isAmount, written } from "../../parts/amount";
import { Button } from "../../parts/button";
import { TextField } from "../../parts/field";
import { FreshTrouble } from "../../parts/note";
import { useAttempt } from "../../parts/problem";
import { refreshStatus, status } from "../../session";
import { api } from "../../wire/api";
import type { Usage } from "../../wire/types";
import { locale, words } from "../../words";

type Spent = Pick<Usage, "tokens_in" | "tokens_out" | "cached_in" | "cost">;

/** What today's words took, by model, and how much a day may take. */
export function UsageSection(): VNode {
  const w = words.value.usage;
  const [usage, setUsage] = useState<Usage | null>(null);
  const load = useAttempt();
  useEffect(() => void load.run(async () => setUsage(await api.usage())), []);

  return (
    <section>
      <h2>{w.title}</h2>
      {load.trouble !== null && <FreshTrouble said={load.trouble} />}
      {usage !== null && usage.by_model.length === 0 && <p class="hint">{w.none}</p>}
      {usage !== null && usage.by_model.length > 0 && (
        <dl class="facts usage">
          {usage.by_model.map((one) => <Line key={`${one.profile} ${one.model}`} name={one.model || one.profile} spent={one} />)}
          {usage.by_model.length > 1 && <Line name={w.all} spent={usage} />}
        </dl>
      )}
      {status.value !== null && <Caps {...status.value.cap} />}
    </section>
  );
}

function Line({ name, spent }: { name: string; spent: Spent }): VNode {
  const w = words.value.usage;
  const number = new Intl.NumberFormat(locale.value);
  const money = new Intl.NumberFormat(locale.value, { maximumSignificantDigits: 3 });
  const cached = spent.cached_in > 0 ? [w.cached(number.format(spent.cached_in))] : [];
  const cost = spent.cost > 0 ? [w.cost(money.format(spent.cost))] : [];
  return (
    <>
      <dt>{name}</dt>
      <dd>{[w.tokens(number.format(spent.tokens_in + spent.tokens_out)), ...cached, ...cost].join(" · ")}</dd>
    </>
  );
}

function Caps(cap: { cost: number; tokens: number }): VNode {
  const w = words.value;
  const [cost, setCost] = useState(written(cap.cost));
  const [tokens, setTokens] = useState(written(cap.tokens));
  const [saved, setSaved] = useState(false);
  const save = useAttempt();
  const fits = isAmount(cost) && (tokens.trim() === "" || Number.isInteger(amountOf(tokens)));

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const caps = { daily_cost_cap: amountOf(cost) ?? 0, daily_token_cap: amountOf(tokens) ?? 0 };
    setSaved(
      await save.run(async () => {
        await api.changeSettings({ llm: caps });
        await refreshStatus();
      }),
    );
  }
  function edit(set: (text: string) => void): (text: string) => void {
    return (text) => {
      setSaved(false);
      set(text);
    };
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <TextField label={w.usage.costCap} hint={w.usage.costCapHint} keyboard="decimal" value={cost} onText={edit(setCost)} />
      <TextField label={w.usage.tokenCap} hint={w.usage.tokenCapHint} keyboard="decimal" value={tokens} onText={edit(setTokens)} />
      {save.trouble !== null && <FreshTrouble said={save.trouble} />}
      <div class="row">
        <Button type="submit" disabled={!fits || save.busy}>{w.common.save}</Button>
        <span class="hint" role="status">{saved ? w.common.saved : fits ? "" : w.usage.noAmount}</span>
      </div>
    </form>
  );
}
