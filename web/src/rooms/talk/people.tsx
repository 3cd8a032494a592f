import type { VNode } from "preact";
import { Avatar } from "../../parts/avatar";
import { Button } from "../../parts/button";
import { Icon } from "../../parts/icon";
import { choosePersona, persona, personas, replies, room, settingsOpen } from "../../session";
import { words } from "../../words";

/** Everyone one can talk to, and the way to someone new. */
export function People({ onDone }: { onDone?: () => void }): VNode {
  const w = words.value.talk;
  function go(action: () => void): () => void {
    return () => {
      onDone?.();
      action();
    };
  }
  return (
    <div class="people">
      <p class="mark">
        <Icon name="vessel" /> EchoVessel
      </p>
      <ul>
        {personas.value.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              class="person"
              aria-current={one.id === persona.value?.id ? "true" : undefined}
              onClick={go(() => choosePersona(one.id))}
            >
              <Avatar name={one.name} />
              <span class="person-name">{one.name}</span>
              {isWriting(one.id) ? (
                <span class="person-tagline person-writing">{w.writing}</span>
              ) : (
                <span class="person-tagline">{one.tagline}</span>
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

function isWriting(id: string): boolean {
  return [...replies.live.value.values()].some((live) => live.persona_id === id && live.phase === "writing");
}
