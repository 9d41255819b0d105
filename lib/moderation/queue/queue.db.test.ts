import { describe, expect, it } from "vitest";
import * as feedback from "@/app/collect/feedback/[token]/route";
import * as oneCase from "@/app/portal/api/v1/queue/[kind]/[id]/route";
import * as queue from "@/app/portal/api/v1/queue/route";
import * as reports from "@/app/portal/api/v1/reviews/[id]/reports/route";
import * as waiting from "@/app/portal/api/v1/waiting/route";
import * as review from "@/app/v1/reviews/[id]/route";
import { listPendingClients } from "@/lib/moderation/queue/list-pending-clients";
import type { QueueFilter } from "@/lib/moderation/queue/schema";
import { applyRules } from "@/lib/moderation/rules/apply-rules";
import { newReviewId } from "@/lib/platform/ids";
import { updateReviewContract } from "@/lib/reviews/reviews/contract";
import { call, type RequestOptions, readAll } from "@/lib/tools/test/call";
import {
  aClient,
  aMember,
  anAnswer,
  anOrder,
  aResponse,
  rowsOf,
  someProducts,
  someQuestions,
  someReviews,
  someSellerReviews,
  type TestClient,
} from "@/lib/tools/test/factories";
import { captureStatement, queryCost } from "@/lib/tools/test/query-cost";
import { selectQueueKeys } from "./sql";

const LIST = "/portal/api/v1/queue";
const ONE = `${LIST}/review`;
const REPORTED = "/portal/api/v1/reviews";
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** The image data of a review with one photo. */
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

const ids = async (path: string, sent: RequestOptions): Promise<string[]> => {
  const answer = await call(queue, "GET", path, sent);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.data.map((row: { id: string }) => row.id);
};

