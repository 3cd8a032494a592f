import { Fragment, type VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { away, zone } from "../../session";
import type { Letter } from "../../wire/outbox";
import type { Message, Persona } from "../../wire/types";
import { words } from "../../words";
import type { Conversation } from "./conversation";
import { dayLabel, dayOf } from "../../parts/days";
import { LetterView } from "./letter-view";
import { LiveView } from "./live-view";
import { MessageView } from "./message-view";
import { useScroll } from "./scroll";
import { answers, lastReply } from "./timeline";
import { voiceOf } from "./voice";

/** Said by the same one within this time: one paragraph of talk, one name above it. */
const SAME_BREATH_MS = 5 * 60_000;
const MINUTE_MS = 60_000;

interface Props {
  conversation: Conversation;
  persona: Persona;
}

export function TimelineView({ conversation, persona }: Props): VNode {
  const w = words.value.talk;
  const { messages, fromBeginning, upToNow } = conversation.timeline.value;
  const letters = conversation.letters.value;
  const area = useRef<HTMLDivElement>(null);
  const scroll = useScroll(area, conversation, letters.length);
  const now = useNow();
  // While the daemon is away nobody writes: what came so far stays, and what waits to be sent comes after it.
  const endings = conversation.live.value.filter((live) => !isHeld(messages, live.regenerates) && !(away.value && live.text === ""));
  const [sent, waiting] = away.value ? parted(letters) : [letters, []];
  const newest = lastReply(conversation.timeline.value);

  return (
    <div class="timeline-area">
      <div class="timeline" ref={area} role="region" aria-label={w.timeline(persona.name)} tabIndex={-1}>
        <ol class="timeline-list" onKeyDown={walk}>
          {fromBeginning && messages.length > 0 && <li class="beginning">{w.beginning}</li>}
          {!fromBeginning && <li class="edge edge-older" aria-hidden="true" />}
          {messages.map((message, i) => (
            <Fragment key={message.id}>
              {startsDay(messages, i) && <DayDivider instant={message.sent_at} now={now} />}
              <MessageView
                message={message}
                persona={persona}
                conversation={conversation}
                first={!sameBreath(messages, i)}
                newest={message === newest}
                reply={answers(newest, message) ? newest : null}
              />
            </Fragment>
          ))}
          {!upToNow && <li class="edge edge-newer" aria-hidden="true" />}
          {upToNow && sent.map((letter) => <LetterView key={letter.client_id} letter={letter} conversation={conversation} />)}
          {upToNow && endings.map((live) => <LiveView key={live.turn_id} live={live} persona={persona} />)}
          {upToNow && waiting.map((letter) => <LetterView key={letter.client_id} letter={letter} conversation={conversation} />)}
          {conversation.loaded.value && messages.length + letters.length === 0 && (
            <li class="beginning">{w.empty(persona.name)}</li>
          )}
        </ol>
      </div>
      {(!upToNow || !scroll.atEnd) && (
        <div class="to-now">
          <Button icon="down" onClick={() => void (upToNow ? scroll.toEnd() : conversation.backToNow().then(scroll.toEnd))}>
            {scroll.news ? w.newBelow : w.toNow}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Letters that the daemon has, and those that wait for it. */
function parted(letters: readonly Letter[]): [Letter[], Letter[]] {
  return [letters.filter((one) => one.state === "sent"), letters.filter((one) => one.state !== "sent")];
}

function isHeld(messages: readonly Message[], id: string | null): boolean {
  return id !== null && messages.some((message) => message.id === id);
}

function startsDay(messages: readonly Message[], i: number): boolean {
  const [before, here] = [messages[i - 1], messages[i]];
  if (before === undefined || here === undefined) return true;
  return dayOf(before.sent_at, zone.value) !== dayOf(here.sent_at, zone.value);
}

function sameBreath(messages: readonly Message[], i: number): boolean {
  const [before, here] = [messages[i - 1], messages[i]];
  if (before === undefined || here === undefined || startsDay(messages, i)) return false;
  const gap = Date.parse(here.sent_at) - Date.parse(before.sent_at);
  return voiceOf(before) === voiceOf(here) && gap < SAME_BREATH_MS;
}

function DayDivider({ instant, now }: { instant: string; now: Date }): VNode {
  const w = words.value;
  const label = dayLabel(instant, now, zone.value, { locale: w.locale, today: w.talk.today, yesterday: w.talk.yesterday });
  return (
    <li class="day">
      <span>{label}</span>
    </li>
  );
}

/** The present, to the minute: "today" becomes "yesterday" while the page stays open. */
function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(new Date()), MINUTE_MS);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}

/** The arrow keys walk from message to message. */
function walk(event: KeyboardEvent): void {
  const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
  const here = event.target;
  if (step === 0 || !(here instanceof HTMLElement) || !here.matches(".message")) return;
  const all = [...(here.closest("ol")?.querySelectorAll<HTMLElement>(".message") ?? [])];
  const next = all[all.indexOf(here) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
