/** The part of a message that a search found, with what was looked for marked. Pure. */

import { plainText } from "../../parts/markup";

export interface Piece {
  text: string;
  marked: boolean;
}

const BEFORE = 28;
const LONGEST = 120;
const HAN_PAIR = /\p{Script=Han}{2}/u;

/** What to mark: the words of the query, and for Chinese also the pairs of characters they are made of. */
export function needles(query: string): string[] {
  const words = query.toLowerCase().split(/\s+/u).filter((word) => word !== "");
  const pairs = words.flatMap((word) => {
    const characters = Array.from(word);
    return characters.slice(1).map((character, i) => `${characters[i]}${character}`).filter((pair) => HAN_PAIR.test(pair));
  });
  return [...new Set([...words, ...pairs])].sort((a, b) => b.length - a.length);
}

export function snippet(text: string, query: string): Piece[] {
  const looked = needles(query);
  const flat = plainText(text).replace(/\s+/gu, " ").trim();
  const first = nextMatch(flat.toLowerCase(), 0, looked);
  const from = first === null ? 0 : cut(flat, first.at - BEFORE);
  const to = cut(flat, from + LONGEST);
  const pieces = marked(flat.slice(from, to), looked);
  if (from > 0) pieces.unshift({ text: "… ", marked: false });
  if (to < flat.length) pieces.push({ text: " …", marked: false });
  return pieces;
}

/** The nearest place at or before `at` that does not split a character. */
function cut(text: string, at: number): number {
  const place = Math.max(0, Math.min(at, text.length));
  return /[\uDC00-\uDFFF]/u.test(text.charAt(place)) ? place - 1 : place;
}

function marked(text: string, looked: readonly string[]): Piece[] {
  const lower = text.toLowerCase();
  const pieces: Piece[] = [];
  let end = 0;
  for (let found = nextMatch(lower, 0, looked); found !== null; found = nextMatch(lower, end, looked)) {
    if (found.at > end) pieces.push({ text: text.slice(end, found.at), marked: false });
    end = found.at + found.length;
    pieces.push({ text: text.slice(found.at, end), marked: true });
  }
  if (end < text.length) pieces.push({ text: text.slice(end), marked: false });
  return pieces;
}

function nextMatch(lower: string, from: number, looked: readonly string[]): { at: number; length: number } | null {
  let best: { at: number; length: number } | null = null;
  for (const needle of looked) {
    const at = lower.indexOf(needle, from);
    if (at >= 0 && (best === null || at < best.at)) best = { at, length: needle.length };
  }
  return best;
}
