import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Avatar } from "../../parts/avatar";
import { Button } from "../../parts/button";
import { Icon } from "../../parts/icon";
import { away, choosePersona, persona, personas, replies, room, settingsOpen, zone } from "../../session";
import type { Persona } from "../../wire/types";
import { locale, words } from "../../words";
import { momentLabel } from "../../parts/days";
import { inOrder, needsItsDay } from "./people-list";

/** Everyone one can talk to, and the way to someone new. */
export function People({ onDone }: { onDone?: () => void }): VNode {
  const w = words.value.talk;
  function go(action: () => void): () => void {
    return () => {
      onDone?.();
      action();
    };
  }
  const list = useRef<HTMLUListElement>(null);
  const chosen = persona.value?.id;
  useEffect(() => list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }), [chosen]);
  return (
    <div class="people">
      <p class="mark">
        <Icon name="vessel" /> EchoVessel
      </p>
      <ul ref={list}>
        {inOrder(personas.value).map((one) => (
          <li key={one.id}>
            <button
              type="button"
              class="person"
              aria-current={one.id === chosen ? "true" : undefined}
              onClick={go(() => choosePersona(one.id))}
            >
              <Avatar name={one.name} />
              <span class="person-name">{one.name}</span>
              {isWriting(one.id) ? (
                <span class="person-tagline person-writing">{w.writing}</span>
              ) : (
                <span class="person-tagline">{secondLine(one)}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
      <div class="people-foot">
        <Button look="quiet" icon="plus" onClick={go(() => (room.value = "welcome"))}>
          {w.someoneNew}
        </Button>
        <Button look="quiet" icon="settings" onClick={go(() => (settingsOpen.value = true))}>
          {w.settings}
        </Button>
      </div>
    </div>
  );
}

/** The tagline, and where it tells nobody apart the day it was made. */
function secondLine(one: Persona): string {
  if (!needsItsDay(one, personas.value)) return one.tagline;
  const day = words.value.talk.since(momentLabel(one.created_at, zone.value, locale.value));
  return one.tagline === "" ? day : `${day} · ${one.tagline}`;
}

function isWriting(id: string): boolean {
  return !away.value && [...replies.live.value.values()].some((live) => live.persona_id === id && live.phase === "writing");
}
