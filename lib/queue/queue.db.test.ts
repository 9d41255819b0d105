import { describe, expect, it } from "vitest";
import * as feedback from "@/app/collect/feedback/[token]/route";
import * as reports from "@/app/portal/api/v1/reviews/[id]/reports/route";
import * as oneCase from "@/app/portal/api/v1/reviews/[id]/route";
import * as queue from "@/app/portal/api/v1/reviews/route";
import * as waiting from "@/app/portal/api/v1/waiting/route";
import * as review from "@/app/v1/reviews/[id]/route";
import { judgeItems } from "@/lib/auto-moderation/judge-items";
import type { Role } from "@/lib/http/contract";
import { newReviewId } from "@/lib/ids";
import { listWork } from "@/lib/queue/list-work";
import { updateReviewContract } from "@/lib/reviews/contract";
import { call, readAll, type Sent } from "@/lib/test/call";
import { aClient, anOrder, aUser, rowsOf, signedIn, someReviews, type TestClient } from "@/lib/test/factories";

const LIST = "/portal/api/v1/reviews";
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** What the browser of a signed-in member of the client sends from the portal's own pages. */
const member = async (client: Pick<TestClient, "id" | "accountId">, role: Role = "moderator"): Promise<Sent> => ({
  headers: await signedIn(
    await aUser(role, role === "operator" ? {} : { accountId: client.accountId, clients: [client.id] }),
  ),
});

/** What a review with one photo holds. */
const photo = JSON.stringify([
  {
    token: "t",
    key: "k",
    format: "jpeg",
    width: 1,
    height: 1,
    sizes: { icon: [1, 1], medium: [1, 1], large: [1, 1] },
  },
]);

const ids = async (path: string, sent: Sent): Promise<string[]> => {
  const answer = await call(queue, "GET", path, sent);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.data.map((row: { id: string }) => row.id);
};

