import { describe, expect, it } from "vitest";
import * as reply from "@/app/portal/api/v1/queue/[kind]/[id]/replies/[reply]/route";
import * as replies from "@/app/portal/api/v1/queue/[kind]/[id]/replies/route";
import * as oneCase from "@/app/portal/api/v1/queue/[kind]/[id]/route";
import * as question from "@/app/v1/questions/[id]/route";
import * as review from "@/app/v1/reviews/[id]/route";
import { relayToInngest } from "@/lib/platform/jobs/outbox/relay";
import type { RepliedKind } from "@/lib/reviews/replies/schema";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import {
  aClient,
  aMember,
  hashDatabase,
  rowsOf,
  someQuestions,
  someReviews,
  someSellerReviews,
  type TestClient,
} from "@/lib/tools/test/factories";

const QUEUE = "/portal/api/v1/queue";
const write = (
  kind: RepliedKind,
  id: string,
  sent: RequestOptions,
  body: unknown = { text: "It takes an E27 bulb." },
) => call(replies, "POST", `${QUEUE}/${kind}/${id}/replies`, { ...sent, body });
const events = (client: TestClient) =>
  rowsOf(
    `select name, data - 'client_id' as data, available_at > now() + interval '5 s' as later from outbox
      where client_id = $1 order by id`,
    [client.id],
  );
const historyOf = (id: string) =>
  rowsOf("select kind, actor_kind, action, to_state, texts from moderation_events where subject_id = $1 order by id", [
    id,
  ]);

