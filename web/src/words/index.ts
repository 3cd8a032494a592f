/** The words in the person's language. Read `words.value` while rendering: a change of language renders again. */
import { computed, signal } from "@preact/signals";
import type { Problem } from "../wire/http";
import { storage } from "../wire/storage";
import { en, type Words } from "./en";
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
}

/** What the daemon said went wrong, in the person's language where we have words for its code. */
export function explain(code: string, said: Said): Said {
  const ours = words.value.problems[code];
  return ours === undefined ? said : { ...ours, exactly: said.message };
}

export function explainProblem(problem: Problem): Said {
  if (problem.status === 0) return words.value.away;
  return explain(problem.code, { message: problem.message, remedy: problem.remedy });
}
