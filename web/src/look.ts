/** Light or dark: as the system says, or as the person chose here. The style sheet reads it from the root element. */
import { effect, signal } from "@preact/signals";
import { storage } from "./wire/storage";
import { locale } from "./words";

export type Theme = "auto" | "light" | "dark";
export const THEMES: readonly Theme[] = ["auto", "light", "dark"];
const KEY = "echovessel.theme";

export const theme = signal<Theme>(THEMES.find((known) => known === storage.getItem(KEY)) ?? "auto");

export function chooseTheme(next: Theme): void {
  storage.setItem(KEY, next);
  theme.value = next;
}

/** Keep the root element's theme and language as they are chosen. */
export function dress(root: HTMLElement): void {
  effect(() => {
    if (theme.value === "auto") delete root.dataset["theme"];
    else root.dataset["theme"] = theme.value;
  });
  effect(() => {
    root.lang = locale.value === "zh" ? "zh-Hans" : "en";
  });
}
