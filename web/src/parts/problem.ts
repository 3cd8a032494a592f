/** Doing something that may fail, from a component: whether it runs, and what went wrong. */
import { useState } from "preact/hooks";
import { Problem } from "../wire/http";
import { explainProblem, type Said } from "../words";

export interface Attempt {
  busy: boolean;
  trouble: Said | null;
  /** What went wrong before is over. */
  forget(): void;
  run(action: () => Promise<void>): Promise<boolean>;
}

export function useAttempt(): Attempt {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Said | null>(null);
  async function run(action: () => Promise<void>): Promise<boolean> {
    setBusy(true);
    setTrouble(null);
    try {
      await action();
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      setTrouble(explainProblem(error));
      return false;
    } finally {
      setBusy(false);
    }
  }
  return { busy, trouble, run, forget: () => setTrouble(null) };
}
