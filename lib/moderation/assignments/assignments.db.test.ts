import { describe, expect, it } from "vitest";
import * as colleagues from "@/app/portal/api/v1/colleagues/route";
import * as assignment from "@/app/portal/api/v1/queue/[kind]/[id]/assignment/route";
import * as item from "@/app/portal/api/v1/queue/[kind]/[id]/route";
import * as queue from "@/app/portal/api/v1/queue/route";
import * as person from "@/app/portal/api/v1/users/[id]/route";
import { selectQueueKeys } from "@/lib/moderation/queue/sql";
import { call } from "@/lib/tools/test/call";
import {
  aClient,
  aMember,
  anAnswer,
  hashDatabase,
  rowsOf,
  someQuestions,
  someReviews,
  type TestMember,
} from "@/lib/tools/test/factories";
import { expectError } from "@/lib/tools/test/lists";
import { captureStatement, queryCost } from "@/lib/tools/test/query-cost";

const QUEUE = "/portal/api/v1/queue";

const assign = ({ headers }: TestMember, id: string, user_id: string | null, from: string | null, kind = "review") =>
  call(assignment, "PUT", `${QUEUE}/${kind}/${id}/assignment`, { headers, body: { user_id, from } });
const assigneeOf = async (id: string): Promise<string | null> =>
  (await rowsOf("select user_id from item_assignments where subject_id = $1", [id]))[0]?.user_id ?? null;
const listed = async ({ headers }: TestMember, filter: string): Promise<string[]> =>
  (await call(queue, "GET", `${QUEUE}?${filter}`, { headers })).json.data.map(({ id }: { id: string }) => id);

