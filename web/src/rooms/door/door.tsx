import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { TextField } from "../../parts/field";
import { Icon } from "../../parts/icon";
import { FreshTrouble } from "../../parts/note";
import { enter } from "../../session";
import { api } from "../../wire/api";
import { Problem } from "../../wire/http";
import { explainProblem, words, type Said } from "../../words";

/** Where someone without a cookie shows the token. */
export function Door(): VNode {
  const w = words.value.door;
  const [token, setToken] = useState("");
  const [trouble, setTrouble] = useState<Said | null>(null);

  async function knock(event: Event): Promise<void> {
    event.preventDefault();
    try {
      await api.login(token.trim());
      await enter();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      setTrouble(error.status === 401 ? { message: w.wrong, remedy: w.where } : explainProblem(error));
    }
  }

  return (
    <main class="door">
      <Icon name="vessel" />
      <h1>{w.title}</h1>
      <p>{w.about}</p>
      <form onSubmit={(event) => void knock(event)}>
        <TextField label={w.token} type="password" value={token} required autofocus onText={setToken} />
        <Button look="main" type="submit" disabled={token.trim() === ""}>
          {w.enter}
        </Button>
      </form>
      {trouble === null ? <p class="hint">{w.where}</p> : <FreshTrouble said={trouble} />}
    </main>
  );
}
