import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Avatar } from "../../parts/avatar";
import { TroubleNote } from "../../parts/note";
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
  useEffect(() => void load.run(async () => setShelf((await api.shelf()).items)), []);

  const mine = shelf?.filter((one) => one.locale === locale.value);
  const trouble = load.trouble ?? take.trouble;
  return (
    <>
      {trouble !== null && <TroubleNote said={trouble} />}
      {mine === undefined && trouble === null && <p class="hint">{w.common.loading}</p>}
      {mine?.length === 0 && <p class="hint">{w.welcome.emptyShelf}</p>}
      <ul class="shelf">
        {mine?.map((one) => (
          <li key={one.slug}>
            <button
              type="button"
              class="shelf-card"
              disabled={take.busy}
              onClick={() => void take.run(async () => onArrived(await api.take(one.slug, locale.value)))}
            >
              <Avatar name={one.name} size="l" />
              <strong>{one.name}</strong>
              <em>{one.tagline}</em>
              <span class="shelf-about">{one.about}</span>
              <span class="shelf-meet">{w.welcome.meet(one.name)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