describe("an assignment", () => {
  it("shows who has the item, moves to a colleague, and can be removed", async () => {
    const client = await aClient();
    const [id = ""] = await someReviews(client.id, [{}]);
    const [ada, mia] = [await aMember(client), await aMember(client, "admin")];
    const taken = await assign(ada, id, ada.id, null);
    expect(taken.json.data).toEqual({ assigned: { id: ada.id, name: ada.name } });
    const shown = await call(item, "GET", `${QUEUE}/review/${id}`, { headers: mia.headers });
    expect(shown.json.data.item.assigned).toEqual({ id: ada.id, name: ada.name });
    expect((await assign(ada, id, mia.id, ada.id)).json.data.assigned.id).toBe(mia.id);
    // A repeated call, such as a double click, changes nothing.
    expect((await assign(ada, id, mia.id, ada.id)).json.data.assigned.id).toBe(mia.id);
    expect((await assign(mia, id, null, mia.id)).json.data).toEqual({ assigned: null });
    expect(await assigneeOf(id)).toBeNull();
  });

  it("goes to one of two people at once, and the other learns who has it", async () => {
    const client = await aClient();
    const [id = ""] = await someReviews(client.id, [{}]);
    const [ada, mia] = [await aMember(client), await aMember(client)];
    const answers = await Promise.all([assign(ada, id, ada.id, null), assign(mia, id, mia.id, null)]);
    const won = answers.find(({ status }) => status === 200);
    const lost = answers.find(({ status }) => status === 409);
    expect(lost?.json.errors).toMatchObject([
      { code: "conflict", reason: "assigned_meanwhile", params: { name: won?.json.data.assigned.name } },
    ]);
    expect(await assigneeOf(id)).toBe(won?.json.data.assigned.id);
    const before = await hashDatabase();
    expectError(await assign(mia, id, null, mia.id === won?.json.data.assigned.id ? ada.id : mia.id), 409, "conflict");
    expect(await hashDatabase()).toBe(before);
  });

  it("ends with the decision, and isn't possible after it", async () => {
    const client = await aClient();
    const [id = ""] = await someReviews(client.id, [{}]);
    const ada = await aMember(client);
    await assign(ada, id, ada.id, null);
    const decided = await call(item, "PUT", `${QUEUE}/review/${id}`, {
      headers: ada.headers,
      body: { accepted: true },
    });
    expect(decided.status).toBe(200);
    expect(await assigneeOf(id)).toBeNull();
    const late = await assign(ada, id, ada.id, null);
    expect(late.json.errors).toMatchObject([{ code: "conflict", reason: "decided_before_assigned" }]);
  });

  it("is restored when the decision is undone, unless the person may no longer moderate", async () => {
    const client = await aClient();
    const [one = "", two = "", three = "", four = ""] = await someReviews(client.id, [{}, {}, {}, {}]);
    const [question = ""] = await someQuestions(client.id, [{}]);
    const [ada, mia, former] = [await aMember(client), await aMember(client), await aMember(client)];
    await assign(ada, one, mia.id, null);
    await assign(ada, two, ada.id, null);
    await assign(ada, three, former.id, null);
    await assign(ada, question, mia.id, null, "question");
    const decide = async (body: object, id: string) => {
      const decided = await call(item, "PUT", `${QUEUE}/review/${id}`, { headers: ada.headers, body });
      expect(decided.status).toBe(200);
      return decided.json.data;
    };
    expect((await decide({ accepted: false, from: "pending" }, one)).assigned).toBeNull();
    const undone = await decide({ accepted: null, from: "rejected", undo: true }, one);
    expect(undone).toEqual({ accepted: null, reject_reason: null, assigned: { id: mia.id, name: mia.name } });
    expect(await assigneeOf(one)).toBe(mia.id);
    // Several together; one was never assigned.
    const items = [two, three, four].map((id) => ({ kind: "review", id })).concat({ kind: "question", id: question });
    const decideAll = async (decision: object, undo: boolean) => {
      const body = { items: items.map((one) => ({ ...one, ...decision })), undo };
      const { json } = await call(queue, "PUT", QUEUE, { headers: ada.headers, body });
      expect(json.data.map(({ outcome }: { outcome: string }) => outcome)).toEqual(items.map(() => "done"));
      return json.data.map(({ assigned }: { assigned: { id: string } | null }) => assigned?.id ?? null);
    };
    await decideAll({ accepted: true, from: "pending" }, false);
    await rowsOf("update users set role = 'viewer' where id = $1", [former.id]);
    expect(await decideAll({ accepted: null, from: "accepted" }, true)).toEqual([ada.id, null, null, mia.id]);
    expect(await Promise.all([two, three, four, question].map(assigneeOf))).toEqual([ada.id, null, null, mia.id]);
    // Moving an item back to pending later isn't an undo.
    await decide({ accepted: true, from: "pending" }, one);
    await decide({ accepted: null, from: "accepted" }, one);
    expect(await assigneeOf(one)).toBeNull();
    // Undoing a change of a decision leaves the item decided.
    await decide({ accepted: true, from: "pending" }, two);
    await decide({ accepted: false, from: "accepted" }, two);
    await decide({ accepted: true, from: "rejected", undo: true }, two);
    expect(await assigneeOf(two)).toBeNull();
    // Undone to pending, the item is assigned as before the first decision.
    await decide({ accepted: null, from: "accepted", undo: true }, two);
    expect(await assigneeOf(two)).toBe(ada.id);
  });

  it("ends with the item, including the answers of a deleted question", async () => {
    const client = await aClient();
    const [review = ""] = await someReviews(client.id, [{}]);
    const [question = ""] = await someQuestions(client.id, [{}]);
    const answer = await anAnswer(client.id, question, { accepted: null });
    const ada = await aMember(client);
    for (const [kind, id] of Object.entries({ review, question, answer }))
      expect((await assign(ada, id, ada.id, null, kind)).status, kind).toBe(200);
    await rowsOf("delete from reviews where client_id = $1", [client.id]);
    await rowsOf("delete from questions where client_id = $1", [client.id]);
    expect(await rowsOf("select kind from item_assignments where client_id = $1", [client.id])).toEqual([]);
  });

  it("ends when the person is deactivated, becomes a viewer, loses access or is deleted", async () => {
    const [client, other] = [await aClient(), await aClient()];
    const ids = await someReviews(client.id, [{}, {}, {}, {}, {}]);
    const boss = await aMember(client, "operator");
    const people = await Promise.all(ids.map(() => aMember(client)));
    await rowsOf(
      "insert into item_assignments (client_id, kind, subject_id, user_id) select $1, 'review', * from unnest($2::text[], $3::text[])",
      [client.id, ids, people.map(({ id }) => id)],
    );
    const [off, demoted, moved, deleted, kept] = people.map(({ id }) => id);
    const change = async (id: string | undefined, body: unknown) =>
      expect(
        (
          await call(person, "PUT", `/portal/api/v1/users/${id}?client_id=${client.id}`, {
            headers: boss.headers,
            body,
          })
        ).status,
      ).toBeLessThan(300);
    await change(off, { disabled: true });
    await change(demoted, { role: "viewer" });
    await change(moved, { clients: [other.id] });
    // Access in another way is still access.
    await change(kept, { all_clients: true });
    await rowsOf("delete from users where id = $1", [deleted]);
    expect(await rowsOf("select user_id from item_assignments where client_id = $1", [client.id])).toEqual([
      { user_id: kept },
    ]);
  });

  it("is only for people who may moderate the store, and by them", async () => {
    const [client, foreign] = [await aClient(), await aClient()];
    const [id = ""] = await someReviews(client.id, [{}]);
    const [theirs = ""] = await someReviews(foreign.id, [{}]);
    const [ada, viewer, stranger] = [await aMember(client), await aMember(client, "viewer"), await aMember(foreign)];
    const operator = await aMember(client, "operator");
    const before = await hashDatabase();
    for (const user of [viewer.id, stranger.id, operator.id, "usr_none"])
      expect((await assign(ada, id, user, null)).json.errors).toMatchObject([
        { field: "user_id", reason: "not_a_moderator" },
      ]);
    expectError(await assign(viewer, id, viewer.id, null), 403, "forbidden");
    expectError(await assign(ada, theirs, ada.id, null), 404, "not_found");
    expectError(await assign(ada, "none", ada.id, null), 404, "not_found");
    expect(await hashDatabase()).toBe(before);
    const { json } = await call(colleagues, "GET", "/portal/api/v1/colleagues", { headers: ada.headers });
    expect(json.data).toEqual([{ id: ada.id, name: ada.name }]);
    const seen = await call(colleagues, "GET", `/portal/api/v1/colleagues?client_id=${client.id}`, {
      headers: operator.headers,
    });
    expect(seen.json.data).toEqual([
      { id: ada.id, name: ada.name },
      { id: operator.id, name: operator.name },
    ]);
  });
});

