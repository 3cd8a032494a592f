import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { Writing } from "../../parts/writing";
import type { Message } from "../../wire/types";
import { words } from "../../words";
import type { Conversation } from "./conversation";

interface EditProps {
  message: Message;
  /** The reply to it that may be worded again, if there is one. */
  reply: Message | null;
  conversation: Conversation;
  onDone(): void;
}

/** Changing what was said. The old wording is kept. */
export function EditMessage(props: EditProps): VNode {
  const w = words.value;
  const [text, setText] = useState(props.message.text);
  const [busy, setBusy] = useState(false);
  const blank = text.trim() === "";

  const { message, reply, conversation } = props;
  const answering = conversation.live.value.length > 0;

  async function done(action: () => Promise<boolean>): Promise<void> {
    if (blank || busy) return;
    setBusy(true);
    const well = await action();
    setBusy(false);
    if (well) props.onDone();
  }
  const save = (): Promise<void> => done(async () => text === message.text || (await conversation.edit(message, text)));

  return (
    <div class="message-body message-edit">
      <Writing value={text} label={w.talk.edit} focused onText={setText} onEnter={() => void save()} onEscape={props.onDone} />
      <div class="row">
        <Button look="main" disabled={blank || busy} onClick={() => void save()}>
          {w.common.save}
        </Button>
        {reply !== null && (
          <Button
            icon="again"
            disabled={blank || busy || answering}
            onClick={() => void done(() => conversation.editAndAnswer(message, text, reply))}
          >
            {w.talk.saveAndAnswer}
          </Button>
        )}
        <Button look="quiet" onClick={props.onDone}>
          {w.common.cancel}
        </Button>
      </div>
    </div>
  );
}
