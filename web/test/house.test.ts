import { describe, expect, it } from "vitest";

const raw = import.meta.glob<string>("../src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });
const files = Object.entries(raw).map(([path, text]) => ({ name: path.replace("../src/", ""), text }));

function offenders(pattern: RegExp, allowed: RegExp): string[] {
  return files.filter(({ name, text }) => pattern.test(text) && !allowed.test(name)).map(({ name }) => name);
}

describe("the page's house rules", () => {
  it("reads files", () => expect(files.length).toBeGreaterThan(30));

  it("only wire/ speaks with the daemon", () => {
    expect(offenders(/\bfetch\(|new EventSource|XMLHttpRequest|sendBeacon|new WebSocket/u, /^wire\//u)).toEqual([]);
  });

  it("rooms never import rooms", () => {
    const trespassers = files.flatMap(({ name, text }) => {
      const room = /^rooms\/([^/]+)\//u.exec(name)?.[1];
      const imports = [...text.matchAll(/from "([^"]+)"/gu)].map((match) => match[1] ?? "");
      return room === undefined ? [] : imports.filter((path) => /^\.\.\/(?!\.\.\/)/u.test(path)).map((path) => `${name}: ${path}`);
    });
    expect(trespassers).toEqual([]);
  });

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
