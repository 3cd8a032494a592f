import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button, IconButton } from "../../parts/button";
import { Icon } from "../../parts/icon";
import { TroubleNote } from "../../parts/note";
import { useAttempt } from "../../parts/problem";
import { zone } from "../../session";
import { api } from "../../wire/api";
import type { Message, Persona } from "../../wire/types";
import { locale, words } from "../../words";
import type { Conversation } from "./conversation";
import { momentLabel } from "../../parts/days";
import { snippet } from "./snippet";
import { speakerOf } from "./speaker";

const PAUSE_MS = 250;
const PAGE = 30;
/** The search lies over the timeline here: it makes way for what it found. */
const NARROW = "(max-width: 900px)";

interface Found {
  query: string;
  hits: readonly Message[];
  next: string | null;
}

/** Looking for what was said; a hit leads to its place in the timeline. */
export function Search(props: { conversation: Conversation; persona: Persona; onClose(): void }): VNode {
  const w = words.value;
  const { conversation, persona } = props;
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<Found | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const look = useAttempt();
  useEffect(() => field.current?.focus(), []);

  // Only the answer to the last question counts.
  useEffect(() => {
    const asked = query.trim();
    if (asked === "") {
      setFound(null);
      return undefined;
    }
    let current = true;
    const timer = window.setTimeout(() => {
      void look.run(async () => {
        const page = await api.messages(persona.id, { q: asked, limit: PAGE });
        if (current) setFound({ query: asked, hits: page.items, next: page.next ?? null });
      });
    }, PAUSE_MS);
    return () => {
      current = false;
      window.clearTimeout(timer);
    };
  }, [query, persona.id]);

  async function more({ query: asked, hits, next }: Found): Promise<void> {
    if (next === null) return;
    await look.run(async () => {
      const page = await api.messages(persona.id, { q: asked, limit: PAGE, before: next });
      setFound({ query: asked, hits: [...hits, ...page.items], next: page.next ?? null });
    });
  }
  function go(hit: Message): void {
    if (matchMedia(NARROW).matches) props.onClose();
    void conversation.goTo(hit);
  }

  return (
    <aside
      class="search"
      role="search"
      aria-label={w.search.title}
      onKeyDown={(event) => event.key === "Escape" && !event.isComposing && props.onClose()}
    >
      <div class="search-head">
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          value={query}
          aria-label={w.search.title}
          placeholder={w.search.placeholder}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <IconButton icon="close" label={w.common.close} onClick={props.onClose} />
      </div>
      {look.trouble !== null && <TroubleNote said={look.trouble} />}
      <p class="hint" role="status">
        {found === null ? "" : found.hits.length === 0 ? w.search.none : w.search.found(found.hits.length, found.next !== null)}
      </p>
      {found?.hits.length === 0 && <p class="hint">{w.search.noneHint}</p>}
      <ul class="hits">
        {found?.hits.map((hit) => (
          <li key={hit.id}>
            <Hit hit={hit} query={found.query} persona={persona} onGo={() => go(hit)} />
          </li>
        ))}
      </ul>
      {found !== null && found.next !== null && (
        <Button look="quiet" disabled={look.busy} onClick={() => void more(found)}>
          {w.search.more}
        </Button>
      )}
    </aside>
  );
}

function Hit({ hit, query, persona, onGo }: { hit: Message; query: string; persona: Persona; onGo(): void }): VNode {
  return (
    <button type="button" class="hit" onClick={onGo}>
      <span class="hit-head">
        <strong>{speakerOf(hit, persona)}</strong>
        <time dateTime={hit.sent_at}>{momentLabel(hit.sent_at, zone.value, locale.value)}</time>
      </span>
      <span class="hit-text">
        {snippet(hit.text, query).map((piece, i) => (piece.marked ? <mark key={i}>{piece.text}</mark> : piece.text))}
      </span>
    </button>
  );
}
