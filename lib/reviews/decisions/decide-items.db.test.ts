import { describe, expect, it } from "vitest";
import * as one from "@/app/portal/api/v1/queue/[kind]/[id]/route";
import * as all from "@/app/portal/api/v1/queue/route";
import { transaction } from "@/lib/platform/db/pool";
import { relayToInngest } from "@/lib/platform/jobs/outbox/relay";
import { decideInTransaction, decideItems } from "@/lib/reviews/decisions/decide-items";
import { type TextKind, textKinds } from "@/lib/reviews/decisions/schema";
import { tables } from "@/lib/reviews/decisions/tables";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import {
  aClient,
  aMember,
  anAnswer,
  countBlockedQueries,
  hashDatabase,
  rowsOf,
  someQuestions,
  someReviews,
  someSellerReviews,
  type TestClient,
} from "@/lib/tools/test/factories";

const put = (kind: TextKind, id: string, sent: RequestOptions, body: unknown) =>
  call(one, "PUT", `/portal/api/v1/queue/${kind}/${id}`, { ...sent, body });

/** Creates a pending item of a kind. */
async function pending(client: TestClient, kind: TextKind): Promise<string> {
  if (kind === "review") return (await someReviews(client.id, [{}]))[0] ?? "";
  if (kind === "seller_review") return (await someSellerReviews(client.id, [{}]))[0] ?? "";
  const [question = ""] = await someQuestions(client.id, [{ accepted: kind === "answer" ? true : null }]);
  return kind === "question" ? question : anAnswer(client.id, question, { accepted: null });
}
const stateOf = async (kind: TextKind, id: string) =>
  (
    await rowsOf(
      `select accepted, reject_reason, accepted_at is not null as dated from ${tables[kind]} where id = $1`,
      [id],
    )
  )[0];
const outboxEvents = async (client: TestClient) =>
  (await rowsOf("select name, data from outbox where client_id = $1 order by id", [client.id])).map(
    ({ name, data }) => [name, data.to],
  );