describe("the moderation queue", () => {
  it("answers what waits, oldest first, whatever the stars", async () => {
    const client = await aClient();
    const [young, old, middle] = await someReviews(client.id, [
      { score: 5, created_at: minutesAgo(1) },
      { score: 3, created_at: minutesAgo(90) },
      { score: 1, created_at: minutesAgo(10) },
    ]);
    await someReviews(client.id, [{ accepted: true }, { accepted: false }]);
    expect(await ids(LIST, await member(client))).toEqual([old, middle, young]);
  });

  it("shows what is decided newest first", async () => {
    const client = await aClient();
    const [a, b, c] = await someReviews(client.id, [
      { accepted: true, created_at: minutesAgo(30) },
      { accepted: true, created_at: minutesAgo(10) },
      { accepted: false, created_at: minutesAgo(20) },
    ]);
    const sent = await member(client);
    expect(await ids(`${LIST}?status=accepted`, sent)).toEqual([b, a]);
    expect(await ids(`${LIST}?status=rejected`, sent)).toEqual([c]);
    expect(await ids(`${LIST}?status=all`, sent)).toEqual([b, c, a]);
  });

  it("filters by source, language, buyer and photo, together", async () => {
    const client = await aClient();
    const [wanted] = await someReviews(client.id, [
      { source: "invitation", lang: "sv", verified_buyer: true, images: photo },
      { source: "web", lang: "sv", verified_buyer: true, images: photo },
      { source: "invitation", lang: "en", verified_buyer: true, images: photo },
      { source: "invitation", lang: null, verified_buyer: true, images: photo },
      { source: "invitation", lang: "sv", verified_buyer: false, images: photo },
      { source: "invitation", lang: "sv", verified_buyer: true },
    ]);
    const sent = await member(client);
    expect(await ids(`${LIST}?source=invitation&lang=sv&verified=1&photo=1`, sent)).toEqual([wanted]);
  });

  it("goes on page by page to the last row, without a row twice, also past long stretches that no filter lets through", async () => {
    const client = await aClient();
    await rowsOf(
      `insert into reviews (client_id, id, source, product_id, family_id, score, date, lang, feedback_token, created_at)
       select $1, lpad(to_hex(n), 16, '0'), 'api', 'p', 'p', 3, '2026-01-01', case when n in (5, 2100, 4400) then 'fi' else 'en' end,
              'queue-' || $1 || n, now() - make_interval(secs => 10000 - n / 7) from generate_series(1, 4500) n`,
      [client.id],
    );
    const sent = await member(client);
    const finnish = await readAll(queue, `${LIST}?lang=fi`, sent);
    expect(finnish.map(({ id }) => Number.parseInt(id, 16))).toEqual([5, 2100, 4400]);
    const all = await readAll(queue, LIST, sent);
    expect(all.map(({ id }) => Number.parseInt(id, 16))).toEqual(Array.from({ length: 4500 }, (_, n) => n + 1));
  });

  it("finds a review by id, order, customer, family and address in any spelling", async () => {
    const client = await aClient();
    const [wanted] = await someReviews(client.id, [
      {
        order_id: "O/1",
        customer_id: "C 1",
        family_id: "F1",
        author_email: "Ada@x.example",
        email_key: "ada@x.example",
      },
      { order_id: "O2", customer_id: "C2", family_id: "F2", email_key: "bo@x.example" },
    ]);
    const sent = await member(client);
    for (const q of [wanted as string, "O/1", "C 1", "F1", " ADA@x.example "])
      expect(await ids(`${LIST}?q=${encodeURIComponent(q)}`, sent), q).toEqual([wanted]);
    expect(await ids(`${LIST}?q=O`, sent)).toEqual([]);
  });

  it("keeps people from viewers, and searches by them too", async () => {
    const client = await aClient();
    const order = await anOrder(client.id);
    const [id] = await someReviews(client.id, [
      { order_id: order.id, customer_id: order.customer.id, author_email: "ada@x.example", email_key: "ada@x.example" },
    ]);
    const viewer = await member(client, "viewer");
    const answer = await call(queue, "GET", LIST, viewer);
    expect(answer.json.data).toMatchObject([{ id, author_email: null, customer_id: null }]);
    expect(answer.text).not.toContain("ada@x.example");
    expect(await ids(`${LIST}?q=ada@x.example`, viewer)).toEqual([]);
    expect(await ids(`${LIST}?q=${order.customer.id}`, viewer)).toEqual([]);
    const seen = await call(oneCase, "GET", `${LIST}/${id}`, viewer);
    expect(seen.json.data.context).toMatchObject({ customer: null, others: [], order: { id: order.id } });
    expect(seen.text).not.toContain("@");
  });

  it("refuses nonsense, a foreign cursor and a foreign client, and offers no filter by score", async () => {
    const client = await aClient();
    const other = await aClient();
    const sent = await member(client);
    await someReviews(client.id, [{ score: 1 }, { score: 5 }]);
    expect((await call(queue, "GET", `${LIST}?status=open`, sent)).status).toBe(400);
    expect((await call(queue, "GET", `${LIST}?after=xyz`, sent)).json.errors[0].code).toBe("invalid_cursor");
    expect((await call(queue, "GET", `${LIST}?client_id=${other.id}`, sent)).status).toBe(403);
    expect(await ids(`${LIST}?score=1`, sent)).toHaveLength(2);
  });

  it("is for the portal's own pages only", async () => {
    const client = await aClient();
    const sent = await member(client);
    expect((await call(queue, "GET", LIST, {})).status).toBe(401);
    expect((await call(queue, "GET", LIST, { key: client.key })).status).toBe(401);
    expect(
      (await call(queue, "GET", LIST, { headers: { ...sent.headers, origin: "https://evil.example" } })).status,
    ).toBe(401);
  });
});

