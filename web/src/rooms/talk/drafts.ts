/**
 * What is being written, kept for next time. Each tab has its own: a second one neither changes nor throws away what
 * stands in the first. The last one written is also kept for all, so that closing the tab loses nothing.
 */
const KEY = "echovessel.draft.";

export class Drafts {
  constructor(
    private readonly own: Storage,
    private readonly shared: Storage,
  ) {}

  of(persona: string): string {
    return this.own.getItem(KEY + persona) ?? this.shared.getItem(KEY + persona) ?? "";
  }

  /** `before` is what stood here until now: only what is ours is taken away for all. */
  keep(persona: string, text: string, before: string): void {
    this.own.setItem(KEY + persona, text);
    if (text !== "") this.shared.setItem(KEY + persona, text);
    else if (this.shared.getItem(KEY + persona) === before) this.shared.removeItem(KEY + persona);
  }
}
