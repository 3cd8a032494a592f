/** What is filled in to connect a model, and what was said to it. */
import { useEffect, useRef, useState } from "preact/hooks";
import { refreshStatus } from "../session";
import { api } from "../wire/api";
import type { LlmTested, ModelSettings, Settings, SettingsChange } from "../wire/types";
import { words, type Said } from "../words";
import { amountOf, isAmount, written } from "./amount";
import { useAttempt } from "./problem";

const CALLABLE = /^https?:\/\/./iu;

/** How a model is spoken to: over OpenAI's protocol, over Anthropic's, or as a file that is run here. */
export type Speaks = "openai" | "anthropic" | "gguf";

/** Which connection is meant, and what else is saved with it. */
export interface Which {
  /** Empty: the settings' own one. */
  profile: string;
  /** Nothing of it is saved yet. */
  fresh?: boolean;
  /** Added to the change that saves it. */
  along?: SettingsChange["llm"];
}

export interface Connection extends Filled {
  /** It stands in the settings already. */
  kept: boolean;
  /** A key is saved already. */
  keyKept: boolean;
  /** What the last test said, and every model that is known to be there. */
  answer: LlmTested | null;
  offered: readonly string[];
  testing: boolean;
  saving: boolean;
  trouble: Said | null;
  addressTrouble: Said | null;
  pricesFit: boolean;
  /** Nothing to ask yet: neither an address nor a file. */
  nowhere: boolean;
  speak(how: Speaks): void;
  goTo(address: string): void;
  openFile(file: string): void;
  setModel(model: string): void;
  setKey(key: string): void;
  setPrice(change: Partial<Prices>): void;
  test(): Promise<void>;
  save(): Promise<boolean>;
}

/** As they are written into their fields, for a million tokens. */
interface Prices {
  priceIn: string;
  priceOut: string;
  /** Left empty: the same as `priceIn`. */
  priceCached: string;
}
const FREE: Prices = { priceIn: "", priceOut: "", priceCached: "" };

interface Filled extends Prices {
  speaks: Speaks;
  address: string;
  file: string;
  model: string;
  key: string;
}
const EMPTY: Filled = { speaks: "openai", address: "", file: "", model: "", key: "", ...FREE };

/** A connection as it is filled in, as the daemon takes it: what its kind does not have is emptied. */
function given(filled: Filled): { kind: Speaks; base_url: string; file: string; model: string; api_key?: string } {
  const { speaks, address, file, model, key } = filled;
  if (speaks === "gguf") return { kind: speaks, base_url: "", file: file.trim(), model: "" };
  const sent = { kind: speaks, base_url: address.trim(), file: "", model: model.trim() };
  return key === "" ? sent : { ...sent, api_key: key };
}

function pricesGiven({ priceIn, priceOut, priceCached }: Prices): Pick<ModelSettings, "price_in" | "price_out" | "price_cached_in"> {
  return { price_in: amountOf(priceIn) ?? 0, price_out: amountOf(priceOut) ?? 0, price_cached_in: amountOf(priceCached) };
}

function held(saved: ModelSettings | undefined): Filled {
  if (saved === undefined) return EMPTY;
  const prices = {
    priceIn: written(saved.price_in),
    priceOut: written(saved.price_out),
    priceCached: saved.price_cached_in === null ? "" : String(saved.price_cached_in),
  };
  return { speaks: saved.speaks ?? "openai", address: saved.base_url, file: saved.file, model: saved.model, key: "", ...prices };
}

export function useConnection({ profile, fresh, along }: Which): Connection {
  const [filled, setFilled] = useState(EMPTY);
  const [kept, setKept] = useState(false);
  const [keyKept, setKeyKept] = useState(false);
  const [answer, setAnswer] = useState<LlmTested | null>(null);
  const [offered, setOffered] = useState<readonly string[]>([]);
  const [uncallable, setUncallable] = useState(false);
  const [load, asking, listing, saving] = [useAttempt(), useAttempt(), useAttempt(), useAttempt()];
  const sent = given(filled);
  const { speaks } = filled;
  const typed = useRef<Partial<Filled>>({});
  const nowhere = speaks === "gguf" ? sent.file === "" : speaks === "openai" && sent.base_url === "";

  /** What was typed while the settings were on their way stays. */
  function show(settings: Settings): void {
    const saved = profile === "" ? settings.llm : settings.profiles[profile];
    setFilled({ ...held(saved), ...typed.current });
    setKept(saved !== undefined && saved.speaks !== null);
    setKeyKept(saved?.api_key_set ?? false);
  }
  useEffect(() => {
    if (fresh !== true) void load.run(async () => show(await api.settings()));
  }, []);

  function fill(change: Partial<Filled>): void {
    typed.current = { ...typed.current, ...change };
    setFilled((before) => ({ ...before, ...change }));
  }
  function elsewhere(change: Partial<Filled>): void {
    fill(change);
    setUncallable(false);
    setAnswer(null);
    setOffered([]);
    asking.forget();
    saving.forget();
  }
  function callable(): boolean {
    const fits = sent.base_url === "" ? speaks !== "openai" : CALLABLE.test(sent.base_url);
    setUncallable(!fits);
    return fits;
  }

  async function test(): Promise<void> {
    setAnswer(null);
    if (!callable()) return;
    const answered = await asking.run(async () => {
      const told = await api.testModel({ ...sent, profile });
      setAnswer(told);
      setOffered(told.models);
      const only = told.models.length === 1 ? told.models[0] : undefined;
      if (sent.model === "" && only !== undefined && speaks !== "gguf") fill({ model: only });
    });
    // A wrong name is no reason not to show the right ones. Should even that fail, the test has said why.
    if (!answered && sent.model !== "") {
      await listing.run(async () => setOffered((await api.testModel({ ...sent, profile, model: "" })).models));
    }
  }
  async function save(): Promise<boolean> {
    if (!callable()) return false;
    const all = kept && speaks !== "gguf" ? { ...sent, ...pricesGiven(filled) } : sent;
    const change: SettingsChange = profile === "" ? { llm: all } : { profiles: { [profile]: all } };
    return saving.run(async () => {
      const now = await api.changeSettings(along === undefined ? change : { ...change, llm: along });
      typed.current = {};
      show(now);
      await refreshStatus();
    });
  }

  const trouble = load.trouble ?? asking.trouble ?? saving.trouble;
  const ofAddress = speaks !== "gguf" && trouble?.field?.endsWith("base_url") === true ? trouble : null;
  return {
    ...filled,
    kept,
    keyKept,
    answer,
    offered,
    testing: asking.busy,
    saving: saving.busy,
    trouble: ofAddress === null ? trouble : null,
    addressTrouble: uncallable ? (words.value.problems.fields["base_url"] ?? null) : ofAddress,
    pricesFit: [filled.priceIn, filled.priceOut, filled.priceCached].every(isAmount),
    nowhere,
    speak: (how) => elsewhere({ speaks: how }),
    goTo: (address) => elsewhere({ address }),
    openFile: (file) => elsewhere({ file }),
    setModel: (model) => fill({ model }),
    setKey: (key) => fill({ key }),
    setPrice: fill,
    test,
    save,
  };
}