describe("a review's case", () => {
  it("tells order, customer, product, the author's other reviews and who decided what", async () => {
    const client = await aClient();
    const order = await anOrder(client.id, { items: [{ id: "sku-1", name: "Lamp", delivery_date: "2026-01-02" }] });
    const person = { customer_id: order.customer.id, email_key: order.customer.email };
    const [id, earlier] = await someReviews(client.id, [
      { ...person, order_id: order.id },
      { ...person, score: 2, accepted: true },
    ]);
    const sent = await member(client);
    const change = { review: { accepted: false, reject_reason: "price" } };
    expect(
      (await call(review, updateReviewContract.method, `/v1/reviews/${id}`, { ...sent, body: change })).status,
    ).toBe(200);
    const answer = await call(oneCase, "GET", `${LIST}/${id}`, sent);
    expect(answer.json.data).toMatchObject({
      review: { id, accepted: false, reject_reason: "price", source: "web" },
      context: {
        order: { id: order.id, item_count: 1, item_name: "Lamp", delivery_date: "2026-01-02" },
        customer: { id: order.customer.id, name: "Ada Berg" },
        product: null,
        invitation: null,
        others: [{ id: earlier, score: 2, accepted: true }],
        history: [
          {
            action: "decided",
            from: "pending",
            to: "rejected",
            reason: "price",
            actor: expect.stringMatching(/^moderator-/),
          },
        ],
      },
    });
  });

  it("names in its history who acted, the rules too", async () => {
    const client = await aClient();
    const [id = ""] = await someReviews(client.id, [{}]);
    for (const [kind, actor, action] of [
      ["author", null, "submitted"],
      ["rule", "url", "held"],
      ["rule", null, "decided"],
      ["user", "gone", "decided"],
      ["system", null, "imported"],
    ])
      await rowsOf(
        `insert into moderation_events (client_id, kind, subject_id, actor_kind, actor_id, action, from_state, to_state)
         values ($1, 'review', $2, $3, $4, $5, 'pending', 'pending')`,
        [client.id, id, kind, actor, action],
      );
    const { json } = await call(oneCase, "GET", `${LIST}/${id}`, await member(client));
    expect(json.data.context.history.map(({ actor }: { actor: string }) => actor)).toEqual([
      "the author",
      "the rule “Link or website”",
      "the rules",
      "a former user",
      "Candor",
    ]);
  });

  it("does not exist at another client", async () => {
    const [mine, theirs] = [await aClient(), await aClient()];
    const [id] = await someReviews(theirs.id, [{}]);
    expect((await call(oneCase, "GET", `${LIST}/${id}`, await member(mine))).status).toBe(404);
  });
});

describe("what the rules found", () => {
  it("is shown beside a review, in the queue and on its own, and in the history in words; not by the API", async () => {
    const client = await aClient({ auto_moderate: true });
    const [id = "", silent = ""] = await someReviews(client.id, [
      { extract: "See amazon.com for $5", images: photo, created_at: minutesAgo(3) },
      { extract: "Fine.", created_at: minutesAgo(2), source: "api" },
    ]);
    await judgeItems(client.id, "review", [id]);
    const sent = await member(client);
    const listed = (await call(queue, "GET", LIST, sent)).json.data;
    expect(listed.map((row: { id: string; findings: unknown[] }) => [row.id, row.findings])).toEqual([
      [
        id,
        [
          { rule: "url", field: "extract", start: 4, end: 14, suggested: "hold", reason: "promotion" },
          { rule: "price", field: "extract", start: 19, end: 21, suggested: "hold", reason: "price" },
          { rule: "photo", field: null, start: 0, end: 0, suggested: "hold", reason: null },
        ],
      ],
      [silent, []],
    ]);
    const { review: shown, context } = (await call(oneCase, "GET", `${LIST}/${id}`, sent)).json.data;
    expect(shown.findings).toEqual(listed[0].findings);
    expect(context.history).toMatchObject([{ action: "held", actor: "the rule “Link or website”" }]);
    expect((await call(review, "GET", `/v1/reviews/${id}`, { key: client.key })).text).not.toContain("findings");

    await judgeItems(client.id, "review", [silent]);
    const decided = (await call(oneCase, "GET", `${LIST}/${silent}`, sent)).json.data;
    expect(decided.context.history).toMatchObject([{ to: "accepted", actor: "the rules" }]);
  });

  it("is another client's alone", async () => {
    const [mine, theirs] = [await aClient({ auto_moderate: true }), await aClient({ auto_moderate: true })];
    const same = { id: newReviewId(), extract: "only $5" };
    for (const { id } of [mine, theirs]) await someReviews(id, [same]);
    await judgeItems(theirs.id, "review", [same.id]);
    const answer = await call(queue, "GET", LIST, await member(mine));
    expect(answer.json.data).toMatchObject([{ id: same.id, findings: [] }]);
  });
});

