/** One request to the daemon. What goes wrong is always a `Problem`: the daemon's own, or one that says it is unreachable. */

export class Problem extends Error {
  constructor(
    /** HTTP status; 0 when the daemon did not answer at all. */
    readonly status: number,
    readonly code: string,
    message: string,
    /** What the person can do about it; may be empty. */
    readonly remedy: string,
    /** Which field of what was sent is meant, if one is. */
    readonly field: string | null = null,
  ) {
    super(message);
  }

  /** Worth sending again unchanged: the daemon was away, busy, or wants its token first. */
  get passes(): boolean {
    return this.status === 0 || this.status === 401 || this.status === 429 || this.status >= 500;
  }
}

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** A JSON value is sent as JSON, a Blob as it is. */
export async function call<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method, credentials: "same-origin", headers: { Accept: "application/json" } };
  if (body instanceof Blob) {
    init.body = body;
    init.headers = { Accept: "application/json", "Content-Type": "application/octet-stream" };
  } else if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { Accept: "application/json", "Content-Type": "application/json" };
  }
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch (error) {
    if (error instanceof TypeError) throw new Problem(0, "away", "", "");
    throw error;
  }
  if (!answer.ok) throw await problem(answer);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

async function problem(answer: Response): Promise<Problem> {
  const text = await answer.text();
  const said = answer.headers.get("Content-Type")?.includes("json") ? (JSON.parse(text) as Record<string, unknown>) : {};
  const word = (key: string): string => (typeof said[key] === "string" ? said[key] : "");
  const message = word("detail") || word("title") || answer.statusText;
  return new Problem(answer.status, word("code") || `http-${answer.status}`, message, word("do"), word("field") || null);
}

/** A path with its query; parameters that are undefined are left out. */
export function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
