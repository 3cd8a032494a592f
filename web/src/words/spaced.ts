/** A sentence put together from Chinese and what is told: between Han and Latin stands a space, as in print. Pure. */

const HAN = /\p{Script=Han}/u;
const LATIN = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}]/u;

/** A template tag: spaced`写给${name}` is 写给若木, and 写给 Ines. */
export function spaced(parts: TemplateStringsArray, ...told: (string | number)[]): string {
  return parts.reduce((said, part, at) => joined(said, at === 0 ? part : joined(String(told[at - 1] ?? ""), part)), "");
}

function joined(before: string, after: string): string {
  const [last, first] = [Array.from(before).at(-1) ?? "", Array.from(after)[0] ?? ""];
  const meet = (HAN.test(last) && LATIN.test(first)) || (LATIN.test(last) && HAN.test(first));
  return meet ? `${before} ${after}` : before + after;
}