describe("the moderation queue", () => {
  it("lists pending items oldest first, whatever their score", async () => {
    const client = await aClient();
    const [young, old, middle] = await someReviews(client.id, [
      { score: 5, created_at: minutesAgo(1) },
      { score: 3, created_at: minutesAgo(90) },
      { score: 1, created_at: minutesAgo(10) },
    ]);
    await someReviews(client.id, [{ accepted: true }, { accepted: false }]);
    expect(await ids(LIST, await aMember(client))).toEqual([old, middle, young]);
  });

  it("says of reviews and seller reviews if their author was offered something", async () => {
    const client = await aClient();
    await someReviews(client.id, [{ incentivized: true, created_at: minutesAgo(3) }, { created_at: minutesAgo(2) }]);
    await someSellerReviews(client.id, [{ incentivized: true, created_at: minutesAgo(1) }]);
    const { json } = await call(queue, "GET", LIST, await aMember(client));
    expect(json.data.map(({ incentivized }: { incentivized?: true }) => incentivized)).toEqual([true, undefined, true]);
  });

  it("lists decided items newest first", async () => {
    const client = await aClient();
    const [a, b, c] = await someReviews(client.id, [
      { accepted: true, created_at: minutesAgo(30) },
      { accepted: true, created_at: minutesAgo(10) },
      { accepted: false, created_at: minutesAgo(20) },
    ]);
    const sent = await aMember(client);
    expect(await ids(`${LIST}?status=accepted`, sent)).toEqual([b, a]);
    expect(await ids(`${LIST}?status=rejected`, sent)).toEqual([c]);
    expect(await ids(`${LIST}?status=all`, sent)).toEqual([b, c, a]);
  });

  it("filters by source, language, buyer and photo in combination", async () => {
    const client = await aClient();
    const [wanted] = await someReviews(client.id, [
      { source: "invitation", lang: "sv", verified_buyer: true, images: photo },
      { source: "web", lang: "sv", verified_buyer: true, images: photo },
      { source: "invitation", lang: "en", verified_buyer: true, images: photo },
      { source: "invitation", lang: null, verified_buyer: true, images: photo },
      { source: "invitation", lang: "sv", verified_buyer: false, images: photo },
      { source: "invitation", lang: "sv", verified_buyer: true },
    ]);
    const sent = await aMember(client);
    expect(await ids(`${LIST}?source=invitation&lang=sv&verified=1&photo=1`, sent)).toEqual([wanted]);
  });

  it("filters by text, keyword, age, reason, product and brand", async () => {
    const client = await aClient();
    await someProducts(client.id, [{ id: "oak", family_id: "lamps", brand: "Ekfors" }]);
    const [withText, withoutText, other] = await someReviews(client.id, [
      { extract: "A warm GLOW in the hall.", product_id: "oak", family_id: "lamps", created_at: minutesAgo(2 * 1440) },
      { extract: "", title: "Glow!", created_at: minutesAgo(60) },
      { extract: "No.", pros: ["a glow_100%"], accepted: false, reject_reason: "price" },
      { accepted: false, reject_reason: "spam" },
    ]);
    const [asked] = await someQuestions(client.id, [{ question: "Does it glow?", created_at: minutesAgo(10 * 1440) }]);
    const sent = await aMember(client);
    expect(await ids(`${LIST}?kind=review&text=1`, sent)).toEqual([withText]);
    expect(await ids(`${LIST}?words=glow&status=all`, sent)).toEqual([other, withoutText, withText, asked]);
    expect(await ids(`${LIST}?words=w_100%25&status=all`, sent)).toEqual([other]);
    expect(await ids(`${LIST}?age=day`, sent)).toEqual([asked, withText]);
    expect(await ids(`${LIST}?age=week`, sent)).toEqual([asked]);
    for (const filter of [
      "status=rejected&reason=price",
      "status=rejected&reason=price&text=1",
      "status=all&reason=price",
    ])
      expect(await ids(`${LIST}?${filter}`, sent)).toEqual([other]);
    for (const filter of ["status=pending&reason=price", "kind=answer&status=rejected&reason=price"])
      expect(await ids(`${LIST}?${filter}`, sent)).toEqual([]);
    expect(await ids(`${LIST}?product=lamps`, sent)).toEqual([withText]);
    expect(await ids(`${LIST}?brand=ekFORS`, sent)).toEqual([withText]);
    expect((await call(queue, "GET", `${LIST}?age=year`, sent)).status).toBe(400);
  });

  it("pages through to the last row without repeats, even past long runs of filtered rows", async () => {
    const client = await aClient();
    await rowsOf(
      `insert into reviews (client_id, id, source, product_id, family_id, score, date, lang, feedback_token, created_at)
       select $1, lpad(to_hex(n), 16, '0'), 'api', 'p', 'p', 3, '2026-01-01', case when n in (5, 2100, 4400) then 'fi' else 'en' end,
              'queue-' || $1 || n, now() - make_interval(secs => 10000 - n / 7) from generate_series(1, 4500) n`,
      [client.id],
    );
    const sent = await aMember(client);
    const finnish = await readAll(queue, `${LIST}?lang=fi`, sent);
    expect(finnish.map(({ id }) => Number.parseInt(id, 16))).toEqual([5, 2100, 4400]);
    const english = await readAll(queue, `${LIST}?lang=en`, sent);
    expect(english.map(({ id }) => Number.parseInt(id, 16))).toEqual(
      Array.from({ length: 4500 }, (_, n) => n + 1).filter((n) => ![5, 2100, 4400].includes(n)),
    );
    const all = await readAll(queue, LIST, sent);
    expect(all.map(({ id }) => Number.parseInt(id, 16))).toEqual(Array.from({ length: 4500 }, (_, n) => n + 1));
  });

  it("finds a review by id, order, customer, family and email address in any spelling", async () => {
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
    const sent = await aMember(client);
    for (const q of [wanted as string, "O/1", "C 1", "F1", " ADA@x.example "])
      expect(await ids(`${LIST}?q=${encodeURIComponent(q)}`, sent), q).toEqual([wanted]);
    expect(await ids(`${LIST}?q=O`, sent)).toEqual([]);
  });

  it("hides personal data from viewers, in rows and in searches", async () => {
    const client = await aClient();
    const order = await anOrder(client.id);
    const [id] = await someReviews(client.id, [
      { order_id: order.id, customer_id: order.customer.id, author_email: "ada@x.example", email_key: "ada@x.example" },
    ]);
    const viewer = await aMember(client, "viewer");
    const answer = await call(queue, "GET", LIST, viewer);
    expect(answer.json.data).toMatchObject([{ id, author_email: null, customer_id: null }]);
    expect(answer.text).not.toContain("ada@x.example");
    expect(await ids(`${LIST}?q=ada@x.example`, viewer)).toEqual([]);
    expect(await ids(`${LIST}?q=${order.customer.id}`, viewer)).toEqual([]);
    const seen = await call(oneCase, "GET", `${ONE}/${id}`, viewer);
    expect(seen.json.data.context).toMatchObject({ customer: null, others: [], order: { id: order.id } });
    expect(seen.text).not.toContain("@");
  });

  it("rejects invalid parameters, another client's cursor and another client, and has no filter by score", async () => {
    const client = await aClient();
    const other = await aClient();
    const sent = await aMember(client);
    await someReviews(client.id, [{ score: 1 }, { score: 5 }]);
    expect((await call(queue, "GET", `${LIST}?status=open`, sent)).status).toBe(400);
    expect((await call(queue, "GET", `${LIST}?after=xyz`, sent)).json.errors[0].code).toBe("invalid_cursor");
    expect((await call(queue, "GET", `${LIST}?client_id=${other.id}`, sent)).status).toBe(403);
    expect(await ids(`${LIST}?score=1`, sent)).toHaveLength(2);
  });

  it("is available to portal pages only", async () => {
    const client = await aClient();
    const sent = await aMember(client);
    expect((await call(queue, "GET", LIST, {})).status).toBe(401);
    expect((await call(queue, "GET", LIST, { key: client.key })).status).toBe(401);
    expect(
      (await call(queue, "GET", LIST, { headers: { ...sent.headers, origin: "https://evil.example" } })).status,
    ).toBe(401);
  });
});

