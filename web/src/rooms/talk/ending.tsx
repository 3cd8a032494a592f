import type { VNode } from "preact";
import { Button } from "../../parts/button";
import { Note, TroubleNote } from "../../parts/note";
import { Prose } from "../../parts/prose";
import type { Message } from "../../wire/types";
import { explainTrouble, words } from "../../words";
import type { Conversation } from "./conversation";

/** The code of a turn that the person stopped: nothing is wrong. */
const STOPPED = "stopped";

/** How a reply ended when it did not end well: stopped, broken off, or never begun. */
export function Ending({ message, conversation }: { message: Message; conversation: Conversation }): VNode | null {
  const w = words.value;
  const { trouble } = message;
  if (message.speaker === "user" || message.state === "complete") return null;
  const again = (
    <Button icon="again" onClick={() => void conversation.regenerate(message)}>
      {w.common.retry}
    </Button>
  );
  if (trouble === null || trouble.code === STOPPED) {
    return (
      <div class="ending ending-stopped">
        <p class="message-mark">{message.state === "partial" ? w.talk.stopped : w.talk.stoppedEarly}</p>
        {message.state === "failed" && again}
      </div>
    );
  }
  const said = explainTrouble(trouble);
  return (
    <div class="ending">
      {message.state === "partial" && <p class="message-mark">{w.talk.cut}</p>}
      <TroubleNote said={said}>{again}</TroubleNote>
      {trouble.aside !== "" && (
        <Note tone="plain" icon="vessel">
          <p class="note-lead">{w.talk.meanwhile}</p>
          <Prose text={trouble.aside} />
        </Note>
      )}
    </div>
  );
}
