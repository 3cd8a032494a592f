import { describe, expect, it } from "vitest";

const raw = import.meta.glob<string>("../src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });
const files = Object.entries(raw).map(([path, text]) => ({ name: path.replace("../src/", ""), text }));

function offenders(pattern: RegExp, allowed: RegExp): string[] {
  return files.filter(({ name, text }) => pattern.test(text) && !allowed.test(name)).map(({ name }) => name);
}

/** Beside those of tests/house/test_page.py, which has the whole project in view. */
describe("the page's house rules", () => {
  it("reads files", () => expect(files.length).toBeGreaterThan(30));

  it("parts and wire import no room", () => {
    expect(offenders(/from "[^"]*rooms\//u, /^(?:app\.tsx|rooms\/)/u)).toEqual([]);
  });

  it("no one writes HTML", () => {
    expect(offenders(/dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write/u, /^$/u)).toEqual([]);
  });

  it("no word is said outside words/", () => {
    expect(offenders(/\p{Script=Han}/u, /^words\/|^rooms\/(?:settings\/settings|welcome\/make-form)\.tsx$/u)).toEqual([]);
  });
});
