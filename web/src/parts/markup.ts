/** What little formatting is shown: paragraphs, line breaks, *emphasis* and **weight**. Text stays text: no HTML. Pure. */

export type Span = { kind: "plain" | "emphasis" | "strong"; text: string };
export type Line = readonly Span[];
export type Paragraph = readonly Line[];

// A mark opens before, and closes after, something that is not a space: "2 * 3 * 4" stays as it is.
const MARKED = /\*\*(?=\S)([^*]*?[^*\s])\*\*|\*(?=[^\s*])([^*]*?[^*\s])\*/gu;

export function paragraphs(text: string): Paragraph[] {
  return text
    .replace(/\r\n?/gu, "\n")
    .split(/\n{2,}/u)
    .map((block) => block.replace(/^\n+|\n+$/gu, ""))
    .filter((block) => block !== "")
    .map((block) => block.split("\n").map(spans));
}

function spans(line: string): Line {
  const found: Span[] = [];
  let end = 0;
  for (const match of line.matchAll(MARKED)) {
    if (match.index > end) found.push({ kind: "plain", text: line.slice(end, match.index) });
    const [whole, strong, emphasis] = match;
    found.push(strong === undefined ? { kind: "emphasis", text: emphasis ?? "" } : { kind: "strong", text: strong });
    end = match.index + whole.length;
  }
  if (end < line.length || found.length === 0) found.push({ kind: "plain", text: line.slice(end) });
  return found;
}
