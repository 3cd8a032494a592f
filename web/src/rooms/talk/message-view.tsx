import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { Avatar } from "../../parts/avatar";
import { Button } from "../../parts/button";
import { Icon } from "../../parts/icon";
import { Prose } from "../../parts/prose";
import { away, settingsOpen, status, zone } from "../../session";
import type { Message, Persona } from "../../wire/types";
import { locale, words } from "../../words";
import type { Conversation } from "./conversation";
import { momentLabel, timeLabel } from "../../parts/days";
import { EditMessage } from "./edit-message";
import { Ending } from "./ending";
import { LiveText } from "./live-view";
import { MessageActions } from "./message-actions";
import { speakerOf } from "./speaker";
import { otherModel, voiceOf, type Voice } from "./voice";

export interface MessageProps {
  message: Message;
  persona: Persona;
  conversation: Conversation;
  /** The first of what one says in one breath: it carries the name and the time. */
  first: boolean;
  newest: boolean;
  /** The reply to this message of the person's own, where it is the newest one and may be worded again. */
  reply: Message | null;
}

export function MessageView(props: MessageProps): VNode {
  const { message, persona, conversation } = props;
  const [editing, setEditing] = useState(false);
  const self = useRef<HTMLLIElement>(null);
  const voice = voiceOf(message);
  const live = conversation.live.value.find((one) => one.regenerates === message.id && !(away.value && one.text === ""));
  const found = conversation.found.value?.id === message.id;
  function doneEditing(): void {
    setEditing(false);
    self.current?.focus();
  }
  const classes = [`message message-${voice}`, props.first && "message-first", found && "message-found"];

  return (
    <li
      ref={self}
      id={`m-${message.id}`}
      class={classes.filter(Boolean).join(" ")}
      tabIndex={props.newest ? 0 : -1}
      lang={voice === "persona" ? persona.locale : undefined}
    >
      {props.first && voice !== "user" && <Face voice={voice} persona={persona} />}
      <Head voice={voice} persona={persona} message={message} first={props.first} />
      {editing ? (
        <EditMessage message={message} reply={props.reply} conversation={conversation} onDone={doneEditing} />
      ) : (
        <div class="message-body" title={momentLabel(message.sent_at, zone.value, locale.value)}>
          {live === undefined ? <Prose text={message.text} /> : <LiveText live={live} />}
        </div>
      )}
      {live === undefined && !editing && (
        <>
          <Ending message={message} conversation={conversation} />
          {props.newest && <WordedBy message={message} />}
          {voice === "keeper" && props.newest && <ConnectModel />}
          <MessageActions
            {...props}
            canReword={voice === "persona" || voice === "keeper"}
            canEdit={voice === "persona" || voice === "user"}
            onEdit={() => setEditing(true)}
          />
        </>
      )}
    </li>
  );
}

/** Quietly: another model than the one that speaks. */
function WordedBy({ message }: { message: Message }): VNode | null {
  const model = status.value === null ? null : otherModel(message, status.value.model);
  return model === null ? null : <p class="message-mark">{words.value.talk.wordedBy(model)}</p>;
}

/** The way out of the keeper's hands. */
function ConnectModel(): VNode | null {
  if (status.value?.model.connected !== false) return null;
  return (
    <div class="message-offer">
      <Button look="quiet" icon="settings" onClick={() => (settingsOpen.value = true)}>
        {words.value.talk.connectModel}
      </Button>
    </div>
  );
}

function Face({ voice, persona }: { voice: Voice; persona: Persona }): VNode {
  return (
    <span class="message-face">{voice === "persona" ? <Avatar name={persona.name} /> : <Icon name="vessel" />}</span>
  );
}

function Head(props: { voice: Voice; persona: Persona; message: Message; first: boolean }): VNode {
  return (
    <div class={props.first || props.message.edited ? "message-head" : "message-head unseen"}>
      <span class={props.voice === "user" ? "unseen" : "message-name"}>{speakerOf(props.message, props.persona)}</span>{" "}
      <time dateTime={props.message.sent_at}>{timeLabel(props.message.sent_at, zone.value, locale.value)}</time>
      {props.message.edited && <span class="message-edited">{words.value.talk.edited}</span>}
    </div>
  );
}