describe("whose queue it is", () => {
  const asks = async (client: TestClient, sent: Sent) =>
    (await call(waiting, "GET", `/portal/api/v1/waiting?client_id=${client.id}`, sent)).json.data;

  it("is the shop's own people's, or the operator's; both see and may decide", async () => {
    const [own, left] = [await aClient(), await aClient({ own_moderation: false })];
    const operator = await member(own, "operator");
    for (const [client, queueOwner] of [
      [own, "client"],
      [left, "operator"],
    ] as const) {
      const [id] = await someReviews(client.id, [{}, {}]);
      const moderator = await member(client);
      expect(await asks(client, moderator)).toMatchObject({
        count: 2,
        queue: queueOwner,
        yours: queueOwner === "client",
      });
      expect(await asks(client, operator)).toMatchObject({
        count: 2,
        queue: queueOwner,
        yours: queueOwner === "operator",
      });
      const decide = { body: { review: { accepted: true } } };
      const path = `/v1/reviews/${id}?client_id=${client.id}`;
      for (const sent of [moderator, operator]) {
        expect(await ids(`${LIST}?client_id=${client.id}`, sent)).toContain(id);
        expect((await call(review, "PUT", path, { ...sent, ...decide })).status).toBe(200);
        await call(review, "PUT", path, { key: client.key, body: { review: { accepted: null } } });
      }
    }
  });

  it("is listed over clients, the longest wait first: each sees where work is theirs", async () => {
    const own = await aClient();
    const [first, second, idle] = [
      await aClient({ own_moderation: false }),
      await aClient({ own_moderation: false }),
      await aClient({ own_moderation: false }),
    ];
    await someReviews(own.id, [{ created_at: minutesAgo(90_000) }]);
    await someReviews(second.id, [{ created_at: minutesAgo(70_000) }, {}]);
    await someReviews(first.id, [{ created_at: minutesAgo(80_000) }]);
    await someReviews(idle.id, [{ accepted: true }]);
    const work = async (who: Parameters<typeof listWork>[0]) =>
      (await listWork(who, 100)).filter(({ id }) => [own, first, second, idle].some((client) => client.id === id));
    const operator = { role: "operator", accountId: null, clients: "all" } as const;
    expect(await work(operator)).toMatchObject([
      { id: first.id, count: 1 },
      { id: second.id, count: 2, more: false },
    ]);
    // An operator of the shop's own account is one of its people.
    expect((await work({ ...operator, accountId: own.accountId })).map(({ id }) => id)).toEqual([
      own.id,
      first.id,
      second.id,
    ]);
    const people = { role: "moderator", accountId: own.accountId, clients: new Set([own.id, first.id]) } as const;
    expect((await work(people)).map(({ id }) => id)).toEqual([own.id]);
    expect(await listWork(operator, 1)).toHaveLength(1);
  });
});

describe("what waits", () => {
  it("is counted with the moment since when, and only for the client", async () => {
    const client = await aClient();
    const sent = await member(client);
    const ask = async () => (await call(waiting, "GET", "/portal/api/v1/waiting", sent)).json.data;
    const queue = { queue: "client", yours: true };
    expect(await ask()).toEqual({ count: 0, more: false, oldest_at: null, ...queue });
    await someReviews(client.id, [{ created_at: new Date("2026-01-02T03:04:05.678Z") }, {}, { accepted: true }]);
    await someReviews((await aClient()).id, [{}]);
    expect(await ask()).toEqual({ count: 2, more: false, oldest_at: "2026-01-02T03:04:05Z", ...queue });
  });

  it("stops counting at 999", async () => {
    const client = await aClient();
    await rowsOf(
      `insert into reviews (client_id, id, source, product_id, family_id, score, date, feedback_token)
       select $1, lpad(to_hex(n), 16, '0'), 'api', 'p', 'p', 3, '2026-01-01', 'many-' || $1 || n from generate_series(1, 1001) n`,
      [client.id],
    );
    const answer = await call(waiting, "GET", "/portal/api/v1/waiting", await member(client));
    expect(answer.json.data).toMatchObject({ count: 999, more: true });
  });
});

