import type { VNode } from "preact";
import { Button } from "../../parts/button";
import { Note, TroubleNote } from "../../parts/note";
import { Prose } from "../../parts/prose";
import type { Message } from "../../wire/types";
import { explain, words } from "../../words";
import type { Conversation } from "./conversation";

/** How a reply ended when it did not end well: stopped, broken off, or never begun. */
export function Ending({ message, conversation }: { message: Message; conversation: Conversation }): VNode | null {
  const w = words.value;
  const { trouble } = message;
  if (message.speaker === "user" || message.state === "complete") return null;
  if (trouble === null) {
    return <p class="message-mark">{message.state === "partial" ? w.talk.stopped : w.talk.failed}</p>;
  }
  const said = explain(trouble.code, { message: trouble.message, remedy: trouble.do });
  return (
    <div class="ending">
      {message.state === "partial" && <p class="message-mark">{w.talk.cut}</p>}
      <TroubleNote said={said}>
        <Button icon="again" onClick={() => void conversation.regenerate(message)}>
          {w.common.retry}
        </Button>
      </TroubleNote>
      {trouble.aside !== "" && (
        <Note tone="plain" icon="vessel">
          <p class="note-lead">{w.talk.meanwhile}</p>
          <Prose text={trouble.aside} />
        </Note>
      )}
    </div>
  );
}
