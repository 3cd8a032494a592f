/** Days and times in one zone and language. Pure. */

/** `2026-11-30` of an instant, in a zone. */
export function dayOf(instant: string | Date, zone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
    new Date(instant),
  );
}

/** Whole calendar days from one day to another, both as `dayOf` gives them. */
function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`)) / 86_400_000);
}

export interface DayWords {
  locale: string;
  today: string;
  yesterday: string;
}

/** What a divider says: today, yesterday, a weekday with its date, and the year where it is not this one. */
export function dayLabel(instant: string, now: Date, zone: string, words: DayWords): string {
  const [day, today] = [dayOf(instant, zone), dayOf(now, zone)];
  const age = daysBetween(day, today);
  if (age === 0) return words.today;
  if (age === 1) return words.yesterday;
  const year = day.slice(0, 4) === today.slice(0, 4) ? {} : ({ year: "numeric" } as const);
  const format = { timeZone: zone, weekday: "long", month: "long", day: "numeric", ...year } as const;
  return new Intl.DateTimeFormat(tag(words.locale), format).format(new Date(instant));
}

export function timeLabel(instant: string, zone: string, locale: string): string {
  const format = { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return new Intl.DateTimeFormat(tag(locale), format).format(new Date(instant));
}

/** Date and time in full, for a title or a search hit. */
export function momentLabel(instant: string, zone: string, locale: string): string {
  const format = { timeZone: zone, dateStyle: "medium", timeStyle: "short", hourCycle: "h23" } as const;
  return new Intl.DateTimeFormat(tag(locale), format).format(new Date(instant));
}

function tag(locale: string): string {
  return locale === "zh" ? "zh-CN" : "en-GB";
}
