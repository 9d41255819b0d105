import { expect } from "vitest";
import type { Methods } from "@/lib/api/methods";
import { errorBody } from "@/lib/platform/http/fields";
import { call, pathOf, type RequestOptions, readAll, type TestResponse } from "@/lib/tools/test/call";

/** Fails unless the response has this status and exactly these issues, written `field code`. */
export function expectIssues(answer: TestResponse, status: number, issues: string[]): void {
  const found = (answer.json?.errors ?? []).map((issue: { field: string | null; code: string }) =>
    `${issue.field} ${issue.code}`.trim(),
  );
  expect({ status: answer.status, issues: found.sort() }).toEqual({ status, issues: [...issues].sort() });
}

/** Fails unless the response has this status, this code in its first issue, and a message in full sentences. */
export function expectError(answer: TestResponse, status: number, code: string): void {
  expect({ status: answer.status, code: answer.json?.errors?.[0]?.code }).toEqual({ status, code });
  errorBody.strict().parse(answer.json);
  for (const issue of answer.json.errors) {
    expect(Object.keys(issue).sort()).toEqual(["code", "field", "message", "params", "reason"]);
    expect(issue.message).toMatch(/^\S.*[.!?]$/s);
    expect(issue.message).not.toMatch(/select |insert |at .*\.ts:|ZodError/);
  }
}

/**
 * Contract test of a list: the same rows in the same order for every page size; `links.next` is absolute, with all
 * filters and without the credential, and missing at the end; invalid limits and cursors are rejected. `ids` is the
 * expected order, `member` the name of the rows' id.
 */
export async function expectList(
  module: Partial<Methods>,
  path: string,
  key: string,
  ids: string[],
  idField = "id",
): Promise<void> {
  const sent: RequestOptions = { key };
  const at = (query: string) => `${path}${path.includes("?") ? "&" : "?"}${query}`;
  for (const limit of [1, 2, 3, ids.length, ids.length + 1, 1000]) {
    const rows = await readAll(module, at(`limit=${limit}`), sent);
    expect(rows.map((row) => row[idField])).toEqual(ids);
  }

  const first = await call(module, "GET", at(`limit=1&token=${key}`));
  const next = new URL(first.json.links.next);
  expect(next.origin).toBe("http://localhost:3000");
  expect(next.searchParams.has("token")).toBe(false);
  const given = new URL(at("limit=1"), next.origin);
  for (const [name, value] of given.searchParams) expect(next.searchParams.get(name)).toBe(value);
  expect([...next.searchParams.keys()].sort()).toEqual([...given.searchParams.keys(), "after"].sort());
  expect(first.text).not.toContain(key);

  const last = await call(module, "GET", at("limit=1000000000000000000000"), sent);
  expect(last.json.links).toEqual({});
  expect(Object.keys(last.json).sort()).toEqual(["data", "links"]);

  for (const limit of ["0", "-1", "1.5", "ten", "", "1e2", "%20"])
    expectIssues(await call(module, "GET", at(`limit=${limit}`), sent), 400, ["limit invalid_parameter"]);

  const cursor = next.searchParams.get("after") as string;
  const fakeCursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const [order, began, ...rest] = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  const invalidCursors = [
    "",
    "x",
    `${cursor}x`,
    cursor.slice(0, -3),
    `${cursor}==`,
    fakeCursor(null),
    fakeCursor({}),
    fakeCursor([]),
    fakeCursor([`${order}s`, began, ...rest]),
    fakeCursor([order, began, ...rest, "more"]),
    fakeCursor([order, "yesterday", ...rest]),
    fakeCursor([order, began, ...rest.map(() => 1)]),
    fakeCursor([order, began, ...rest.map(() => null)]),
    fakeCursor([order, began, ...rest.map((part: string) => `${part}\0`)]),
    fakeCursor(["x".repeat(5_000), began, ...rest]),
  ];
  if (rest.length > 1) invalidCursors.push(fakeCursor([order, began, "0000-01-01T00:00:00.000Z", ...rest.slice(1)]));
  for (const after of invalidCursors) {
    const answer = await call(module, "GET", at(`limit=1&after=${encodeURIComponent(after)}`), sent);
    expectIssues(answer, 400, ["after invalid_cursor"]);
  }
  const again = await call(module, "GET", pathOf(first.json.links.next), sent);
  expect(again.status).toBe(200);
}

/** Fails unless the list rejects a cursor of another list. */
export async function expectCursorRejected(
  module: Partial<Methods>,
  path: string,
  other: Partial<Methods>,
  otherPath: string,
  key: string,
): Promise<void> {
  const page = await call(other, "GET", `${otherPath}${otherPath.includes("?") ? "&" : "?"}limit=1`, { key });
  const after = new URL(page.json.links.next).searchParams.get("after") as string;
  const answer = await call(module, "GET", `${path}${path.includes("?") ? "&" : "?"}after=${after}`, { key });
  expectIssues(answer, 400, ["after invalid_cursor"]);
}
