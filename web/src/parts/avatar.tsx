import type { VNode } from "preact";

/** A colour of the wheel (0–359) that belongs to a name: the same every time, everywhere. */
export function hueOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 3600;
  return sum % 360;
}

/** The first letter or character of a name. */
export function monogram(name: string): string {
  const first = [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(name.trim())][0];
  return (first?.segment ?? "·").toLocaleUpperCase();
}

/** A persona's picture, made from the name. Decorative: the name always stands beside it. */
export function Avatar({ name, size = "m" }: { name: string; size?: "s" | "m" | "l" }): VNode {
  return (
    <span class={`avatar avatar-${size}`} style={{ "--hue": String(hueOf(name)) }} aria-hidden="true">
      {monogram(name)}
    </span>
  );
}
