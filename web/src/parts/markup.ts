/** What little formatting is shown: paragraphs, lists, quotes, `code`, *emphasis*, **weight**. Text stays text: no HTML. Pure. */

export type Span = { kind: "plain" | "emphasis" | "strong" | "code"; text: string };
export type Line = readonly Span[];
export type Block =
  | { kind: "paragraph" | "quote"; lines: readonly Line[] }
  /** `from` is the first number, or null where the items have none. */
  | { kind: "list"; from: number | null; lines: readonly Line[] };

// A mark opens before, and closes after, something that is not a space: "2 * 3 * 4" stays as it is. No part of the
// pattern can run past the next mark of its kind, so the time is proportional to the length.
const MARKED = /`([^`]+)`|\*\*(?=\S)([^*]*?[^*\s])\*\*|\*(?=[^\s*])([^*]*?[^*\s])\*/gu;
const QUOTED = /^ {0,3}> ?(.*)$/u;
const ITEM = /^ {0,8}(?:-|(\d{1,3})[.)]) +(\S.*)$/u;

export function blocks(text: string): Block[] {
  const found: Block[] = [];
  let open: (Block & { lines: Line[] }) | null = null;
  for (const line of text.replace(/\r\n?/gu, "\n").split("\n")) {
    const read = line.trim() === "" ? null : readLine(line);
    if (read !== null && open !== null && goesOn(open, read)) {
      open.lines.push(spans(read.text));
      continue;
    }
    open = read === null ? null : opened(read);
    if (open !== null) found.push(open);
  }
  return found;
}

/** The words alone, as they are read out or searched: one line a line, without any mark. */
export function plainText(text: string): string {
  return blocks(text)
    .flatMap((block) => block.lines.map((line) => line.map((span) => span.text).join("")))
    .join("\n");
}

interface Read {
  kind: Block["kind"];
  from: number | null;
  text: string;
}

function readLine(line: string): Read {
  const quoted = QUOTED.exec(line);
  if (quoted !== null) return { kind: "quote", from: null, text: quoted[1] ?? "" };
  const item = ITEM.exec(line);
  if (item !== null) return { kind: "list", from: item[1] === undefined ? null : Number(item[1]), text: item[2] ?? "" };
  return { kind: "paragraph", from: null, text: line };
}

function goesOn(open: Block, read: Read): boolean {
  if (open.kind !== read.kind) return false;
  return open.kind !== "list" || (open.from === null) === (read.from === null);
}

function opened({ kind, from, text }: Read): Block & { lines: Line[] } {
  const lines = [spans(text)];
  return kind === "list" ? { kind, from, lines } : { kind, lines };
}

function spans(line: string): Line {
  const found: Span[] = [];
  let end = 0;
  for (const match of line.matchAll(MARKED)) {
    if (match.index > end) found.push({ kind: "plain", text: line.slice(end, match.index) });
    const [whole, code, strong, emphasis] = match;
    if (code !== undefined) found.push({ kind: "code", text: code });
    else if (strong !== undefined) found.push({ kind: "strong", text: strong });
    else found.push({ kind: "emphasis", text: emphasis ?? "" });
    end = match.index + whole.length;
  }
  if (end < line.length || found.length === 0) found.push({ kind: "plain", text: line.slice(end) });
  return found;
}
