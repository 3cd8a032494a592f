/** What is filled in to connect a model, and what the endpoint said to it. */
import { useEffect, useState } from "preact/hooks";
import { refreshStatus } from "../session";
import { api } from "../wire/api";
import type { LlmTested, Settings } from "../wire/types";
import { words, type Said } from "../words";
import { useAttempt } from "./problem";

const CALLABLE = /^https?:\/\/./iu;

export interface Connection {
  address: string;
  model: string;
  key: string;
  /** A key is saved already. */
  keyKept: boolean;
  /** What the last test said, and every model that is known to be there. */
  answer: LlmTested | null;
  offered: readonly string[];
  testing: boolean;
  saving: boolean;
  trouble: Said | null;
  addressTrouble: Said | null;
  goTo(address: string): void;
  setModel(model: string): void;
  setKey(key: string): void;
  test(): Promise<void>;
  save(): Promise<boolean>;
}

export function useConnection(): Connection {
  const [address, setAddress] = useState("");
  const [model, setModel] = useState("");
  const [key, setKey] = useState("");
  const [keyKept, setKeyKept] = useState(false);
  const [answer, setAnswer] = useState<LlmTested | null>(null);
  const [offered, setOffered] = useState<readonly string[]>([]);
  const [uncallable, setUncallable] = useState(false);
  const [load, asking, listing, saving] = [useAttempt(), useAttempt(), useAttempt(), useAttempt()];
  const given = { base_url: address.trim(), model: model.trim(), ...(key === "" ? {} : { api_key: key }) };

  function show({ llm }: Settings): void {
    setAddress(llm.base_url);
    setModel(llm.model);
    setKey("");
    setKeyKept(llm.api_key_set);
  }
  useEffect(() => void load.run(async () => show(await api.settings())), []);

  function goTo(next: string): void {
    setAddress(next);
    setUncallable(false);
    setAnswer(null);
    setOffered([]);
  }
  function callable(): boolean {
    const fits = CALLABLE.test(given.base_url);
    setUncallable(!fits);
    return fits;
  }

  async function test(): Promise<void> {
    setAnswer(null);
    if (!callable()) return;
    const answered = await asking.run(async () => {
      const told = await api.testModel(given);
      setAnswer(told);
      setOffered(told.models);
      const only = told.models.length === 1 ? told.models[0] : undefined;
      if (given.model === "" && only !== undefined) setModel(only);
    });
    // A wrong name is no reason not to show the right ones. Should even that fail, the test has said why.
    if (!answered && given.model !== "") {
      await listing.run(async () => setOffered((await api.testModel({ ...given, model: "" })).models));
    }
  }
  async function save(): Promise<boolean> {
    if (!callable()) return false;
    return saving.run(async () => {
      show(await api.changeSettings({ llm: given }));
      await refreshStatus();
    });
  }

  const trouble = load.trouble ?? asking.trouble ?? saving.trouble;
  const ofAddress = trouble?.field?.endsWith("base_url") === true ? trouble : null;
  return {
    address,
    model,
    key,
    keyKept,
    answer,
    offered,
    testing: asking.busy,
    saving: saving.busy,
    trouble: ofAddress === null ? trouble : null,
    addressTrouble: uncallable ? (words.value.problems.fields["base_url"] ?? null) : ofAddress,
    goTo,
    setModel,
    setKey,
    test,
    save,
  };
}