describe("the filter by assignment", () => {
  it("lists one's own items, or those of nobody", async () => {
    const client = await aClient();
    const [mine = "", hers = "", free = ""] = await someReviews(client.id, [{}, {}, {}]);
    const [question = ""] = await someQuestions(client.id, [{}]);
    const [ada, mia] = [await aMember(client), await aMember(client)];
    await assign(ada, mine, ada.id, null);
    await assign(ada, question, ada.id, null, "question");
    await assign(mia, hers, mia.id, null);
    expect((await listed(ada, "assigned=me")).sort()).toEqual([mine, question].sort());
    expect(await listed(mia, "assigned=me")).toEqual([hers]);
    expect(await listed(mia, "assigned=none")).toEqual([free]);
  });

  it("reads a bounded number of rows, wherever the items are", async () => {
    const client = await aClient();
    const ada = await aMember(client);
    const ROWS = 10_000;
    await rowsOf(
      `insert into reviews (client_id, id, source, date, feedback_token, created_at, product_id, family_id, score)
       select $1, to_char(n, 'FM0000000000000000'), 'web', '2026-01-01', 'assigned/' || $1 || n,
              now() - make_interval(secs => ${ROWS} - n), 'p', 'p', 3 from generate_series(1, ${ROWS}) n`,
      [client.id],
    );
    await rowsOf(
      `insert into item_assignments (client_id, kind, subject_id, user_id)
       select client_id, 'review', id, $2 from reviews where client_id = $1 order by created_at desc limit 40`,
      [client.id, ada.id],
    );
    // Enough of others that PostgreSQL doesn't read all of them for each row.
    const mia = await aMember(client);
    await rowsOf(
      `insert into item_assignments (client_id, kind, subject_id, user_id)
       select $1, 'question', n::text, $2 from generate_series(1, 5000) n`,
      [client.id, mia.id],
    );
    for (const table of ["reviews", "item_assignments"]) await rowsOf(`analyze ${table}`);
    const shop = { id: client.id, require_verification: false };
    const costOf = async (assigned: "me" | "none", limit: number) =>
      queryCost(
        await captureStatement((db) =>
          selectQueueKeys(db, shop, { kind: "review", status: "pending", assigned }, ada.id, null, null, {
            scanned: limit,
            hits: 31,
          }),
        ),
      );
    expect((await costOf("me", 31)).read).toBeLessThanOrEqual(200);
    const none = await costOf("none", 2_000);
    expect([none.read <= 2_100, none.seqScans]).toEqual([true, []]);
  });
});
