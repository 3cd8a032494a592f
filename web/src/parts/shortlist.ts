/** The names worth showing of a list that may have hundreds. Pure. */

const MOST = 16;

/** Those that hold what is typed; all of them when none does, or when a name is already whole. */
export function shortlist(names: readonly string[], typed: string): { shown: readonly string[]; more: number } {
  const part = typed.toLowerCase();
  const fitting = names.includes(typed) ? [] : names.filter((name) => name.toLowerCase().includes(part));
  const all = fitting.length > 0 ? fitting : [...names].sort((a, b) => Number(b === typed) - Number(a === typed));
  return { shown: all.slice(0, MOST), more: Math.max(0, all.length - MOST) };
}