describe("a review's detail page", () => {
  it("shows order, customer, product, the author's other reviews and all decisions", async () => {
    const client = await aClient();
    const order = await anOrder(client.id, { items: [{ id: "sku-1", name: "Lamp", delivery_date: "2026-01-02" }] });
    const person = { customer_id: order.customer.id, email_key: order.customer.email };
    const [id, earlier] = await someReviews(client.id, [
      { ...person, order_id: order.id },
      { ...person, score: 2, accepted: true },
    ]);
    const sent = await aMember(client);
    const change = { review: { accepted: false, reject_reason: "price" } };
    expect(
      (await call(review, updateReviewContract.method, `/v1/reviews/${id}`, { ...sent, body: change })).status,
    ).toBe(200);
    const answer = await call(oneCase, "GET", `${ONE}/${id}`, sent);
    expect(answer.json.data).toMatchObject({
      item: { id, accepted: false, reject_reason: "price", source: "web" },
      context: {
        order: { id: order.id, item_count: 1, item_name: "Lamp", delivery_date: "2026-01-02" },
        customer: { id: order.customer.id, name: "Ada Berg" },
        product: null,
        invitation: null,
        others: [{ kind: "review", id: earlier, score: 2, accepted: true }],
        history: [
          {
            action: "decided",
            from: "pending",
            to: "rejected",
            reason: "price",
            actor: { kind: "user", name: expect.stringMatching(/^moderator-/), rule: null },
          },
        ],
      },
    });
  });

  it("shows the catalog's product name, whatever the order or the page called it", async () => {
    const client = await aClient();
    await rowsOf(
      "insert into products (client_id, id, family_id, name) values ($1, 'sku-1', 'sku-1', 'Oak chair, large')",
      [client.id],
    );
    const order = await anOrder(client.id, {
      items: [{ id: "sku-1", name: "CHAIR OAK L", delivery_date: "2026-01-02" }],
    });
    const of = {
      customer_id: order.customer.id,
      order_id: order.id,
      product_id: "sku-1",
      product_name: "Chair (old page)",
    };
    const [id, earlier] = await someReviews(client.id, [of, { ...of, accepted: true }]);
    const [unlisted] = await someReviews(client.id, [{ product_id: "sku-2", product_name: "Stool" }]);
    await rowsOf(
      `insert into questions (client_id, id, source, product_id, family_id, product_name, question, date, lang, feedback_token)
       values ($1, 'q1', 'web', 'sku-1', 'sku-1', 'Chair (old page)', 'How high?', '2026-01-03', 'en', $1)`,
      [client.id],
    );
    const sent = await aMember(client);
    const { json } = await call(oneCase, "GET", `${ONE}/${id}`, sent);
    expect(json.data).toMatchObject({
      item: { product: "Oak chair, large" },
      context: {
        order: { item_name: "Oak chair, large" },
        product: { name: "Oak chair, large" },
        others: [{ id: earlier, title: "Oak chair, large" }],
      },
    });
    const listed = await call(queue, "GET", LIST, sent);
    expect(new Map(listed.json.data.map((item: { id: string; product: string }) => [item.id, item.product]))).toEqual(
      new Map([
        [id, "Oak chair, large"],
        [unlisted, "Stool"],
        ["q1", "Oak chair, large"],
      ]),
    );
  });

  it("shows in the history who acted, including rules", async () => {
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
    const { json } = await call(oneCase, "GET", `${ONE}/${id}`, await aMember(client));
    expect(json.data.context.history.map(({ actor }: { actor: unknown }) => actor)).toEqual([
      { kind: "author", name: null, rule: null },
      { kind: "rule", name: null, rule: "url" },
      { kind: "rule", name: null, rule: null },
      { kind: "user", name: null, rule: null },
      { kind: "system", name: null, rule: null },
    ]);
  });

  it("returns 404 for another client's review", async () => {
    const [ownClient, otherClient] = [await aClient(), await aClient()];
    const [id] = await someReviews(otherClient.id, [{}]);
    expect((await call(oneCase, "GET", `${ONE}/${id}`, await aMember(ownClient))).status).toBe(404);
  });
});

