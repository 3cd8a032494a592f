import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { Writing } from "../../parts/writing";
import type { Message } from "../../wire/types";
import { words } from "../../words";
import type { Conversation } from "./conversation";

/** Changing what was said. The old wording is kept. */
export function EditMessage(props: { message: Message; conversation: Conversation; onDone(): void }): VNode {
  const w = words.value;
  const [text, setText] = useState(props.message.text);
  const [busy, setBusy] = useState(false);
  const blank = text.trim() === "";

  async function save(): Promise<void> {
    if (blank || busy) return;
    setBusy(true);
    const done = text === props.message.text || (await props.conversation.edit(props.message, text));
    setBusy(false);
    if (done) props.onDone();
  }

  return (
    <div class="message-body message-edit">
      <Writing value={text} label={w.talk.edit} focused onText={setText} onEnter={() => void save()} onEscape={props.onDone} />
      <div class="row">
        <Button look="main" disabled={blank || busy} onClick={() => void save()}>
          {w.common.save}
        </Button>
        <Button look="quiet" onClick={props.onDone}>
          {w.common.cancel}
        </Button>
      </div>
    </div>
  );
}