describe.each(textKinds)("a decision on a %s", (kind) => {
  it("changes to every state, with history, and sends events after the undo window", async () => {
    const client = await aClient();
    const id = await pending(client, kind);
    const sent = await aMember(client);
    expect((await put(kind, id, sent, { accepted: true, from: "pending", notify: true })).json).toEqual({
      data: { accepted: true, reject_reason: null, assigned: null },
    });
    expect(await stateOf(kind, id)).toEqual({ accepted: true, reject_reason: null, dated: true });
    const [outboxEvent] = await rowsOf(
      "select data, available_at > now() + interval '5 s' as later from outbox where client_id = $1 and name = $2",
      [client.id, `${kind}/decided`],
    );
    expect(outboxEvent).toMatchObject({
      data: { [`${kind}_id`]: id, from: "pending", to: "accepted", notify: true },
      later: true,
    });
    await put(kind, id, sent, { accepted: false, reject_reason: "personal_data", from: "accepted" });
    expect(await stateOf(kind, id)).toEqual({ accepted: false, reject_reason: "personal_data", dated: false });
    await put(kind, id, sent, { accepted: null, from: "rejected" });
    expect(await stateOf(kind, id)).toEqual({ accepted: null, reject_reason: null, dated: false });
    expect(
      await rowsOf(
        "select actor_kind, action, from_state, to_state, reason from moderation_events where kind = $1 and subject_id = $2 order by id",
        [kind, id],
      ),
    ).toEqual([
      { actor_kind: "user", action: "decided", from_state: "pending", to_state: "accepted", reason: null },
      { actor_kind: "user", action: "decided", from_state: "accepted", to_state: "rejected", reason: "personal_data" },
      { actor_kind: "user", action: "decided", from_state: "rejected", to_state: "pending", reason: null },
    ]);
  });

  it("changes nothing when repeated", async () => {
    const client = await aClient();
    const id = await pending(client, kind);
    const sent = await aMember(client);
    const decision = { accepted: false, reject_reason: "spam", from: "pending" };
    await put(kind, id, sent, decision);
    const before = await hashDatabase();
    const repeated = await put(kind, id, sent, decision);
    expect(repeated.json.data).toEqual({ accepted: false, reject_reason: "spam", assigned: null });
    expect(await hashDatabase()).toBe(before);
  });

  it("returns a conflict naming whoever decided meanwhile; of two concurrent ones, one succeeds", async () => {
    const client = await aClient();
    const id = await pending(client, kind);
    const people = [await aMember(client), await aMember(client)];
    const both = await Promise.all([
      put(kind, id, people[0] as RequestOptions, { accepted: true, from: "pending" }),
      put(kind, id, people[1] as RequestOptions, { accepted: false, reject_reason: "spam", from: "pending" }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const late = both.find(({ status }) => status === 409);
    expect(late?.json.errors[0]).toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/^In the meantime, moderator-\S+ (approved|rejected) it\.$/),
    });
    expect(
      await rowsOf("select action from moderation_events where kind = $1 and subject_id = $2", [kind, id]),
    ).toHaveLength(1);
  });

  it("sends no event if undone in time; later the undo sends one too", async () => {
    const client = await aClient();
    const id = await pending(client, kind);
    const sent = await aMember(client);
    await put(kind, id, sent, { accepted: true });
    await put(kind, id, sent, { accepted: null, undo: true });
    expect(await outboxEvents(client)).toEqual([]);
    expect(await stateOf(kind, id)).toEqual({ accepted: null, reject_reason: null, dated: false });
    await put(kind, id, sent, { accepted: true });
    await rowsOf("update outbox set relayed_at = now(), available_at = now() where client_id = $1", [client.id]);
    await put(kind, id, sent, { accepted: null, undo: true });
    expect((await outboxEvents(client)).filter(([name]) => name === `${kind}/decided`)).toEqual([
      [`${kind}/decided`, "accepted"],
      [`${kind}/decided`, "pending"],
    ]);
  });

  it("sends both events if undone while the first is being sent", async () => {
    const client = await aClient();
    const id = await pending(client, kind);
    const sent = await aMember(client);
    await put(kind, id, sent, { accepted: true });
    await rowsOf("update outbox set available_at = now() where client_id = $1", [client.id]);
    // Sent, but not marked as sent yet.
    await relayToInngest(async () => void (await put(kind, id, sent, { accepted: null, undo: true })));
    expect((await outboxEvents(client)).filter(([name]) => name === `${kind}/decided`)).toEqual([
      [`${kind}/decided`, "accepted"],
      [`${kind}/decided`, "pending"],
    ]);
    // The undo's own event hasn't been sent yet.
    await put(kind, id, sent, { accepted: true, undo: true });
    expect((await outboxEvents(client)).filter(([name]) => name === `${kind}/decided`)).toEqual([
      [`${kind}/decided`, "accepted"],
    ]);
  });

  it("sends both events if the undo had to wait until after the undo window", async () => {
    const client = await aClient();
    const id = await pending(client, kind);
    const sent = await aMember(client);
    await put(kind, id, sent, { accepted: true });
    await transaction(async (db) => {
      // After the transaction began, but due before it reads the pending events.
      await rowsOf("update outbox set available_at = clock_timestamp() from pg_sleep(0.002) where client_id = $1", [
        client.id,
      ]);
      const by = { kind: "user", id: "u" } as const;
      await decideInTransaction(db, by, client.client, kind, id, { accepted: null, undo: true });
    });
    expect((await outboxEvents(client)).filter(([name]) => name === `${kind}/decided`)).toHaveLength(2);
  });

  it.runIf(kind === "review")("reads the item and its history only, however many the store has", async () => {
    const client = await aClient();
    const addReviews = async () => {
      const ids = await someReviews(
        client.id,
        Array.from({ length: 500 }, () => ({})),
      );
      await rowsOf(
        `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, to_state)
         select $1, 'review', unnest($2::text[]), 'author', 'submitted', 'pending'`,
        [client.id, ids],
      );
      return ids;
    };
    await addReviews();
    await rowsOf("vacuum (analyze) reviews, moderation_events");
    const [id = ""] = await addReviews();
    // The counters also have what the connection read shortly before.
    const rowsRead = `select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
                       where relname in ('reviews', 'moderation_events')`;
    const read = await transaction(async (db) => {
      const before = (await db.query(rowsRead)).rows[0].read;
      await decideInTransaction(db, { kind: "user", id: "u" }, client.client, kind, id, { accepted: true });
      return (await db.query(rowsRead)).rows[0].read - before;
    });
    expect(read).toBeGreaterThan(1);
    expect(read).toBeLessThan(20);
  });

  it("requires a moderator of the same client", async () => {
    const [ownClient, otherClient] = [await aClient(), await aClient()];
    const [id, foreign] = [await pending(ownClient, kind), await pending(otherClient, kind)];
    expect((await put(kind, id, await aMember(ownClient, "viewer"), { accepted: true })).status).toBe(403);
    expect((await put(kind, id, { key: ownClient.key }, { accepted: true })).status).toBe(401);
    expect((await put(kind, foreign, await aMember(ownClient), { accepted: true })).status).toBe(404);
    expect((await put(kind, id, await aMember(ownClient), { accepted: true, reject_reason: "spam" })).status).toBe(422);
    expect((await put(kind, id, await aMember(ownClient), { reject_reason: "no such" })).status).toBe(422);
    expect([await stateOf(kind, id), await stateOf(kind, foreign)]).toMatchObject([
      { accepted: null },
      { accepted: null },
    ]);
  });
});