describe("findings", () => {
  it("are shown with a review in the queue, on its page and as text in its history, but not by the API", async () => {
    const client = await aClient({ auto_moderate: true });
    const [id = "", silent = ""] = await someReviews(client.id, [
      { extract: "See amazon.com for $5", images: photo, created_at: minutesAgo(3) },
      { extract: "Fine.", created_at: minutesAgo(2), source: "api" },
    ]);
    await applyRules(client.id, "review", [id]);
    const sent = await aMember(client);
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
    const { item: shown, context } = (await call(oneCase, "GET", `${ONE}/${id}`, sent)).json.data;
    expect(shown.findings).toEqual(listed[0].findings);
    expect(context.history).toMatchObject([{ action: "held", actor: { kind: "rule", name: null, rule: "url" } }]);
    expect((await call(review, "GET", `/v1/reviews/${id}`, { key: client.key })).text).not.toContain("findings");

    await applyRules(client.id, "review", [silent]);
    const decided = (await call(oneCase, "GET", `${ONE}/${silent}`, sent)).json.data;
    expect(decided.context.history).toMatchObject([
      { to: "accepted", actor: { kind: "rule", name: null, rule: null } },
    ]);
  });

  it("are visible only to their client", async () => {
    const [ownClient, otherClient] = [await aClient({ auto_moderate: true }), await aClient({ auto_moderate: true })];
    const same = { id: newReviewId(), extract: "only $5" };
    for (const { id } of [ownClient, otherClient]) await someReviews(id, [same]);
    await applyRules(otherClient.id, "review", [same.id]);
    const answer = await call(queue, "GET", LIST, await aMember(ownClient));
    expect(answer.json.data).toMatchObject([{ id: same.id, findings: [] }]);
  });
});