describe("an answer to a question", () => {
  it("is published immediately in the store's name, in its own language, with a delayed event and history", async () => {
    const client = await aClient({ display_name: "Lampor & Ljus" });
    const [id = ""] = await someQuestions(client.id, [{ accepted: true, lang: "sv" }]);
    const sent = await aMember(client);
    const text = "Ja, den går utmärkt att dimra med en vanlig dimmer på väggen.";
    const made = await write("question", id, sent, { text: ` ${text} ` });
    expect(made.status, made.text).toBe(201);
    const shown = (await call(question, "GET", `/v1/questions/${id}`, { key: client.key })).json.data;
    expect(shown.answers).toEqual([
      { author: "Lampor & Ljus", date: expect.stringMatching(/^\d{4}-/), answer: text, lang: "sv" },
    ]);
    const answer = { question_id: id, answer_id: made.json.data.id };
    expect(await events(client)).toEqual([{ name: "question/replied", data: answer, later: true }]);
    expect(await historyOf(id)).toMatchObject([{ kind: "question", actor_kind: "user", action: "replied" }]);
    const { item, context } = (await call(oneCase, "GET", `${QUEUE}/question/${id}`, sent)).json.data;
    expect(item).toMatchObject({ kind: "question", title: "Which bulb?", score: null, replies: 1 });
    expect(context.replies).toMatchObject([{ id: made.json.data.id, text, accepted: true, mailed_at: null }]);
  });

  it("can accept a pending question along with it, and otherwise waits for it", async () => {
    const client = await aClient();
    const [a = "", b = ""] = await someQuestions(client.id, [{}, {}]);
    const sent = await aMember(client);
    await write("question", a, sent, { text: "E27.", accept: true });
    await write("question", b, sent, { text: "E27." });
    const rows = await rowsOf("select accepted, answer_count from questions where client_id = $1 order by accepted", [
      client.id,
    ]);
    expect(rows).toEqual([
      { accepted: true, answer_count: 1 },
      { accepted: null, answer_count: 1 },
    ]);
    expect((await events(client)).map(({ name }) => name)).toEqual([
      "question/replied",
      "question/decided",
      "question/replied",
    ]);
  });

  it("is written once for a double click, even concurrently", async () => {
    const client = await aClient();
    const [id = ""] = await someQuestions(client.id, [{ accepted: true }]);
    const sent = await aMember(client);
    const made = await Promise.all([1, 2, 3].map(() => write("question", id, sent)));
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(made.map(({ json }) => json.data.id)).size).toBe(1);
    expect(await rowsOf("select answer_count from questions where id = $1", [id])).toEqual([{ answer_count: 1 }]);
    expect(await events(client)).toHaveLength(1);
    // Another person may write the same text.
    await write("question", id, await aMember(client));
    expect(await rowsOf("select answer_count from questions where id = $1", [id])).toEqual([{ answer_count: 2 }]);
  });

  it("keeps counters correct when answers are written and unpublished concurrently", async () => {
    const client = await aClient();
    const [id = ""] = await someQuestions(client.id, [{ accepted: true }]);
    const sent = await aMember(client);
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, n) => write("question", id, sent, { text: `Answer ${n}.` })),
    );
    await Promise.all(
      made
        .slice(0, 5)
        .map(({ json }, n) =>
          n % 2
            ? call(reply, "DELETE", `${QUEUE}/question/${id}/replies/${json.data.id}`, sent)
            : call(oneCase, "PUT", `${QUEUE}/answer/${json.data.id}`, { ...sent, body: { accepted: null } }),
        ),
    );
    const [{ answer_count, counted }] = await rowsOf(
      `select answer_count, (select count(*)::int from answers a where a.question_id = q.id and a.accepted) as counted
         from questions q where id = $1`,
      [id],
    );
    expect([answer_count, counted]).toEqual([3, 3]);
  });

  it("can be edited, with the old text in the history, and undone before any event is sent", async () => {
    const client = await aClient();
    const [id = ""] = await someQuestions(client.id, [{ accepted: true }]);
    const sent = await aMember(client);
    const { id: answer } = (await write("question", id, sent)).json.data;
    const path = `${QUEUE}/question/${id}/replies/${answer}`;
    const change = (text: string) => call(reply, "PUT", path, { ...sent, body: { text } });
    expect((await change("It takes an E14 bulb.")).status).toBe(204);
    const after = await hashDatabase();
    expect((await change("It takes an E14 bulb.")).status).toBe(204);
    expect(await hashDatabase()).toBe(after);
    expect(await events(client)).toHaveLength(1);
    expect((await call(reply, "DELETE", path, sent)).status).toBe(204);
    expect((await call(reply, "DELETE", path, sent)).status).toBe(404);
    expect(await events(client)).toEqual([]);
    expect(await rowsOf("select answer_count from questions where id = $1", [id])).toEqual([{ answer_count: 0 }]);
    expect(await historyOf(id)).toMatchObject([
      { action: "replied", texts: null },
      { action: "reply_edited", texts: { reply: "It takes an E27 bulb." } },
      { action: "reply_removed", texts: { reply: "It takes an E14 bulb." } },
    ]);
  });

  it("edited during delivery is sent again; removed during delivery stays sent", async () => {
    const client = await aClient();
    const [id = ""] = await someQuestions(client.id, [{ accepted: true }]);
    const sent = await aMember(client);
    const { id: answer } = (await write("question", id, sent)).json.data;
    const path = `${QUEUE}/question/${id}/replies/${answer}`;
    const repliedEvent = { name: "question/replied", data: { question_id: id, answer_id: answer } };
    const whileTold = async (work: () => Promise<unknown>) => {
      await rowsOf("update outbox set available_at = now() where client_id = $1", [client.id]);
      await relayToInngest(async () => void (await work()));
    };
    await whileTold(() => call(reply, "PUT", path, { ...sent, body: { text: "It takes an E14 bulb." } }));
    expect(await events(client)).toEqual([
      { ...repliedEvent, later: false },
      { ...repliedEvent, later: true },
    ]);
    await whileTold(() => call(reply, "DELETE", path, sent));
    expect(await events(client)).toHaveLength(2);
  });
});

