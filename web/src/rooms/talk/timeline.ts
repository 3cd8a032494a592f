/** A stretch of the conversation, oldest first, as the page holds it. Pure: every function returns a new stretch. */
import type { Message } from "../../wire/types";

export interface Timeline {
  messages: readonly Message[];
  /** Nothing older exists. */
  fromBeginning: boolean;
  /** Nothing newer exists: what is said now belongs at its end. */
  upToNow: boolean;
}

export const nothing: Timeline = { messages: [], fromBeginning: false, upToNow: true };

function inOrder(a: Message, b: Message): number {
  if (a.sent_at !== b.sent_at) return Date.parse(a.sent_at) - Date.parse(b.sent_at) || (a.id < b.id ? -1 : 1);
  return a.id < b.id ? -1 : 1;
}

function united(a: readonly Message[], b: readonly Message[]): Message[] {
  const byId = new Map([...a, ...b].map((message) => [message.id, message]));
  return [...byId.values()].filter((message) => message.state !== "deleted").sort(inOrder);
}

/** Add a page as the daemon gives it (newest first) at the old end. */
export function withOlder(timeline: Timeline, page: readonly Message[], fromBeginning: boolean): Timeline {
  return { ...timeline, messages: united(page, timeline.messages), fromBeginning };
}

/** Add a page at the new end. */
export function withNewer(timeline: Timeline, page: readonly Message[], upToNow: boolean): Timeline {
  return { ...timeline, messages: united(timeline.messages, page), upToNow };
}

/** A message as it now stands: replaced where it is held, added where it belongs, dropped when it is deleted. */
export function withMessage(timeline: Timeline, message: Message): Timeline {
  const held = timeline.messages.some((one) => one.id === message.id);
  if (!held && !belongs(timeline, message)) return timeline;
  return { ...timeline, messages: united(timeline.messages, [message]) };
}

function belongs(timeline: Timeline, message: Message): boolean {
  const [first, last] = [timeline.messages[0], timeline.messages.at(-1)];
  const afterFirst = first === undefined || timeline.fromBeginning || inOrder(first, message) < 0;
  const beforeLast = timeline.upToNow || (last !== undefined && inOrder(message, last) < 0);
  return afterFirst && beforeLast;
}

export function without(timeline: Timeline, id: string): Timeline {
  return { ...timeline, messages: timeline.messages.filter((message) => message.id !== id) };
}

/** Whether the newest reply answers this message of the person's own. */
export function answers(reply: Message | null, message: Message): boolean {
  const ours = reply !== null && reply.turn_id !== null && !reply.made_by.startsWith("care@");
  return ours && message.speaker === "user" && message.turn_id === reply.turn_id;
}

/** The newest message if the persona said it: the one that may be worded again. */
export function lastReply(timeline: Timeline): Message | null {
  const last = timeline.messages.at(-1);
  return timeline.upToNow && last?.speaker === "persona" ? last : null;
}
