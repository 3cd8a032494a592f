/** The conversation with one persona: what is held of the timeline, what is being worded, and what one can do with it. */
import { batch, computed, signal } from "@preact/signals";
import { away, outbox, replies, type Guest } from "../../session";
import { api } from "../../wire/api";
import type { Happening } from "../../wire/events";
import { Problem } from "../../wire/http";
import type { Letter } from "../../wire/outbox";
import { storage, tabStorage } from "../../wire/storage";
import type { List, Message } from "../../wire/types";
import { explainProblem, type Said } from "../../words";
import { Drafts } from "./drafts";
import { nothing, withMessage, withNewer, withOlder, without, type Timeline } from "./timeline";
import { voiceOf } from "./voice";

const drafts = new Drafts(tabStorage, storage);
const PAGE = 40;
/** Messages shown around a search hit, before and after it. */
const AROUND = 20;

export class Conversation implements Guest {
  readonly timeline = signal<Timeline>(nothing);
  readonly loaded = signal(false);
  /** Replies of this persona that are being worded. */
  readonly live = computed(() => [...replies.live.value.values()].filter((live) => live.persona_id === this.persona));
  /** What last went wrong with something the person did here. */
  readonly trouble = signal<Said | null>(null);
  /** The message a search led to. */
  readonly found = signal<{ id: string } | null>(null);
  /** Whether a reply is being worded, as far as one can know: not while the daemon is away. */
  readonly writing = computed(() => !away.value && this.live.value.some((live) => live.phase === "writing"));
  /** What was answered last and is to be read out, once. */
  readonly announced = signal<Message | null>(null);

  /** What the person wrote that the timeline does not hold yet. */
  readonly letters = computed(() => {
    const arrived = new Set(this.timeline.value.messages.map((message) => message.client_id));
    return outbox.letters.value.filter((l) => l.persona_id === this.persona && !arrived.has(l.client_id));
  });

  /** What is being written; kept for next time. */
  readonly draft = signal("");

  private loading = false;

  constructor(readonly persona: string) {
    this.draft.value = drafts.of(persona);
  }

  // ------------------------------------------------------------ what happens

  happened(event: Happening): void {
    switch (event.name) {
      case "message.created":
      case "message.edited":
        if (event.data.persona_id === this.persona) this.receive(event.data.message);
        break;
      case "message.deleted":
        this.forget(event.data.message.id);
        break;
      case "reply.done":
      case "reply.failed":
        if (event.data.persona_id === this.persona) this.finish(event.data.message);
        break;
    }
  }

  opened(missed: boolean): void {
    if (missed || !this.loaded.value) void this.attempt(() => this.loadNow());
    else void this.attempt(() => this.askForTurns());
  }

  private receive(message: Message): void {
    batch(() => {
      this.timeline.value = withMessage(this.timeline.value, message);
      if (isReply(message)) replies.end(message.turn_id);
      this.tidyOutbox();
    });
  }

  /** There is no message when the turn was stopped before a word was said. */
  private finish(message: Message | null): void {
    if (message === null) return;
    this.receive(message);
    this.announced.value = message;
  }

  private forget(id: string): void {
    batch(() => {
      this.timeline.value = without(this.timeline.value, id);
      if (this.announced.value?.id === id) this.announced.value = null;
    });
  }

  private holds(message: Message): boolean {
    return this.timeline.value.messages.some((one) => one.id === message.id);
  }

  /** Letters that the timeline now holds are delivered for good. */
  private tidyOutbox(): void {
    for (const message of this.timeline.value.messages) {
      if (message.client_id !== null && outbox.letters.value.some((l) => l.client_id === message.client_id)) {
        outbox.drop(message.client_id);
      }
    }
  }

  // ------------------------------------------------------------ reading

  /** The newest page, and how the turns in it stand. */
  private async loadNow(): Promise<void> {
    const page = await api.messages(this.persona, { limit: PAGE });
    batch(() => {
      this.timeline.value = withOlder(nothing, page.items, isLast(page));
      this.loaded.value = true;
      this.found.value = null;
      this.tidyOutbox();
    });
    await this.askForTurns();
  }

  /** From wherever an old message led, back to what is said now. */
  async backToNow(): Promise<void> {
    await this.attempt(() => this.loadNow());
  }

