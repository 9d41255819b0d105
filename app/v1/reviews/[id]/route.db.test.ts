import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as one from "@/app/v1/reviews/[id]/route";
import * as summaries from "@/app/v1/summaries/route";
import { rejectReasons } from "@/lib/reviews/decisions/schema";
import { call } from "@/lib/tools/test/call";
import {
  aClient,
  aUser,
  hashDatabase,
  rowsOf,
  someProducts,
  someReviews,
  type TestClient,
} from "@/lib/tools/test/factories";
import { expectIssues } from "@/lib/tools/test/lists";

let shop: TestClient;
let id: string;

beforeAll(async () => {
  shop = await aClient();
  await someProducts(shop.id, [{ id: "lamp", family_id: "lamps" }]);
});
beforeEach(async () => {
  [id = ""] = await someReviews(shop.id, [
    { product_id: "lamp", family_id: "lamps", score: 4, updated_at: new Date("2026-01-01T00:00:00Z") },
  ]);
});

const put = (review: unknown, sent: Parameters<typeof call>[3] = { key: shop.key }) =>
  call(one, "PUT", `/v1/reviews/${id}`, { ...sent, body: { review } });
const history = () =>
  rowsOf(
    "select actor_kind, actor_id, action, from_state, to_state, reason from moderation_events where client_id = $1 and subject_id = $2 order by id",
    [shop.id, id],
  );
const outboxEvents = () => rowsOf("select name, data from outbox where data->>'review_id' = $1 order by id", [id]);
const summary = async () =>
  (await call(summaries, "GET", "/v1/summaries", { key: shop.key })).json.data.find(
    (row: { id: string }) => row.id === "lamp",
  );

