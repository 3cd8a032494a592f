/** Numbers as they are written into a field. Pure. */

/** A number that is 0 or more, or null where none is written. A comma may mean thousands or decimals, so it is refused. */
export function amountOf(text: string): number | null {
  const plain = text.trim();
  return /^\d+(\.\d*)?$|^\.\d+$/u.test(plain) ? Number(plain) : null;
}

/** Whether nothing, or an amount, is written. */
export function isAmount(text: string): boolean {
  return text.trim() === "" || amountOf(text) !== null;
}

/** How an amount stands in a field: nothing for 0 and for none. */
export function written(amount: number | null): string {
  return amount ? String(amount) : "";
}
