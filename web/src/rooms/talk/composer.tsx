import type { VNode } from "preact";
import { IconButton } from "../../parts/button";
import { Writing } from "../../parts/writing";
import type { Persona } from "../../wire/types";
import { words } from "../../words";
import type { Conversation } from "./conversation";

/** On a touch screen Enter begins a new line: there is no Shift to hold. */
const touch = matchMedia("(pointer: coarse)").matches;

/** Where one writes. */
export function Composer({ conversation, persona }: { conversation: Conversation; persona: Persona }): VNode {
  const w = words.value;
  const text = conversation.draft.value;
  const busy = conversation.live.value.length > 0;
  // On a touch screen only the button sends: what is written comes before stopping.
  const canStop = conversation.writing.value && !(touch && text.trim() !== "");
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        conversation.say();
      }}
    >
      <Writing
        value={text}
        label={w.talk.write(persona.name)}
        placeholder={w.talk.write(persona.name)}
        enterSends={!touch}
        focused={!touch}
        onText={(next) => conversation.write(next)}
        onEnter={() => conversation.say()}
        onEscape={() => busy && void conversation.stop()}
      />
      {canStop ? (
        <IconButton key="stop" icon="stop" look="stop" label={w.talk.stop} onClick={() => void conversation.stop()} />
      ) : (
        <IconButton
          key="send"
          icon="send"
          look="main"
          label={w.common.send}
          title={w.talk.hint}
          type="submit"
          disabled={text.trim() === ""}
        />
      )}
    </form>
  );
}