it("rejects unknown kinds", async () => {
  const client = await aClient();
  expect((await put("order" as TextKind, "1", await aMember(client), { accepted: true })).status).toBe(404);
});

describe("decisions on many items", () => {
  const putAll = (sent: RequestOptions, items: unknown[], how: object = {}) =>
    call(all, "PUT", "/portal/api/v1/queue", {
      ...sent,
      body: { items, ...how },
    });
  const accepting = (kind: TextKind, id: string) => ({
    kind,
    id,
    accepted: true,
    from: "pending",
  });

  it("decides 197 of 200 items and reports the three conflicts", async () => {
    const client = await aClient();
    const ids = await someReviews(
      client.id,
      Array.from({ length: 200 }, () => ({})),
    );
    const [firstMember, secondMember] = [await aMember(client), await aMember(client)];
    const [first = "", second = "", third = "", ...rest] = ids;
    await put("review", first, secondMember, {
      accepted: false,
      reject_reason: "spam",
    });
    await put("review", second, secondMember, { accepted: true });
    await put("review", second, secondMember, { accepted: null });
    await put("review", second, secondMember, {
      accepted: false,
      reject_reason: "price",
    });
    await rowsOf("delete from reviews where id = $1", [third]);
    const answer = await putAll(
      firstMember,
      ids.map((id) => accepting("review", id)),
      { notify: true },
    );
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json.data.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(answer.json.data.slice(0, 4)).toEqual([
      {
        kind: "review",
        id: first,
        outcome: "conflict",
        message: expect.stringMatching(/^In the meantime, moderator-\S+ rejected it\.$/),
        reason: "decided_meanwhile",
        params: { by: "person", name: expect.stringMatching(/^moderator-/), action: "rejected" },
        accepted: false,
        reject_reason: "spam",
        assigned: null,
      },
      expect.objectContaining({
        id: second,
        outcome: "conflict",
        accepted: false,
        reject_reason: "price",
      }),
      expect.objectContaining({
        id: third,
        outcome: "gone",
        message: "This review doesn’t exist or has been deleted.",
      }),
      {
        kind: "review",
        id: rest[0],
        outcome: "done",
        message: null,
        reason: null,
        params: {},
        accepted: true,
        reject_reason: null,
        assigned: null,
      },
    ]);
    expect(
      await rowsOf("select accepted, count(*)::int from reviews where client_id = $1 group by 1 order by 1", [
        client.id,
      ]),
    ).toEqual([
      { accepted: false, count: 2 },
      { accepted: true, count: 197 },
    ]);
    expect(
      await rowsOf(
        `select count(*)::int, count(distinct subject_id)::int as items, count(distinct actor_id)::int as people
           from moderation_events where client_id = $1 and subject_id = any($2) and to_state = 'accepted'`,
        [client.id, rest],
      ),
    ).toEqual([{ count: 197, items: 197, people: 1 }]);
    expect(
      await rowsOf(
        `select count(*)::int from outbox where client_id = $1 and name = 'review/decided' and available_at > now()
            and (data ->> 'notify')::boolean and data ->> 'review_id' = any($2)`,
        [client.id, rest],
      ),
    ).toEqual([{ count: 197 }]);

    // Undone in one call, without any event.
    const before = await rowsOf("select count(*)::int from outbox where client_id = $1", [client.id]);
    const undoResult = await putAll(
      firstMember,
      rest.map((id) => ({
        kind: "review",
        id,
        accepted: null,
        from: "accepted",
      })),
      { undo: true },
    );
    expect(undoResult.json.data.every(({ outcome }: { outcome: string }) => outcome === "done")).toBe(true);
    const after = await rowsOf("select count(*)::int from outbox where client_id = $1", [client.id]);
    expect(after[0].count).toBe(before[0].count - 197);
    expect(
      await rowsOf("select count(*)::int from reviews where client_id = $1 and accepted is null", [client.id]),
    ).toEqual([{ count: 197 }]);
  });

  it("accept mixed kinds with a decision per item, and change nothing when repeated", async () => {
    const client = await aClient();
    const [[a = "", b = ""], [s = ""], [q = "", asked = ""]] = await Promise.all([
      someReviews(client.id, [{}, { accepted: true }]),
      someSellerReviews(client.id, [{}]),
      someQuestions(client.id, [{}, { accepted: true }]),
    ]);
    const reply = await anAnswer(client.id, asked, { accepted: null });
    const sent = await aMember(client);
    const items = [
      { kind: "answer", id: reply, accepted: true, from: "pending" },
      {
        kind: "review",
        id: a,
        accepted: false,
        reject_reason: "spam",
        from: "pending",
      },
      { kind: "question", id: q, accepted: true, from: "pending" },
      { kind: "review", id: b, accepted: null, from: "accepted" },
      { kind: "seller_review", id: s, accepted: true, from: "pending" },
    ];
    const answer = await putAll(sent, items);
    expect(answer.json.data.map(({ id, outcome, accepted }: never) => [id, outcome, accepted])).toEqual([
      [reply, "done", true],
      [a, "done", false],
      [q, "done", true],
      [b, "done", null],
      [s, "done", true],
    ]);
    expect((await outboxEvents(client)).map(([name]) => name).sort()).toEqual([
      "answer/decided",
      "question/decided",
      "question/replied",
      "review/decided",
      "review/decided",
      "seller_review/decided",
    ]);
    const before = await hashDatabase();
    expect((await putAll(sent, items)).json.data.map(({ outcome }: { outcome: string }) => outcome)).toEqual(
      Array(5).fill("done"),
    );
    expect(await hashDatabase()).toBe(before);
  });

  it("don't apply to a text that its author changed after the person saw it", async () => {
    const client = await aClient();
    const [id = "", other = ""] = await someReviews(client.id, [{}, {}]);
    const sent = await aMember(client);
    const edited = () =>
      rowsOf(
        `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, from_state, to_state)
         values ($1, 'review', $2, 'author', 'edited', 'pending', 'pending')`,
        [client.id, id],
      );
    const revision = async () =>
      (await call(one, "GET", `/portal/api/v1/queue/review/${id}?client_id=${client.id}`, sent)).json.data.item
        .revision;
    expect(await revision()).toBe("0");
    await edited();
    // Changed again within a second or a millisecond, it still counts as another text.
    const item = { ...accepting("review", id), seen: await revision() };
    await edited();
    const [lost, done] = (await putAll(sent, [item, { ...item, id: other }])).json.data;
    expect(lost).toMatchObject({
      outcome: "conflict",
      message: "In the meantime, the author changed it.",
      accepted: null,
    });
    expect(done.outcome).toBe("done");
    expect((await put("review", id, sent, { ...item, kind: undefined })).status).toBe(409);
    const again = await putAll(sent, [{ ...item, seen: await revision() }]);
    expect(again.json.data[0].outcome).toBe("done");
  });

  it("decide each item once if two people send the same items in reverse order", async () => {
    const client = await aClient();
    const questions = await someQuestions(
      client.id,
      Array.from({ length: 8 }, () => ({})),
    );
    const answers = await Promise.all(questions.map((id) => anAnswer(client.id, id, { accepted: null })));
    const items = [
      ...questions.map((id) => accepting("question", id)),
      ...answers.map((id) => accepting("answer", id)),
    ];
    const people = await Promise.all([aMember(client), aMember(client), aMember(client)]);
    const all = await Promise.all(
      people.map((sent, turn) =>
        putAll(
          sent,
          (turn % 2 ? items.toReversed() : items).map((item) =>
            turn === 0 ? item : { ...item, accepted: false, reject_reason: "spam" },
          ),
        ),
      ),
    );
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    const decided = await rowsOf(
      "select subject_id, count(*)::int as n from moderation_events where client_id = $1 and action = 'decided' group by 1",
      [client.id],
    );
    expect(decided.map(({ n }) => n)).toEqual(Array(16).fill(1));
  });

  it("lock questions first, so that concurrent selections don't deadlock", async () => {
    const client = await aClient();
    const [review = ""] = await someReviews(client.id, [{}]);
    const [first = "", second = ""] = (await someQuestions(client.id, [{}, {}])).sort();
    const answers = await Promise.all([first, second].map((id) => anAnswer(client.id, id, { accepted: null })));
    const decide = (...items: [TextKind, string][]) =>
      decideItems(
        { kind: "user", id: "somebody" },
        { id: client.id, auto_moderate: false },
        items.map(([kind, id]) => ({ kind, id, accepted: true })),
        {},
      ).then((outcomes) => outcomes.map(({ outcome }) => outcome));
    let both: Promise<unknown> = Promise.resolve();
    await transaction(async (db) => {
      await db.query("select from questions where id = $1 for update", [second]);
      // Locks the first question and waits for the second, before it gets to the review …
      const one = decide(["review", review], ...answers.map((id): [TextKind, string] => ["answer", id]));
      await expect.poll(countBlockedQueries).toBe(1);
      // … which this call must not lock while it waits for the first question.
      const two = decide(["review", review], ["question", first]);
      both = Promise.allSettled([one, two]);
      await expect.poll(countBlockedQueries).toBe(2);
    });
    expect(await both).toMatchObject([
      { status: "fulfilled", value: ["done", "done", "done"] },
      { status: "fulfilled", value: ["done", "done"] },
    ]);
  });

  it("require a moderator of the same client, and reject invalid ones", async () => {
    const [ownClient, otherClient] = [await aClient(), await aClient()];
    const [id, foreign] = [await pending(ownClient, "review"), await pending(otherClient, "review")];
    const sent = await aMember(ownClient);
    const viewer = await aMember(ownClient, "viewer");
    const before = await hashDatabase();
    const one = accepting("review", id);
    expect((await putAll(viewer, [one])).status).toBe(403);
    expect((await putAll({ key: ownClient.key }, [one])).status).toBe(401);
    for (const items of [
      [],
      Array.from({ length: 201 }, (_, n) => accepting("review", String(n))),
      [one, one],
      [{ ...one, kind: "order" }],
      [{ ...one, seen: "2026-01-15T10:00:00Z" }],
      [{ ...one, reject_reason: "spam" }],
    ])
      expect((await putAll(sent, items)).status, JSON.stringify(items).slice(0, 99)).toBe(422);
    expect((await putAll(sent, [accepting("review", foreign)])).json.data).toMatchObject([{ outcome: "gone" }]);
    expect(await hashDatabase()).toBe(before);
    expect((await putAll(sent, [{ ...one, seen: "0" }])).json.data[0].outcome).toBe("done");
  });
});
