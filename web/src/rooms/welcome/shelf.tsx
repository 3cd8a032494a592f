import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Avatar } from "../../parts/avatar";
import { FreshTrouble } from "../../parts/note";
import { useAttempt } from "../../parts/problem";
import { api } from "../../wire/api";
import type { Persona, Shelved } from "../../wire/types";
import { locale, words } from "../../words";

/** The personas that come with the program, in the person's language. */
export function Shelf({ onArrived }: { onArrived(who: Persona): void }): VNode {
  const w = words.value;
  const [shelf, setShelf] = useState<readonly Shelved[] | null>(null);
  const load = useAttempt();
  const take = useAttempt();
  const [chosen, setChosen] = useState("");
  useEffect(() => void load.run(async () => setShelf((await api.shelf()).items)), []);

  async function choose(slug: string): Promise<void> {
    setChosen(slug);
    await take.run(async () => onArrived(await api.take(slug, locale.value)));
  }

  const mine = shelf?.filter((one) => one.locale === locale.value);
  return (
    <>
      {load.trouble !== null && <FreshTrouble said={load.trouble} />}
      {mine === undefined && load.trouble === null && <p class="hint">{w.common.loading}</p>}
      {mine?.length === 0 && <p class="hint">{w.welcome.emptyShelf}</p>}
      <ul class="shelf">
        {mine?.map((one) => (
          <li key={one.slug}>
            <button
              type="button"
              class="shelf-card"
              disabled={take.busy}
              onClick={() => void choose(one.slug)}
            >
              <Avatar name={one.name} size="l" />
              <strong>{one.name}</strong>
              <em>{one.tagline}</em>
              <span class="shelf-about">{one.about}</span>
              <span class="shelf-meet">{w.welcome.meet(one.name)}</span>
            </button>
            {take.trouble !== null && chosen === one.slug && <FreshTrouble said={take.trouble} />}
          </li>
        ))}
      </ul>
    </>
  );
}