  private async askForTurns(): Promise<void> {
    const messages = this.timeline.value.messages;
    const answered = messages.findLastIndex((message) => message.speaker === "persona");
    const unanswered = messages.slice(answered + 1).map((message) => message.turn_id);
    const turns = new Set([...unanswered, ...this.live.value.map((live) => live.turn_id)]);
    for (const id of turns) if (id !== null) replies.follow(await api.turn(id));
  }

  async loadOlder(): Promise<void> {
    const first = this.timeline.value.messages[0];
    if (this.loading || first === undefined || this.timeline.value.fromBeginning) return;
    await this.page({ before: first.id }, (held, items, end) => withOlder(held, items, end));
  }

  async loadNewer(): Promise<void> {
    const last = this.timeline.value.messages.at(-1);
    if (this.loading || last === undefined || this.timeline.value.upToNow) return;
    await this.page({ after: last.id }, (held, items, end) => withNewer(held, items, end));
  }

  private async page(
    where: { before: string } | { after: string },
    add: (held: Timeline, items: readonly Message[], end: boolean) => Timeline,
  ): Promise<void> {
    this.loading = true;
    try {
      await this.attempt(async () => {
        const page = await api.messages(this.persona, { ...where, limit: PAGE });
        this.timeline.value = add(this.timeline.value, page.items, isLast(page));
      });
    } finally {
      this.loading = false;
    }
  }

  /** Show a message in its context, wherever it is. */
  async goTo(message: Message): Promise<void> {
    await this.attempt(async () => {
      if (!this.holds(message)) {
        const [older, newer] = await Promise.all([
          api.messages(this.persona, { before: message.id, limit: AROUND }),
          api.messages(this.persona, { after: message.id, limit: AROUND }),
        ]);
        const alone: Timeline = { messages: [message], fromBeginning: false, upToNow: false };
        this.timeline.value = withNewer(
          withOlder(alone, older.items, isLast(older)),
          newer.items,
          isLast(newer),
        );
      }
      this.found.value = { id: message.id };
    });
  }

  // ------------------------------------------------------------ doing

  write(text: string): void {
    drafts.keep(this.persona, text, this.draft.value);
    this.draft.value = text;
  }

  /** Send what is written. */
  say(): void {
    const text = this.draft.value.trim();
    if (text === "") return;
    if (!this.timeline.value.upToNow) void this.backToNow();
    outbox.write(this.persona, text);
    this.write("");
  }

  /** A letter that was refused goes back under the pen. */
  rewrite(letter: Letter): void {
    outbox.drop(letter.client_id);
    this.write([letter.text, this.draft.value].filter((text) => text !== "").join("\n"));
  }

  async stop(): Promise<void> {
    await this.attempt(async () => {
      await Promise.all(this.live.value.map((live) => api.stop(live.turn_id)));
    });
  }

  async edit(message: Message, text: string): Promise<boolean> {
    return this.attempt(async () => this.receive(await api.editMessage(message.id, text)));
  }

  /** Change what was said, and have the reply to it worded again. */
  async editAndAnswer(message: Message, text: string, reply: Message): Promise<boolean> {
    return (await this.edit(message, text)) && (await this.regenerate(reply));
  }

  async choose(message: Message, variant: string): Promise<void> {
    await this.attempt(async () => this.receive(await api.chooseVariant(message.id, variant)));
  }

  async remove(message: Message): Promise<void> {
    await this.attempt(async () => {
      await api.deleteMessage(message.id);
      this.forget(message.id);
    });
  }

  async regenerate(message: Message): Promise<boolean> {
    return this.attempt(async () => {
      const { turn_id } = await api.regenerate(message.id);
      replies.follow(await api.turn(turn_id));
    });
  }

  /** Do it; where it fails, show why. Returns whether it went well. */
  private async attempt(action: () => Promise<void>): Promise<boolean> {
    try {
      await action();
      this.trouble.value = null;
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.status !== 0) this.trouble.value = explainProblem(error);
      return false;
    }
  }
}

function isLast(page: List<Message>): boolean {
  return (page.next ?? null) === null;
}

/** The turn's own answer: words of care come before it, and it is still to come. */
function isReply(message: Message): message is Message & { turn_id: string } {
  const voice = voiceOf(message);
  return message.turn_id !== null && (voice === "persona" || voice === "keeper");
}
