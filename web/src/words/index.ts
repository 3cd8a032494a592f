/** The words in the person's language. Read `words.value` while rendering: a change of language renders again. */
import { computed, signal } from "@preact/signals";
import type { Problem } from "../wire/http";
import { storage } from "../wire/storage";
import type { TroubleView } from "../wire/types.generated";
import { en, type Words } from "./en";
import { ownWords, withLabels, type Told } from "./problems";
import { zh } from "./zh";

export type Locale = "en" | "zh";
const ALL: Readonly<Record<Locale, Words>> = { en, zh };
const KEY = "echovessel.locale";

export function isLocale(value: unknown): value is Locale {
  return value === "en" || value === "zh";
}

/** What the person chose here, or null. */
export function chosenLocale(): Locale | null {
  const kept = storage.getItem(KEY);
  return isLocale(kept) ? kept : null;
}

export const locale = signal<Locale>(chosenLocale() ?? (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en"));
export const words = computed<Words>(() => ALL[locale.value]);

export function chooseLocale(next: Locale): void {
  storage.setItem(KEY, next);
  locale.value = next;
}

export interface Said {
  message: string;
  remedy: string;
  /** The daemon's own sentence, where ours stands before it. */
  exactly?: string;
  code?: string;
  /** Which field of what was sent is meant, if one is. */
  field?: string | null;
}

/** What the daemon said went wrong, in the person's language where we have words for it. */
export function explain(told: Told): Said {
  const known = words.value.problems;
  const ours = ownWords(told, known);
  const message = withLabels(told.message, known.labels);
  const whence = { code: told.code, field: told.field ?? null };
  if (ours === null) return { ...whence, message, remedy: withLabels(told.remedy, known.labels) };
  // What is known by its code alone may have more to say, but not to those who read it in English already.
  const saysMore = ours.byCode && locale.value !== "en" && en.problems.codes[told.code] === undefined;
  return { ...whence, ...ours.said, ...(saysMore ? { exactly: message } : {}) };
}

/** What the daemon is troubled by, in the person's language. */
export function explainTrouble({ code, message, do: remedy }: TroubleView): Said {
  return explain({ code, message, remedy });
}

export function explainProblem(problem: Problem): Said {
  if (problem.status === 0) return words.value.away;
  return explain(problem);
}