describe("a public reply", () => {
  it.each(["review", "seller_review"] as const)("to a %s is displayed and sends events", async (kind) => {
    const client = await aClient();
    const make = kind === "review" ? someReviews : someSellerReviews;
    const [id = ""] = await make(client.id, [{ accepted: true }]);
    const sent = await aMember(client);
    const hostile = "Thank you <script>alert(1)</script> {{ shop }} 🙏";
    const made = await write(kind, id, sent, { text: hostile, author: "Mia of the shop" });
    expect(made.status, made.text).toBe(201);
    const table = kind === "review" ? "reviews" : "seller_reviews";
    const [row] = await rowsOf(`select body, responses from ${table} where id = $1`, [id]);
    expect(row.responses).toMatchObject([{ author: "Mia of the shop", extract: hostile }]);
    expect(JSON.parse(`${row.body}}`).responses).toEqual(row.responses);
    expect(await events(client)).toEqual([
      { name: `${kind}/replied`, data: { [`${kind}_id`]: id, response_id: made.json.data.id }, later: true },
    ]);
    const { item, context } = (await call(oneCase, "GET", `${QUEUE}/${kind}/${id}`, sent)).json.data;
    expect([item.kind, item.replies, context.replies[0].text]).toEqual([kind, 1, hostile]);
    expect(context.history.map(({ action }: { action: string }) => action)).toEqual(["replied"]);
    await call(reply, "DELETE", `${QUEUE}/${kind}/${id}/replies/${made.json.data.id}`, sent);
    expect((await rowsOf(`select responses from ${table} where id = $1`, [id]))[0].responses).toEqual([]);
  });

  it("is immediately returned by the API", async () => {
    const client = await aClient();
    const [id = ""] = await someReviews(client.id, [{ accepted: true }]);
    await write("review", id, await aMember(client), { text: "Thank you." });
    const { data } = (await call(review, "GET", `/v1/reviews/${id}`, { key: client.key })).json;
    expect(data.responses).toMatchObject([{ extract: "Thank you." }]);
  });
});

describe("permissions and validation", () => {
  it("allow only moderators of the client", async () => {
    const [ownClient, otherClient] = [await aClient(), await aClient()];
    const [id = ""] = await someQuestions(ownClient.id, [{ accepted: true }]);
    const [foreign = ""] = await someQuestions(otherClient.id, [{ accepted: true }]);
    const sent = await aMember(ownClient);
    const { id: answer } = (await write("question", foreign, await aMember(otherClient))).json.data;
    const before = await hashDatabase();
    expect((await write("question", id, await aMember(ownClient, "viewer"))).status).toBe(403);
    expect((await write("question", id, {})).status).toBe(401);
    expect((await write("question", id, { key: ownClient.key })).status).toBe(401);
    expect((await write("question", foreign, sent)).status).toBe(404);
    expect((await write("review", id, sent)).status).toBe(404);
    expect(
      (await call(replies, "POST", `${QUEUE}/answer/${answer}/replies`, { ...sent, body: { text: "x" } })).status,
    ).toBe(404);
    for (const at of [foreign, id]) {
      const path = `${QUEUE}/question/${at}/replies/${answer}`;
      expect((await call(reply, "PUT", path, { ...sent, body: { text: "x" } })).status).toBe(404);
      expect((await call(reply, "DELETE", path, sent)).status).toBe(404);
    }
    const users = ["users ", "user_clients ", "portal_sessions "];
    const rest = (dump: string) => dump.split("\n").filter((line) => !users.some((table) => line.startsWith(table)));
    expect(rest(await hashDatabase())).toEqual(rest(before));
  });

  it("require a non-blank text of at most 5,000 characters", async () => {
    const client = await aClient();
    const [id = ""] = await someQuestions(client.id, [{ accepted: true }]);
    const sent = await aMember(client);
    const before = await hashDatabase();
    for (const text of ["", " \n ", "💡".repeat(5_001), "a\0b", 7, null]) {
      const answer = await write("question", id, sent, { text });
      expect([answer.status, answer.json.errors[0].field], String(text)).toEqual([422, "text"]);
    }
    expect(await hashDatabase()).toBe(before);
    expect((await write("question", id, sent, { text: "💡".repeat(5_000) })).status).toBe(201);
  });
});
