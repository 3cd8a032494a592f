import type { VNode } from "preact";
import { Button } from "../../parts/button";
import { Icon } from "../../parts/icon";
import { TroubleNote } from "../../parts/note";
import { Prose } from "../../parts/prose";
import { outbox } from "../../session";
import type { Letter } from "../../wire/outbox";
import { explain, words } from "../../words";
import type { Conversation } from "./conversation";

/** Something the person wrote that is not in the timeline yet. */
export function LetterView({ letter, conversation }: { letter: Letter; conversation: Conversation }): VNode {
  const w = words.value.talk;
  return (
    <li class={`message message-user message-first message-letter message-${letter.state}`}>
      <div class="message-body">
        <Prose text={letter.text} />
      </div>
      {letter.state === "waiting" && (
        <p class="message-mark">
          <Icon name="clock" /> {w.sending}
        </p>
      )}
      {letter.state === "refused" && (
        <TroubleNote said={letter.problem === undefined ? { message: w.refused, remedy: "" } : explain(letter.problem)}>
          <div class="row">
            <Button onClick={() => conversation.rewrite(letter)}>{w.backToPen}</Button>
            <Button look="quiet" onClick={() => outbox.drop(letter.client_id)}>
              {w.throwAway}
            </Button>
          </div>
        </TroubleNote>
      )}
    </li>
  );
}
