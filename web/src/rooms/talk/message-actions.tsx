import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Button, IconButton } from "../../parts/button";
import type { Message, Persona } from "../../wire/types";
import { words } from "../../words";
import type { Conversation } from "./conversation";

const COPIED_MS = 1_500;

interface Props {
  message: Message;
  persona: Persona;
  conversation: Conversation;
  newest: boolean;
  canReword: boolean;
  canEdit: boolean;
  onEdit(): void;
}

/** What can be done with a message: seen when it is pointed at or focused, and always at the newest reply. */
export function MessageActions({ message, persona, conversation, newest, canReword, canEdit, onEdit }: Props): VNode {
  const w = words.value;
  const [asking, setAsking] = useState(false);
  function remove(event: Event): void {
    // Whoever uses the keyboard goes on from the message before.
    const before = (event.currentTarget as HTMLElement).closest(".message")?.previousElementSibling;
    if (before instanceof HTMLElement) before.focus();
    void conversation.remove(message);
  }
  if (asking) {
    return (
      <div class="message-ask" role="group" aria-label={w.common.delete}>
        <p>{message.speaker === "user" ? w.talk.deleteAsk(persona.name) : w.talk.deleteAskOwn}</p>
        <div class="row">
          <Button look="danger" onClick={remove}>
            {w.common.delete}
          </Button>
          <Button look="quiet" autofocus onClick={() => setAsking(false)}>
            {w.common.keep}
          </Button>
        </div>
      </div>
    );
  }
  const whole = message.trouble === null;
  const busy = conversation.live.value.length > 0;
  return (
    <div class={newest ? "message-actions message-actions-open" : "message-actions"}>
      {message.variants.length > 1 && <Wordings message={message} conversation={conversation} />}
      {canReword && newest && whole && message.turn_id !== null && (
        <IconButton icon="again" label={w.talk.regenerate} disabled={busy} onClick={() => void conversation.regenerate(message)} />
      )}
      {message.text !== "" && <Copy text={message.text} />}
      {canEdit && message.text !== "" && <IconButton icon="edit" label={w.talk.edit} onClick={onEdit} />}
      <IconButton icon="delete" label={w.common.delete} onClick={() => setAsking(true)} />
    </div>
  );
}

/** Leafing through the wordings of a message. */
function Wordings({ message, conversation }: { message: Message; conversation: Conversation }): VNode {
  const w = words.value.talk;
  const all = message.variants;
  const at = all.findIndex((variant) => variant.id === message.text_id);
  const [before, after] = [all[at - 1], all[at + 1]];
  return (
    <span class="wordings" role="group" aria-label={w.wording(at + 1, all.length)}>
      <IconButton
        icon="left"
        label={w.previous}
        disabled={before === undefined}
        onClick={() => before !== undefined && void conversation.choose(message, before.id)}
      />
      <span aria-hidden="true">
        {at + 1}/{all.length}
      </span>
      <IconButton
        icon="right"
        label={w.next}
        disabled={after === undefined}
        onClick={() => after !== undefined && void conversation.choose(message, after.id)}
      />
    </span>
  );
}

function Copy({ text }: { text: string }): VNode | null {
  const w = words.value.talk;
  const [copied, setCopied] = useState(false);
  // Browsers hand out the clipboard on a secure address only.
  if (!window.isSecureContext) return null;
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    window.setTimeout(() => setCopied(false), COPIED_MS);
  }
  return <IconButton icon={copied ? "check" : "copy"} label={copied ? w.copied : w.copy} onClick={() => void copy()} />;
}
