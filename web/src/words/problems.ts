/** What went wrong, in the page's words: how the daemon's codes, fields and sentences are matched. Pure. */

export interface Trouble {
  message: string;
  remedy: string;
}

export interface Problems {
  /** By the daemon's code. */
  readonly codes: Readonly<Record<string, Trouble>>;
  /** Of a field that cannot be taken, by the last part of its name. */
  readonly fields: Readonly<Record<string, Trouble>>;
  /** By a part of the daemon's own sentence, where one code has many reasons. */
  readonly sentences: readonly (readonly [string, Trouble])[];
  /** What the page calls the daemon's settings and fields, by the last part of their names. */
  readonly labels: Readonly<Record<string, string>>;
}

export interface Told extends Trouble {
  code: string;
  field?: string | null;
}

/** Our own words for it, as exactly as we have them; `byCode` when only the code is known to us. */
export function ownWords(told: Told, known: Problems): { said: Trouble; byCode: boolean } | null {
  const sentence = known.sentences.find(([part]) => told.message.includes(part));
  if (sentence !== undefined) return { said: sentence[1], byCode: false };
  const field = told.code === "bad-input" ? known.fields[lastPart(told.field ?? "")] : undefined;
  if (field !== undefined) return { said: field, byCode: false };
  const code = known.codes[told.code];
  return code === undefined ? null : { said: code, byCode: true };
}

const NAMED = /`([a-z_.]+)`|\b(?:llm|profiles\.[^\s.]+)\.([a-z_]+)/gu;
/** A name that would be another one with a capital letter. */
const SETTING_FIRST = /^[a-z_]+\.[a-z_]/u;

/** The daemon's sentence with its settings called as the page calls them. */
export function withLabels(text: string, labels: Problems["labels"]): string {
  const named = text.replace(NAMED, (whole, quoted?: string, setting?: string) => {
    return labels[lastPart(quoted ?? setting ?? "")] ?? quoted ?? whole;
  });
  return SETTING_FIRST.test(named) ? named : named.charAt(0).toUpperCase() + named.slice(1);
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