describe("PUT /v1/reviews/{id}", () => {
  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const states = {
    accepted: { sent: { accepted: true }, shown: { accepted: true, accepted_at: moment, reject_reason: null } },
    rejected: {
      sent: { accepted: false, reject_reason: "spam" },
      shown: { accepted: false, accepted_at: null, reject_reason: "spam" },
    },
    pending: { sent: { accepted: null }, shown: { accepted: null, accepted_at: null, reject_reason: null } },
  } as const;
  const names = Object.keys(states) as (keyof typeof states)[];

  it.each(names.flatMap((from) => names.map((to) => [from, to] as const)))("moves from %s to %s", async (from, to) => {
    await put(states[from].sent);
    const historyBefore = (await history()).length;
    const factsBefore = (await outboxEvents()).length;
    const [rowBefore] = await rowsOf("select * from reviews where id = $1", [id]);
    const answer = await put(states[to].sent);
    expect(answer.status).toBe(200);
    expect(answer.json.data).toMatchObject({ id, ...states[to].shown });
    expect((await call(one, "GET", `/v1/reviews/${id}`, { key: shop.key })).json).toEqual(answer.json);
    const [row] = await rowsOf("select * from reviews where id = $1", [id]);
    if (from === to) {
      // A change to the same state changes nothing.
      expect(row).toEqual(rowBefore);
      expect(await history()).toHaveLength(historyBefore);
      expect(await outboxEvents()).toHaveLength(factsBefore);
      return;
    }
    expect(row.updated_at > rowBefore.updated_at).toBe(true);
    expect((await history()).slice(historyBefore)).toEqual([
      {
        actor_kind: "key",
        actor_id: shop.keyId,
        action: "decided",
        from_state: from,
        to_state: to,
        reason: to === "rejected" ? "spam" : null,
      },
    ]);
    expect((await outboxEvents()).slice(factsBefore)).toEqual([
      { name: "review/decided", data: { client_id: shop.id, review_id: id, from, to, notify: false } },
    ]);
  });

  it("updates the summaries", async () => {
    const before = await summary();
    await put({ accepted: true });
    const during = await summary();
    expect(during.your_review_count).toBe(before.your_review_count + 1);
    expect(during.your_score_dist[3]).toBe(before.your_score_dist[3] + 1);
    await put({ accepted: false });
    expect(await summary()).toEqual(before);
  });

  it("sets unspecified as the reason of a rejection without one, and changes reasons", async () => {
    expect((await put({ accepted: false })).json.data.reject_reason).toBe("unspecified");
    expect((await put({ reject_reason: "price" })).json.data).toMatchObject({
      accepted: false,
      reject_reason: "price",
    });
    expect((await put({ accepted: false })).json.data.reject_reason).toBe("price");
    expect((await put({ accepted: false, reject_reason: null })).json.data.reject_reason).toBe("unspecified");
    expect((await history()).map(({ reason }) => reason)).toEqual(["unspecified", "price", "unspecified"]);
  });

  it.each(rejectReasons)("accepts the reason %s", async (reject_reason) => {
    expect((await put({ accepted: false, reject_reason })).json.data.reject_reason).toBe(reject_reason);
  });

  it("changes nothing for an empty body", async () => {
    const before = await hashDatabase();
    expect((await put({})).status).toBe(200);
    expect((await put({ author: undefined, colour: "red" })).status).toBe(200);
    expect(await hashDatabase()).toBe(before);
  });

  it("requires a moderator and records who changed the review", async () => {
    const moderator = await aUser("moderator", { clients: [shop.id] });
    expect((await put({ accepted: true }, { basic: moderator.basic })).status).toBe(200);
    const [entry] = await history();
    const [user] = await rowsOf("select id from users where username = $1", [moderator.username]);
    expect(entry).toMatchObject({ actor_kind: "user", actor_id: user.id });
    const viewer = await aUser("viewer", { clients: [shop.id] });
    const before = await hashDatabase();
    expectIssues(await put({ accepted: false }, { basic: viewer.basic }), 403, ["null forbidden"]);
    expect(await hashDatabase()).toBe(before);
  });

  it("requests an email to the author", async () => {
    await put({ accepted: false, notify: true });
    expect((await outboxEvents())[0].data.notify).toBe(true);
  });

  it("writes a consistent history under concurrent changes", async () => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        put({ accepted: ([true, false, null] as const)[index % 3] as boolean | null }),
      ),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const entries = await history();
    let state = "pending";
    for (const entry of entries) {
      expect(entry.from_state).toBe(state);
      expect(entry.to_state).not.toBe(state);
      state = entry.to_state;
    }
    const { accepted } = (await call(one, "GET", `/v1/reviews/${id}`, { key: shop.key })).json.data;
    expect(accepted === null ? "pending" : accepted ? "accepted" : "rejected").toBe(state);
    expect(await outboxEvents()).toHaveLength(entries.length);
  });

  const bad: [name: string, body: unknown, issues: string[]][] = [
    ["nothing", "null", ["null"]],
    ["no review", {}, ["review"]],
    ["a list", [], ["null"]],
    ["a review that is none", { review: [] }, ["review"]],
    [
      "wrong types",
      { review: { accepted: "true", reject_reason: 1, notify: "yes" } },
      ["review.accepted", "review.reject_reason", "review.notify"],
    ],
    ["a number for a decision", { review: { accepted: 1 } }, ["review.accepted"]],
    ["a reason of one's own", { review: { accepted: false, reject_reason: "because" } }, ["review.reject_reason"]],
    [
      "a reason that is no text",
      '{"review":{"accepted":false,"reject_reason":"\\u0000"}}',
      ["review.reject_reason", "review.reject_reason"],
    ],
    ["a reason for nothing", { review: { reject_reason: "spam" } }, ["review.reject_reason"]],
    ["a reason for accepting", { review: { accepted: true, reject_reason: "spam" } }, ["review.reject_reason"]],
  ];
  it.each(bad)("rejects %s and changes nothing", async (_, body, fields) => {
    const before = await hashDatabase();
    const answer = await call(one, "PUT", `/v1/reviews/${id}`, { key: shop.key, body });
    expectIssues(
      answer,
      422,
      fields.map((field) => `${field} invalid_field`),
    );
    expect(await hashDatabase()).toBe(before);
  });

  it("protects the history from changes", async () => {
    await put({ accepted: true });
    await expect(rowsOf("update moderation_events set reason = 'x' where subject_id = $1", [id])).rejects.toThrow(
      /append-only/,
    );
    await expect(rowsOf("delete from moderation_events where subject_id = $1", [id])).rejects.toThrow(/append-only/);
  });
});