describe("queue ownership", () => {
  const readCounts = async (client: TestClient, sent: RequestOptions) =>
    (await call(waiting, "GET", `/portal/api/v1/waiting?client_id=${client.id}`, sent)).json.data;

  it("assigns the queue to the store's team or to operators; both can see and decide", async () => {
    const [own, left] = [await aClient(), await aClient({ own_moderation: false })];
    const operator = await aMember(own, "operator");
    for (const [client, queueOwner] of [
      [own, "client"],
      [left, "operator"],
    ] as const) {
      const [id] = await someReviews(client.id, [{}, {}]);
      const moderator = await aMember(client);
      expect(await readCounts(client, moderator)).toMatchObject({
        count: 2,
        queue: queueOwner,
        yours: queueOwner === "client",
      });
      expect(await readCounts(client, operator)).toMatchObject({
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

  it("lists clients with pending items, oldest first, for the person responsible", async () => {
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
    const work = async (who: Parameters<typeof listPendingClients>[0]) =>
      (await listPendingClients(who, 100)).filter(({ id }) =>
        [own, first, second, idle].some((client) => client.id === id),
      );
    const operator = { role: "operator", accountId: null, clients: "all" } as const;
    expect(await work(operator)).toMatchObject([
      { id: first.id, count: 1 },
      { id: second.id, count: 2, more: false },
    ]);
    // An operator of the store's own account counts as a team member.
    expect((await work({ ...operator, accountId: own.accountId })).map(({ id }) => id)).toEqual([
      own.id,
      first.id,
      second.id,
    ]);
    const people = { role: "moderator", accountId: own.accountId, clients: new Set([own.id, first.id]) } as const;
    expect((await work(people)).map(({ id }) => id)).toEqual([own.id]);
    expect(await listPendingClients(operator, 1)).toHaveLength(1);
  });
});

describe("pending counts", () => {
  it("include the oldest date and only the client's items", async () => {
    const client = await aClient();
    const sent = await aMember(client);
    const ask = async () => (await call(waiting, "GET", "/portal/api/v1/waiting", sent)).json.data;
    const queue = { queue: "client", yours: true };
    const none = {
      kinds: { review: 0, seller_review: 0, question: 0, answer: 0, photo: 0 },
      reported: 0,
      unanswered: 0,
    };
    expect(await ask()).toEqual({
      count: 0,
      more: false,
      oldest_at: null,
      ...queue,
      ...none,
    });
    await someReviews(client.id, [{ created_at: new Date("2026-01-02T03:04:05.678Z") }, {}, { accepted: true }]);
    await someReviews((await aClient()).id, [{}]);
    expect(await ask()).toEqual({
      count: 2,
      more: false,
      oldest_at: "2026-01-02T03:04:05Z",
      ...queue,
      ...none,
      kinds: { ...none.kinds, review: 2 },
    });
  });

  it("stops counting at 999", async () => {
    const client = await aClient();
    await rowsOf(
      `insert into reviews (client_id, id, source, product_id, family_id, score, date, feedback_token)
       select $1, lpad(to_hex(n), 16, '0'), 'api', 'p', 'p', 3, '2026-01-01', 'many-' || $1 || n from generate_series(1, 1001) n`,
      [client.id],
    );
    const answer = await call(waiting, "GET", "/portal/api/v1/waiting", await aMember(client));
    expect(answer.json.data).toMatchObject({ count: 999, more: true });
  });
});

describe("items awaiting email verification", () => {
  it("aren't listed until verified, but can be found by filter and search", async () => {
    const client = await aClient({ require_verification: true });
    const email = { author_email: "ann@x.example", email_key: "ann@x.example" };
    const [waits, mailed, ready] = await someReviews(client.id, [
      { ...email, verification: "due", created_at: minutesAgo(30) },
      { ...email, verification: "mailed", created_at: minutesAgo(20) },
      { created_at: minutesAgo(10) },
    ]);
    const sent = await aMember(client);
    const count = async () => (await call(waiting, "GET", "/portal/api/v1/waiting", sent)).json.data;
    expect(await ids(LIST, sent)).toEqual([ready]);
    expect(await count()).toMatchObject({ count: 1 });
    expect(await ids(`${LIST}?unverified=1`, sent)).toEqual([waits, mailed]);
    expect(await ids(`${LIST}?status=all&unverified=1`, sent)).toEqual([mailed, waits]);
    expect(await ids(`${LIST}?q=ann@x.example`, sent)).toEqual([waits, mailed]);
    expect(await ids(`${LIST}?status=all`, sent)).toEqual([ready, mailed, waits]);
    const shown = await call(queue, "GET", `${LIST}?status=all`, sent);
    expect(shown.json.data.map((row: { unverified: boolean }) => row.unverified)).toEqual([false, true, true]);
    await rowsOf("update reviews set verification = null, verified_email = true where id = $1", [mailed]);
    expect(await ids(LIST, sent)).toEqual([mailed, ready]);
  });

  it("are listed if the client doesn't require verification any more", async () => {
    const client = await aClient();
    const [waits] = await someReviews(client.id, [{ verification: "mailed" }]);
    expect(await ids(LIST, await aMember(client))).toEqual([waits]);
  });
});

describe("reported reviews", () => {
  it("are counted, listed, shown with their comments, and closed by a moderator", async () => {
    const client = await aClient();
    const [other, id = ""] = await someReviews(client.id, [{ accepted: true }, { accepted: true }]);
    const [{ feedback_token }] = await rowsOf("select feedback_token from reviews where id = $1", [id]);
    const reportReview = (voter_id: string, comment = "") =>
      call(feedback, "POST", `/collect/feedback/${feedback_token}`, {
        body: new URLSearchParams({ type: "bad", voter_id, comment }).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    await reportReview("a", "Not about this lamp. <script>alert(1)</script>");
    await reportReview("b");
    const sent = await aMember(client);
    expect(await ids(`${LIST}?status=accepted&reported=1`, sent)).toEqual([id]);
    const listed = (await call(queue, "GET", `${LIST}?status=accepted`, sent)).json.data;
    expect(new Map(listed.map((row: { id: string; reports: number }) => [row.id, row.reports]))).toEqual(
      new Map([
        [other, 0],
        [id, 2],
      ]),
    );
    const one = (await call(oneCase, "GET", `${ONE}/${id}`, sent)).json.data;
    expect(one.context.reports.map(({ comment }: { comment: string | null }) => comment).sort()).toEqual(
      ["Not about this lamp. <script>alert(1)</script>", null].sort(),
    );

    const close = (who: RequestOptions, review = id) => call(reports, "DELETE", `${REPORTED}/${review}/reports`, who);
    expect((await close(await aMember(client, "viewer"))).status).toBe(403);
    expect((await close(await aMember(await aClient()))).status).toBe(404);
    expect((await close(sent, "none")).status).toBe(404);
    expect((await close(sent)).status).toBe(204);
    expect((await close(sent)).status).toBe(204);
    expect(await ids(`${LIST}?status=accepted&reported=1`, sent)).toEqual([]);
    expect(
      await rowsOf("select actor_kind, action from moderation_events where subject_id = $1 order by id", [id]),
    ).toEqual([
      { actor_kind: "visitor", action: "reported" },
      { actor_kind: "user", action: "reports_closed" },
    ]);
    await reportReview("a", "Still not.");
    expect(await ids(`${LIST}?status=accepted&reported=1`, sent)).toEqual([id]);
  });
});

describe("a queue of all kinds", () => {
  const kindsIn = async (path: string, sent: RequestOptions): Promise<string[]> => {
    const answer = await call(queue, "GET", path, sent);
    expect(answer.status, answer.text).toBe(200);
    return answer.json.data.map(({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`);
  };

  it("sorts all kinds by age, filters by kind, and counts them", async () => {
    const client = await aClient();
    const [review] = await someReviews(client.id, [{ created_at: minutesAgo(30) }, { accepted: true }]);
    const [seller] = await someSellerReviews(client.id, [{ created_at: minutesAgo(40) }, { accepted: false }]);
    const [question = ""] = await someQuestions(client.id, [
      { created_at: minutesAgo(20) },
      { accepted: true, created_at: minutesAgo(50) },
    ]);
    const answer = await anAnswer(client.id, question, { accepted: null, created_at: minutesAgo(10) });
    const sent = await aMember(client);
    const all = [`seller_review ${seller}`, `review ${review}`, `question ${question}`, `answer ${answer}`];
    expect(await kindsIn(LIST, sent)).toEqual(all);
    for (const [index, kind] of ["seller_review", "review", "question", "answer"].entries())
      expect(await kindsIn(`${LIST}?kind=${kind}`, sent)).toEqual([all[index]]);
    expect((await kindsIn(`${LIST}?status=all`, sent)).length).toBe(6);
    expect((await call(waiting, "GET", "/portal/api/v1/waiting", sent)).json.data).toMatchObject({
      count: 4,
      kinds: { review: 1, seller_review: 1, question: 1, answer: 1, photo: 0 },
      unanswered: 1,
    });
    expect((await call(queue, "GET", `${LIST}?kind=order`, sent)).status).toBe(400);
  });

  it("pages without repeated or missing rows, in either order", async () => {
    const client = await aClient();
    const make = (table: string, columns: string, values: string, shift: number) =>
      rowsOf(
        `insert into ${table} (client_id, id, source, date, feedback_token, created_at, ${columns})
         select $1, lpad(to_hex(n * 4 + ${shift}), 16, '0'), 'web', '2026-01-01', '${table}-' || $1 || n,
                now() - make_interval(secs => 10000 - n / 3), ${values} from generate_series(1, 70) n`,
        [client.id],
      );
    await make("reviews", "product_id, family_id, score", "'p', 'p', 3", 0);
    await make("seller_reviews", "score", "4", 1);
    await make("questions", "product_id, family_id, question", "'p', 'p', 'Why?'", 2);
    const sent = await aMember(client);
    for (const [path, size] of [
      [LIST, 210],
      [`${LIST}?status=all`, 210],
      [`${LIST}?kind=question`, 70],
    ] as const) {
      const rows = await readAll(queue, path, sent);
      expect(new Set(rows.map(({ kind, id }) => `${kind} ${id}`)).size).toBe(size);
      const times = rows.map(({ received_at }) => received_at);
      expect(times).toEqual(path.includes("all") ? times.toSorted().reverse() : times.toSorted());
    }
  });

  it("finds items by their own fields, and filters by their properties", async () => {
    const client = await aClient();
    const person = { customer_id: "C-9", author_email: "ada@x.example", email_key: "ada@x.example" };
    const [review] = await someReviews(client.id, [{ ...person, order_id: "O-9", accepted: true }, {}]);
    const [seller] = await someSellerReviews(client.id, [{ ...person, order_id: "O-9", lang: "de" }, {}]);
    const [question = ""] = await someQuestions(client.id, [
      { ...person, product_id: "P-9", family_id: "F-9", images: photo, lang: "de" },
      { accepted: true },
    ]);
    const sent = await aMember(client);
    const orderItems = [`review ${review}`, `seller_review ${seller}`, `question ${question}`].sort();
    for (const q of ["C-9", "ADA@x.example"])
      expect((await kindsIn(`${LIST}?status=all&q=${q}`, sent)).sort(), q).toEqual(orderItems);
    expect((await kindsIn(`${LIST}?status=all&q=O-9`, sent)).sort()).toEqual(
      orderItems.filter((row) => !row.startsWith("q")),
    );
    expect(await kindsIn(`${LIST}?status=all&q=P-9`, sent)).toEqual([`question ${question}`]);
    expect(await kindsIn(`${LIST}?status=all&q=${seller}`, sent)).toEqual([`seller_review ${seller}`]);
    expect(await kindsIn(`${LIST}?status=all&q=C-9`, await aMember(client, "viewer"))).toEqual([]);
    expect(await kindsIn(`${LIST}?photo=1`, sent)).toEqual([`question ${question}`]);
    expect((await kindsIn(`${LIST}?lang=de`, sent)).sort()).toEqual([
      `question ${question}`,
      `seller_review ${seller}`,
    ]);
    expect(await kindsIn(`${LIST}?kind=answer&source=web&q=none`, sent)).toEqual([]);
  });

  it("lists reviews without a reply and questions without an answer", async () => {
    const client = await aClient();
    const [bare, replied = ""] = await someReviews(client.id, [{ accepted: true }, { accepted: true }]);
    const [seller = ""] = await someSellerReviews(client.id, [{ accepted: true }]);
    const [open, answered = "", offline = ""] = await someQuestions(client.id, [
      { accepted: true, created_at: minutesAgo(5) },
      { accepted: true },
      { accepted: true, created_at: minutesAgo(9) },
    ]);
    await aResponse(client.id, "review", replied);
    await aResponse(client.id, "seller_review", seller);
    await anAnswer(client.id, answered);
    await anAnswer(client.id, offline, { accepted: null });
    const sent = await aMember(client);
    expect(await kindsIn(`${LIST}?kind=question&status=accepted&unreplied=1`, sent)).toEqual([
      `question ${open}`,
      `question ${offline}`,
    ]);
    expect((await kindsIn(`${LIST}?status=accepted&unreplied=1`, sent)).sort()).toEqual(
      [`question ${open}`, `question ${offline}`, `review ${bare}`].sort(),
    );
  });

  it("shows findings, context and history on a detail page", async () => {
    const client = await aClient({ auto_moderate: true });
    const order = await anOrder(client.id);
    const person = { customer_id: order.customer.id, email_key: "ada@x.example", author_email: "ada@x.example" };
    const [seller = ""] = await someSellerReviews(client.id, [
      { ...person, order_id: order.id, title: "Call me", extract: "Ring 070-123 45 67 for $5." },
    ]);
    const [question = ""] = await someQuestions(client.id, [
      { ...person, question: "Cheaper at amazon.com?", details: "They ask $5." },
    ]);
    await applyRules(client.id, "seller_review", [seller]);
    await applyRules(client.id, "question", [question]);
    const sent = await aMember(client);
    const open = async (kind: string, id: string) =>
      (await call(oneCase, "GET", `${LIST}/${kind}/${id}`, sent)).json.data;
    const shop = await open("seller_review", seller);
    expect(shop.item).toMatchObject({ kind: "seller_review", title: "Call me", product: null, source: "invitation" });
    expect(shop.item.findings.map(({ rule, field }: { rule: string; field: string }) => [rule, field])).toContainEqual([
      "price",
      "extract",
    ]);
    expect(shop.context).toMatchObject({
      order: { id: order.id },
      customer: { id: order.customer.id },
      others: [{ kind: "question", id: question, title: "Cheaper at amazon.com?", score: null }],
      history: [{ action: "held" }],
    });
    const questionDetail = await open("question", question);
    // Findings in `question` and `details` are mapped to `title` and `extract`.
    for (const { field, start, end } of questionDetail.item.findings.filter(
      (one: { field: string | null }) => one.field,
    )) {
      expect(["title", "extract"]).toContain(field);
      expect(questionDetail.item[field].slice(start, end)).toMatch(/amazon\.com|\$5/);
    }
    expect(questionDetail.item.findings.length).toBeGreaterThan(1);
    expect(questionDetail.context).toMatchObject({
      order: null,
      others: [{ kind: "seller_review", id: seller, score: 5 }],
    });
    const viewer = await call(oneCase, "GET", `${LIST}/question/${question}`, await aMember(client, "viewer"));
    expect(viewer.text).not.toContain("ada@");
    expect(viewer.json.data.context).toMatchObject({ customer: null, others: [] });
    for (const kind of ["review", "seller_review", "answer", "order"])
      expect((await call(oneCase, "GET", `${LIST}/${kind}/${question}`, sent)).status).toBe(404);
  });

  it("shows decisions on answers in their question's history", async () => {
    const client = await aClient();
    const [question = ""] = await someQuestions(client.id, [{ accepted: true }]);
    const answer = await anAnswer(client.id, question);
    const sent = await aMember(client);
    await call(oneCase, "PUT", `${LIST}/answer/${answer}`, { ...sent, body: { accepted: null } });
    const { context } = (await call(oneCase, "GET", `${LIST}/question/${question}`, sent)).json.data;
    expect(context.history).toMatchObject([{ action: "answer_decided", from: "accepted", to: "pending" }]);
    expect(context.replies).toMatchObject([{ id: answer, accepted: null }]);
    const one = (await call(oneCase, "GET", `${LIST}/answer/${answer}`, sent)).json.data;
    expect(one.item).toMatchObject({ kind: "answer", question_id: question, title: "Which bulb?", extract: "E27." });
    expect(one.item.portal_url).toContain(`/portal/questions/${question}?`);
  });
});

describe("an item's context", () => {
  it("has the product's score distribution and similar texts", async () => {
    const client = await aClient({ auto_moderate: true });
    await someProducts(client.id, [{ id: "sku-1" }]);
    const text = "The light is warm and even, the switch is where the hand looks for it, and nothing hums at night.";
    const [one = "", two = ""] = await someReviews(client.id, [
      { extract: text },
      { extract: `${text} Twice.` },
      { extract: "Quite another text about quite another lamp that nobody has written anything like before, ever." },
      ...[5, 5, 1].map((score) => ({ score, accepted: true, extract: "" })),
    ]);
    for (const id of [one, two]) await applyRules(client.id, "review", [id]);
    const { context } = (await call(oneCase, "GET", `${ONE}/${one}`, await aMember(client))).json.data;
    const published = context.product.scores;
    expect(published.reduce((sum: number, count: number) => sum + count, 0)).toBe(context.product.count);
    expect([published[0], published[4]]).toEqual([1, expect.any(Number)]);
    expect(published[4]).toBeGreaterThanOrEqual(2);
    expect(context.alike).toMatchObject([{ kind: "review", id: two, text: `${text} Twice.` }]);
    expect(context.alike[0].similarity).toBeGreaterThan(0.8);
  });
});

describe("a page of the queue", () => {
  const ROWS = 5_000;
  it("reads no more rows on later pages, for any kinds", async () => {
    const client = await aClient();
    const make = (table: string, columns: string, values: string) =>
      rowsOf(
        `insert into ${table} (client_id, id, source, date, feedback_token, created_at, accepted, accepted_at, reject_reason, ${columns})
         select $1, to_char(n, 'FM0000000000000000'), 'web', '2026-01-01', '${table}/' || $1 || n, now() - make_interval(secs => ${ROWS} - n),
                case when n % 10 = 0 then null when n % 100 = 1 then false else true end, case when n % 10 <> 0 and n % 100 <> 1 then now() end,
                case when n % 100 = 1 then case when n < 500 then 'price' else 'spam' end end, ${values}
           from generate_series(1, ${ROWS}) n`,
        [client.id],
      );
    await make("reviews", "product_id, family_id, score", "'p', 'p', 3");
    await make("seller_reviews", "score", "4");
    await make("questions", "product_id, family_id, question", "'p', 'p', 'Why?'");
    for (const table of ["reviews", "seller_reviews", "questions", "answers"]) await rowsOf(`analyze ${table}`);
    const [deep] = await rowsOf(
      `select created_at, id from reviews where client_id = $1 order by created_at offset ${(3 * ROWS) / 4} limit 1`,
      [client.id],
    );
    for (const status of ["pending", "accepted", "rejected", "all"] as const)
      for (const kind of [undefined, "review", "seller_review", "question"] as const)
        for (const after of [null, { time: deep.created_at.toISOString(), id: deep.id }]) {
          const kinds = kind ? 1 : 3;
          const shop = { id: client.id, require_verification: false };
          const { read, sorted } = await queryCost(
            await captureStatement((db) =>
              selectQueueKeys(db, shop, { status, kind }, "nobody", null, after, { scanned: 31, hits: 31 }),
            ),
          );
          // One in ten accepted rows is skipped; the branches of a union are merged, never fully sorted.
          expect(read, `${status} ${kind} ${after?.id}`).toBeLessThanOrEqual(kinds * 31 * 1.5);
          expect(sorted, `${status} ${kind}`).toBeLessThanOrEqual(kinds * 31 * 1.5);
        }
    const readBy = async (filter: QueueFilter) => {
      const shop = { id: client.id, require_verification: false };
      const statement = await captureStatement((db) =>
        selectQueueKeys(db, shop, filter, "nobody", null, null, { scanned: 31, hits: 31 }),
      );
      return (await queryCost(statement)).read;
    };
    // Five of the fifty rejected rows of each kind, the oldest.
    expect(await readBy({ status: "rejected", reason: "price" })).toBe(15);
    // Filters that no index serves for their status.
    expect(await readBy({ status: "all", unverified: "1" })).toBeLessThanOrEqual(2 * 31 * 1.5);
    expect(await readBy({ status: "rejected", unverified: "1" })).toBeLessThanOrEqual(2 * 31 * 1.5);
    expect(await readBy({ status: "rejected", kind: "question", unreplied: "1" })).toBeLessThanOrEqual(31 * 1.5);
  });
});
