import type { VNode } from "preact";
import { Avatar } from "../../parts/avatar";
import { Prose } from "../../parts/prose";
import type { Live } from "../../wire/live";
import type { Persona } from "../../wire/types";
import { words } from "../../words";

/** A reply on its way. Those who hear the page are told by the announcer, not word by word. */
export function LiveView({ live, persona }: { live: Live; persona: Persona }): VNode {
  return (
    <li class="message message-persona message-first message-live" aria-hidden="true" lang={persona.locale}>
      <span class="message-face">
        <Avatar name={persona.name} />
      </span>
      <div class="message-head">
        <span class="message-name">{persona.name}</span>
      </div>
      <div class="message-body">
        <LiveText live={live} />
      </div>
    </li>
  );
}

export function LiveText({ live }: { live: Live }): VNode {
  if (live.text !== "") return <Prose text={live.text} />;
  return (
    <span class={`dots dots-${live.phase}`} title={live.phase === "writing" ? words.value.talk.writing : words.value.talk.reading}>
      <i />
      <i />
      <i />
    </span>
  );
}