describe("what waits for its author to confirm the address", () => {
  it("is in nobody's queue until then, and found by who looks for it", async () => {
    const client = await aClient({ require_verification: true });
    const email = { author_email: "ann@x.example", email_key: "ann@x.example" };
    const [waits, mailed, ready] = await someReviews(client.id, [
      { ...email, verification: "due", created_at: minutesAgo(30) },
      { ...email, verification: "mailed", created_at: minutesAgo(20) },
      { created_at: minutesAgo(10) },
    ]);
    const sent = await member(client);
    const count = async () => (await call(waiting, "GET", "/portal/api/v1/waiting", sent)).json.data;
    expect(await ids(LIST, sent)).toEqual([ready]);
    expect(await count()).toMatchObject({ count: 1 });
    expect(await ids(`${LIST}?unverified=1`, sent)).toEqual([waits, mailed]);
    expect(await ids(`${LIST}?q=ann@x.example`, sent)).toEqual([waits, mailed]);
    expect(await ids(`${LIST}?status=all`, sent)).toEqual([ready, mailed, waits]);
    const shown = await call(queue, "GET", `${LIST}?status=all`, sent);
    expect(shown.json.data.map((row: { unverified: boolean }) => row.unverified)).toEqual([false, true, true]);
    await rowsOf("update reviews set verification = null, verified_email = true where id = $1", [mailed]);
    expect(await ids(LIST, sent)).toEqual([mailed, ready]);
  });

  it("is in the queue where the client does not ask for it any more", async () => {
    const client = await aClient();
    const [waits] = await someReviews(client.id, [{ verification: "mailed" }]);
    expect(await ids(LIST, await member(client))).toEqual([waits]);
  });
});

describe("reported reviews", () => {
  it("are counted, listed, shown with their comments, and closed by who looked at them", async () => {
    const client = await aClient();
    const [other, id = ""] = await someReviews(client.id, [{ accepted: true }, { accepted: true }]);
    const [{ feedback_token }] = await rowsOf("select feedback_token from reviews where id = $1", [id]);
    const say = (voter_id: string, comment = "") =>
      call(feedback, "POST", `/collect/feedback/${feedback_token}`, {
        body: new URLSearchParams({ type: "bad", voter_id, comment }).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    await say("a", "Not about this lamp. <script>alert(1)</script>");
    await say("b");
    const sent = await member(client);
    expect(await ids(`${LIST}?status=accepted&reported=1`, sent)).toEqual([id]);
    const listed = (await call(queue, "GET", `${LIST}?status=accepted`, sent)).json.data;
    expect(new Map(listed.map((row: { id: string; reports: number }) => [row.id, row.reports]))).toEqual(
      new Map([
        [other, 0],
        [id, 2],
      ]),
    );
    const one = (await call(oneCase, "GET", `${LIST}/${id}`, sent)).json.data;
    expect(one.context.reports.map(({ comment }: { comment: string | null }) => comment).sort()).toEqual(
      ["Not about this lamp. <script>alert(1)</script>", null].sort(),
    );

    const close = (who: Sent, review = id) => call(reports, "DELETE", `${LIST}/${review}/reports`, who);
    expect((await close(await member(client, "viewer"))).status).toBe(403);
    expect((await close(await member(await aClient()))).status).toBe(404);
    expect((await close(sent, "none")).status).toBe(404);
    expect((await close(sent)).status).toBe(204);
    expect((await close(sent)).status).toBe(204);
    expect(await ids(`${LIST}?status=accepted&reported=1`, sent)).toEqual([]);
    expect(await rowsOf("select actor_kind, action from moderation_events where subject_id = $1", [id])).toEqual([
      { actor_kind: "user", action: "reports_closed" },
    ]);
    await say("a", "Still not.");
    expect(await ids(`${LIST}?status=accepted&reported=1`, sent)).toEqual([id]);
  });
});
