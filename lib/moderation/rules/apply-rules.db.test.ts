import { describe, expect, it } from "vitest";
import { systemActor } from "@/lib/accounts/actor";
import { applyRules } from "@/lib/moderation/rules/apply-rules";
import { applyRulesToPending, firstPosition } from "@/lib/moderation/rules/apply-rules-to-pending";
import { purgeFingerprints } from "@/lib/moderation/rules/purge-fingerprints";
import { pool } from "@/lib/platform/db/pool";
import { newReviewId, newToken } from "@/lib/platform/ids";
import { updateReview } from "@/lib/reviews/reviews/update-review";
import { setClient } from "@/lib/settings/set-client";
import {
  aClient,
  anOrder,
  countBlockedQueries,
  hashDatabase,
  rowsOf,
  someReviews,
  type TestClient,
} from "@/lib/tools/test/factories";

const person = { ...systemActor, kind: "user" as const, id: "usr_1", role: "moderator" as const };
const ruled = (settings: Record<string, unknown> = {}) => aClient({ auto_moderate: true, ...settings });
const CLEAN = "A warm light, and the switch is where it should be.";

const stateOf = async (client: TestClient, id: string) => {
  const [row] = await rowsOf("select accepted, reject_reason from reviews where client_id = $1 and id = $2", [
    client.id,
    id,
  ]);
  return row && [row.accepted, row.reject_reason];
};
const history = (client: TestClient, id: string) =>
  rowsOf(
    `select actor_kind, actor_id, action, from_state, to_state, reason from moderation_events
      where client_id = $1 and subject_id = $2 order by id`,
    [client.id, id],
  );
const findings = (client: TestClient, id: string) =>
  rowsOf(
    `select rule, field, span_start, span_end, suggested, reason from moderation_findings
      where client_id = $1 and subject_id = $2 order by position`,
    [client.id, id],
  );
const outboxEvents = (client: TestClient) =>
  rowsOf("select name, data from outbox where client_id = $1 and name like '%/decided' order by id", [client.id]);

async function aReview(client: TestClient, columns: Record<string, unknown>): Promise<string> {
  const [id = ""] = await someReviews(client.id, [columns]);
  return id;
}

describe("a decision by the rules", () => {
  it("accepts items without findings, as a person would", async () => {
    const client = await ruled();
    const id = await aReview(client, { extract: CLEAN });
    expect(await applyRules(client.id, "review", [id])).toEqual({ accepted: 1, rejected: 0, held: 0 });
    expect(await stateOf(client, id)).toEqual([true, null]);
    expect(await history(client, id)).toEqual([
      {
        actor_kind: "rule",
        actor_id: null,
        action: "decided",
        from_state: "pending",
        to_state: "accepted",
        reason: null,
      },
    ]);
    const decided = { client_id: client.id, review_id: id, from: "pending", to: "accepted", notify: false };
    expect(await outboxEvents(client)).toEqual([{ name: "review/decided", data: decided }]);
    const counted = await rowsOf("select count from product_summaries where client_id = $1", [client.id]);
    expect(counted).toEqual([{ count: 1 }]);
    expect(await findings(client, id)).toEqual([]);
  });

  it("rejects definite violations, with code, rule and history, and emails authors who used our forms", async () => {
    const client = await ruled();
    const id = await aReview(client, { extract: "😀 4111 1111 1111 1111", source: "collect" });
    const apiReview = await aReview(client, { extract: "fucking lamp", source: "api" });
    expect(await applyRules(client.id, "review", [id, apiReview])).toEqual({ accepted: 0, rejected: 2, held: 0 });
    expect(await stateOf(client, id)).toEqual([false, "personal_data"]);
    expect(await stateOf(client, apiReview)).toEqual([false, "profanity"]);
    expect(await history(client, id)).toMatchObject([
      { actor_kind: "rule", actor_id: "card_number", reason: "personal_data" },
    ]);
    expect(await findings(client, id)).toEqual([
      {
        rule: "card_number",
        field: "extract",
        span_start: 3,
        span_end: 22,
        suggested: "reject",
        reason: "personal_data",
      },
    ]);
    const notifyById = new Map((await outboxEvents(client)).map(({ data }) => [data.review_id, data.notify]));
    expect(notifyById).toEqual(
      new Map([
        [id, true],
        [apiReview, false],
      ]),
    );
  });

  it("holds the rest for a person, with every finding and a history entry", async () => {
    const client = await ruled();
    const columns = {
      title: "For $5",
      extract: "See amazon.com",
      pros: ["ok", "ask bob@brand.example"],
      answers: { fit: "http://x.example", score: 5 },
    };
    const id = await aReview(client, columns);
    expect(await applyRules(client.id, "review", [id])).toEqual({ accepted: 0, rejected: 0, held: 1 });
    expect(await stateOf(client, id)).toEqual([null, null]);
    expect((await findings(client, id)).map(({ rule, field }) => [rule, field])).toEqual([
      ["email", "pros[1]"],
      ["url", "extract"],
      ["url", "properties.fit"],
      ["price", "title"],
    ]);
    expect(await history(client, id)).toEqual([
      {
        actor_kind: "rule",
        actor_id: "email",
        action: "held",
        from_state: "pending",
        to_state: "pending",
        reason: null,
      },
    ]);
    expect(await outboxEvents(client)).toEqual([]);
  });

  it("doesn't depend on stars, recommendation or star answers", async () => {
    const client = await ruled({
      custom_questions: [
        { id: "fit", type: "score", label: {} },
        { id: "size", type: "select", label: {}, options: [{ id: "fuck", label: {} }] },
      ],
    });
    const outcomes = [];
    for (const score of [1, 2, 3, 4, 5]) {
      for (const extract of [CLEAN, "fucking lamp", "only $5"]) {
        const answers = { fit: score, size: "fuck" };
        const id = await aReview(client, {
          extract,
          score,
          recommended: score > 3,
          answers,
          product_id: `p${score}`,
          family_id: `p${score}`,
        });
        await applyRules(client.id, "review", [id]);
        outcomes.push(JSON.stringify([extract, await stateOf(client, id), await findings(client, id)]));
      }
    }
    expect(new Set(outcomes).size).toBe(3);
  });

  it("recognizes the author's own address, phone number and order", async () => {
    const client = await ruled({ locale: "sv_SE" });
    const order = await anOrder(client.id, {
      customer: { id: "c1", name: "Ann", email: "Ann@mail.example", phone: "+46 70 123 45 67" },
    });
    const known = { order_id: order.id, customer_id: "c1", email_key: "ann@mail.example", lang: "sv" };
    const mail = await aReview(client, { ...known, extract: "Skriv till ANN@mail.example" });
    const phone = await aReview(client, { ...known, extract: "Ring 0701234567" });
    await applyRules(client.id, "review", [mail, phone]);
    expect(await stateOf(client, mail)).toEqual([false, "personal_data"]);
    expect(await stateOf(client, phone)).toEqual([false, "personal_data"]);
  });

  it("follows the client's settings", async () => {
    const client = await ruled({
      rules: { url: { action: "reject" }, price: { on: false }, profanity: { words: ["plonker"] } },
    });
    const ids = await someReviews(client.id, [
      { extract: "See amazon.com" },
      { extract: "only $5" },
      { extract: "a plonker" },
    ]);
    await applyRules(client.id, "review", ids);
    expect(await Promise.all(ids.map((id) => stateOf(client, id)))).toEqual([
      [false, "promotion"],
      [true, null],
      [false, "profanity"],
    ]);
  });

  it("holds photos, which no rule can check", async () => {
    const client = await ruled();
    const id = await aReview(client, { extract: CLEAN, images: JSON.stringify([{ token: "t", key: "k" }]) });
    await applyRules(client.id, "review", [id]);
    expect(await findings(client, id)).toMatchObject([{ rule: "photo", field: null }]);
  });
});

describe("skipped by the rules", () => {
  it("are clients without auto-moderation, decided items, other clients' items and unknown ids", async () => {
    const [client, other, manual] = [await ruled(), await ruled(), await aClient()];
    const foreignReview = await aReview(other, { extract: CLEAN });
    const manualReview = await aReview(manual, { extract: CLEAN });
    const rejected = await aReview(client, { extract: CLEAN, accepted: false });
    const before = await hashDatabase();
    for (const [id, ids] of [
      [client.id, [foreignReview, rejected, "gone"]],
      [manual.id, [manualReview]],
      ["nobody", [foreignReview]],
    ] as const)
      expect(await applyRules(id, "review", ids)).toEqual({ accepted: 0, rejected: 0, held: 0 });
    expect(await hashDatabase()).toBe(before);
  });

  it("are items that a person moved back to pending, until the author edits them", async () => {
    const client = await ruled();
    const id = await aReview(client, { extract: CLEAN });
    await applyRules(client.id, "review", [id]);
    await updateReview(person, client.client, id, { accepted: null });
    expect(await applyRules(client.id, "review", [id])).toEqual({ accepted: 0, rejected: 0, held: 0 });
    expect(await stateOf(client, id)).toEqual([null, null]);
    const byAuthor = (action: string) =>
      rowsOf(
        `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, from_state, to_state)
         values ($1, 'review', $2, 'author', $3, 'pending', 'pending')`,
        [client.id, id, action],
      );
    await byAuthor("verified");
    expect(await applyRules(client.id, "review", [id])).toEqual({ accepted: 0, rejected: 0, held: 0 });
    await byAuthor("edited");
    expect(await applyRules(client.id, "review", [id])).toMatchObject({ accepted: 1 });
  });

  it("are items awaiting email verification: findings are stored, but nothing is decided", async () => {
    const client = await ruled({ require_verification: true });
    const [clean = "", foul = "", invited = "", confirmed = ""] = await someReviews(client.id, [
      { extract: CLEAN },
      { extract: "fucking lamp" },
      { extract: CLEAN, source: "invitation", verified_email: true, product_id: "q" },
      { extract: `${CLEAN} And more.`, verified_email: true, product_id: "r" },
    ]);
    expect(await applyRules(client.id, "review", [clean, foul, invited, confirmed])).toEqual({
      accepted: 2,
      rejected: 0,
      held: 1,
    });
    expect(await stateOf(client, clean)).toEqual([null, null]);
    expect(await stateOf(client, foul)).toEqual([null, null]);
    expect(await findings(client, foul)).toMatchObject([{ rule: "profanity" }]);
    expect(await history(client, foul)).toEqual([]);
    await rowsOf("update reviews set verified_email = true where client_id = $1", [client.id]);
    expect(await applyRules(client.id, "review", [clean, foul])).toEqual({ accepted: 1, rejected: 1, held: 0 });
  });
});

describe("repeated and concurrent runs", () => {
  it("change nothing the second time", async () => {
    const client = await ruled();
    const ids = await someReviews(client.id, [{ extract: CLEAN }, { extract: "fuck" }, { extract: "only $5" }]);
    await applyRules(client.id, "review", ids);
    const before = await hashDatabase();
    await applyRules(client.id, "review", ids);
    expect(await hashDatabase()).toBe(before);
  });

  it("decide each item once", async () => {
    const client = await ruled();
    const ids = await someReviews(
      client.id,
      Array.from({ length: 12 }, (_, n) => ({
        extract: n % 3 === 0 ? "fuck" : n % 3 === 1 ? `Fine ${n}` : `only $${n}`,
      })),
    );
    const tallies = await Promise.all(Array.from({ length: 6 }, () => applyRules(client.id, "review", ids)));
    expect(tallies.reduce((sum, { accepted, rejected }) => sum + accepted + rejected, 0)).toBe(8);
    for (const id of ids) expect(await history(client, id)).toHaveLength(1);
    expect(await outboxEvents(client)).toHaveLength(8);
  });

  /** Starts the rules while another transaction locks the row with a change that it commits afterwards. */
  async function applyRulesDuring(client: TestClient, id: string, change: string): Promise<void> {
    const other = await pool().connect();
    await other.query("begin");
    await other.query(`update reviews set ${change} where client_id = $1 and id = $2`, [client.id, id]);
    const judging = applyRules(client.id, "review", [id]);
    await expect.poll(countBlockedQueries).toBeGreaterThan(0);
    await other.query("commit");
    other.release();
    await judging;
  }

  it("apply to the text changed in the meantime, not to the one read first", async () => {
    const client = await ruled();
    const id = await aReview(client, { extract: CLEAN });
    await applyRulesDuring(client, id, "extract = 'fucking lamp'");
    expect(await stateOf(client, id)).toEqual([false, "profanity"]);
    expect(await history(client, id)).toHaveLength(1);
  });

  it("keep a person's decision made in the meantime", async () => {
    const client = await ruled();
    const id = await aReview(client, { extract: CLEAN });
    await applyRulesDuring(client, id, "accepted = false, reject_reason = 'competitor'");
    expect(await stateOf(client, id)).toEqual([false, "competitor"]);
    expect(await history(client, id)).toEqual([]);
  });

  it("keep the history consistent between people, the API and the rules", async () => {
    const client = await ruled();
    const ids = await someReviews(client.id, [{ extract: CLEAN }, { extract: "only $5" }, { extract: "fuck" }]);
    const key = { ...systemActor, kind: "key" as const, id: client.keyId };
    await Promise.all(
      ids.flatMap((id) => [
        ...[true, null, false, null].map((accepted) => updateReview(key, client.client, id, { accepted })),
        ...[1, 2, 3].map(() => applyRules(client.id, "review", [id])),
        updateReview(person, client.client, id, { accepted: false, reject_reason: "spam" }),
      ]),
    );
    for (const id of ids) {
      const moves = (await history(client, id)).filter(({ action }) => action === "decided");
      let state = "pending";
      for (const { from_state, to_state } of moves) {
        expect(from_state).toBe(state);
        state = to_state;
      }
      const [accepted] = (await stateOf(client, id)) ?? [];
      expect(state).toBe(accepted === null ? "pending" : accepted ? "accepted" : "rejected");
    }
  });

  it("remove findings when the text changes, and add those of the new text", async () => {
    const client = await ruled();
    const id = await aReview(client, { extract: "only $5" });
    await applyRules(client.id, "review", [id]);
    await rowsOf("update reviews set extract = $2 where client_id = $1", [client.id, "Now see amazon.com"]);
    expect(await findings(client, id)).toEqual([]);
    await applyRules(client.id, "review", [id]);
    expect(await findings(client, id)).toMatchObject([{ rule: "url", span_start: 8 }]);
    await rowsOf("update reviews set extract = $2 where client_id = $1", [client.id, CLEAN]);
    expect(await applyRules(client.id, "review", [id])).toMatchObject({ accepted: 1 });
    expect(await findings(client, id)).toEqual([]);
  });
});

describe("near-duplicates", () => {
  const text =
    "I bought this lamp for my daughter and she loves the warm light it gives in the evening, although the cable could be longer.";

  it("holds the later of two similar texts, and the earlier one if the later is already published", async () => {
    for (const how of ["together", "one by one", "backwards"] as const) {
      const client = await ruled();
      const [first = "", second = "", third = ""] = await someReviews(client.id, [
        { extract: text, created_at: new Date("2026-01-01T10:00:00Z"), product_id: "a" },
        {
          extract: text.replace("daughter", "grandson").toUpperCase(),
          created_at: new Date("2026-01-01T10:00:01Z"),
          product_id: "b",
        },
        {
          extract: "Quite another thing: a chair that creaks when one sits on it, but looks good in the hall.",
          product_id: "c",
        },
      ]);
      const ids = [first, second, third];
      if (how === "together") await applyRules(client.id, "review", ids);
      else if (how === "one by one") for (const id of ids) await applyRules(client.id, "review", [id]);
      else for (const id of ids.toReversed()) await applyRules(client.id, "review", [id]);
      const states = await Promise.all(
        ids.map(async (id) => [(await stateOf(client, id))?.[0], (await findings(client, id)).map(({ rule }) => rule)]),
      );
      const [held, fine] = [
        [null, ["duplicate"]],
        [true, []],
      ];
      expect(states, how).toEqual(how === "backwards" ? [held, fine, fine] : [fine, held, fine]);
    }
  });

  it("ignores other clients' texts and deleted ones", async () => {
    const [client, other] = [await ruled(), await ruled()];
    const foreignReview = await aReview(other, { extract: text });
    await applyRules(other.id, "review", [foreignReview]);
    const gone = await aReview(client, { extract: text });
    await applyRules(client.id, "review", [gone]);
    await rowsOf("delete from reviews where client_id = $1", [client.id]);
    const id = await aReview(client, { extract: text });
    expect(await applyRules(client.id, "review", [id])).toMatchObject({ accepted: 1 });
  });

  it("reads a bounded number of index entries, however many texts are similar", async () => {
    const client = await ruled();
    const many = await someReviews(
      client.id,
      Array.from({ length: 30 }, () => ({ extract: text, source: "api" })),
    );
    await applyRules(client.id, "review", many);
    const { rows } = await pool().query(
      `explain (analyze, format json) select m.subject_id from moderation_prints m
        where m.client_id = $1 and m.print = (select print from moderation_prints where client_id = $1 and kind = 'review' limit 1)
          and m.kind = 'review' and m.subject_id <> 'x'
        order by m.created_at desc, m.subject_id desc limit 3`,
      [client.id],
    );
    const plan = JSON.stringify(rows[0]["QUERY PLAN"]);
    expect(plan).not.toContain("Seq Scan");
    expect(plan).not.toContain('"Sort"');
  });
});

describe("bursts", () => {
  const at = (second: number) => new Date(Date.parse("2026-01-01T10:00:00Z") + second * 1_000);
  const sent = (n: number, more: Record<string, unknown>) => ({
    extract: `Fine number ${n}.`,
    source: "collect",
    created_at: at(n),
    ...more,
  });
  const outcome = async (client: TestClient, rows: Record<string, unknown>[]) => {
    const ids = await someReviews(client.id, rows);
    await applyRules(client.id, "review", ids);
    return Promise.all(
      ids.map(async (id) => (await findings(client, id)).map(({ rule }) => rule).join() || "accepted"),
    );
  };
  const six = [0, 1, 2, 3, 4, 5];
  const fiveAndOne = ["accepted", "accepted", "accepted", "accepted", "accepted", "burst"];

  it("are many items from one network, address or product within an hour", async () => {
    expect(
      await outcome(
        await ruled(),
        six.map((n) =>
          sent(n, { author_ip: `198.18.7.${n}`.replace("198.18", "81.2"), product_id: `${n}`, family_id: `${n}` }),
        ),
      ),
    ).toEqual(fiveAndOne);
    expect(
      await outcome(
        await ruled(),
        six.map((n) => sent(n, { email_key: "a@x.example", product_id: `${n}`, family_id: `${n}` })),
      ),
    ).toEqual(fiveAndOne);
    expect(
      await outcome(
        await ruled({ rules: { burst: { per_product: 5 } } }),
        six.map((n) => sent(n, {})),
      ),
    ).toEqual(fiveAndOne);
  });

  it("exclude items spread over time, of invited customers, or from the store's systems", async () => {
    const spread = six.map((n) =>
      sent(n, { email_key: "a@x.example", created_at: at(n * 1_000), product_id: `${n}`, family_id: `${n}` }),
    );
    expect(await outcome(await ruled(), spread)).not.toContain("burst");
    for (const source of ["invitation", "api", "import"])
      expect(
        await outcome(
          await ruled({ rules: { burst: { per_product: 2 } } }),
          six.map((n) => sent(n, { source, email_key: "a@x.example" })),
        ),
      ).not.toContain("burst");
  });

  it("delete sender fingerprints after a day, and store them unreadable", async () => {
    const client = await ruled();
    await outcome(client, [sent(1, { email_key: "secret@x.example", author_ip: "81.2.7.1" })]);
    const storedPrints = await rowsOf("select * from moderation_prints where client_id = $1", [client.id]);
    expect(storedPrints).toHaveLength(3);
    expect(JSON.stringify(storedPrints)).not.toMatch(/secret|81\.2/);
    expect(await purgeFingerprints()).toBe(0);
    await rowsOf("update moderation_prints set expires_at = now() - interval '1 s' where client_id = $1", [client.id]);
    expect(await purgeFingerprints(2)).toBe(2);
    expect(await purgeFingerprints()).toBe(1);
  });
});

describe("seller reviews and questions", () => {
  async function insert(client: TestClient, table: string, columns: Record<string, unknown>): Promise<string> {
    const row = { client_id: client.id, id: newReviewId(), date: "2026-01-01", feedback_token: newToken(), ...columns };
    const names = Object.keys(row);
    await rowsOf(
      `insert into ${table} (${names.join(", ")}) values (${names.map((_, index) => `$${index + 1}`).join(", ")})`,
      Object.values(row),
    );
    return row.id;
  }
  const states = (client: TestClient, table: string) =>
    rowsOf(`select accepted, reject_reason from ${table} where client_id = $1 order by created_at, id`, [client.id]);

  it("are moderated by the same rules, with their own data and counts", async () => {
    const client = await ruled();
    const fine = await insert(client, "seller_reviews", { source: "invitation", score: 5, extract: CLEAN });
    const foul = await insert(client, "seller_reviews", { source: "invitation", score: 1, title: "fuck", extract: "" });
    expect(await applyRules(client.id, "seller_review", [fine, foul])).toEqual({ accepted: 1, rejected: 1, held: 0 });
    expect(new Set((await outboxEvents(client)).map(({ name }) => name))).toEqual(new Set(["seller_review/decided"]));
    expect(await rowsOf("select count from seller_summaries where client_id = $1", [client.id])).toEqual([
      { count: 1 },
    ]);
    const [finding] = await findings(client, foul);
    expect(finding).toMatchObject({ field: "title" });
    await rowsOf("update seller_reviews set title = 'x' where client_id = $1 and id = $2", [client.id, foul]);
    expect(await findings(client, foul)).toEqual([]);

    const questionId = await insert(client, "questions", {
      source: "web",
      product_id: "p",
      question: "Is it $5?",
      details: "I mean fuck",
    });
    await applyRules(client.id, "question", [questionId]);
    expect(await states(client, "questions")).toEqual([{ accepted: false, reject_reason: "profanity" }]);
    expect((await findings(client, questionId)).map(({ field }) => field)).toEqual(["details", "question"]);
    expect((await outboxEvents(client)).at(-1)).toMatchObject({
      name: "question/decided",
      data: { question_id: questionId, to: "rejected" },
    });
  });
});

describe("stored findings", () => {
  it("are deleted with the item, or with the client", async () => {
    const client = await ruled();
    const ids = await someReviews(client.id, [{ extract: `only $5. ${CLEAN.repeat(3)}` }, { extract: "fuck" }]);
    await applyRules(client.id, "review", ids);
    const countStored = () =>
      rowsOf(
        `select (select count(*)::int from moderation_findings where client_id = $1) as findings,
                (select count(*)::int from moderation_prints where client_id = $1) as prints`,
        [client.id],
      );
    expect((await countStored())[0].findings).toBe(2);
    await rowsOf("delete from reviews where client_id = $1 and id = $2", [client.id, ids[1]]);
    expect((await countStored())[0].findings).toBe(1);
    await rowsOf("delete from clients where id = $1", [client.id]);
    expect(await countStored()).toEqual([{ findings: 0, prints: 0 }]);
  });

  it("contain none of its text", async () => {
    const client = await ruled();
    const id = await aReview(client, { extract: "Geheimwort bob@brand.example for $5" });
    await applyRules(client.id, "review", [id]);
    const rows = await rowsOf(
      `select f::text as row from moderation_findings f where client_id = $1 union all select p::text from moderation_prints p where client_id = $1
       union all select e::text from moderation_events e where client_id = $1 union all select data::text from outbox where client_id = $1`,
      [client.id],
    );
    expect(rows.length).toBeGreaterThan(2);
    expect(JSON.stringify(rows)).not.toMatch(/Geheimwort|brand|\$5/);
  });
});

describe("rules that are turned on or changed", () => {
  const walk = async (client: TestClient) => {
    const total = { accepted: 0, rejected: 0, held: 0 };
    for (let place: typeof firstPosition | null = firstPosition; place; ) {
      const done: Awaited<ReturnType<typeof applyRulesToPending>> = await applyRulesToPending(client.id, place);
      for (const name of ["accepted", "rejected", "held"] as const) total[name] += done[name];
      place = done.next;
    }
    return total;
  };
  const changeEvents = (client: TestClient) =>
    rowsOf("select data from outbox where name = 'moderation/changed' and client_id = $1", [client.id]);

  it("apply to pending items page by page, except those a person moved back to pending", async () => {
    const client = await aClient();
    const ids = await someReviews(
      client.id,
      Array.from({ length: 120 }, (_, n) => ({ extract: n % 2 ? `Fine ${n}` : `only $${n}`, source: "api" })),
    );
    await updateReview(person, client.client, ids[1] ?? "", { accepted: true });
    await updateReview(person, client.client, ids[1] ?? "", { accepted: null });
    expect(await walk(client)).toEqual({ accepted: 0, rejected: 0, held: 0 });
    await setClient(client.id, { auto_moderate: true });
    expect(await changeEvents(client)).toHaveLength(1);
    expect(await walk(client)).toEqual({ accepted: 59, rejected: 0, held: 60 });
    await setClient(client.id, { rules: { price: { on: false } } });
    expect(await changeEvents(client)).toHaveLength(2);
    expect(await walk(client)).toEqual({ accepted: 60, rejected: 0, held: 0 });
    expect(await stateOf(client, ids[1] ?? "")).toEqual([null, null]);
  });

  it("emit an event only with auto-moderation, and only for settings the rules use", async () => {
    const client = await aClient();
    await setClient(client.id, { rules: { price: { on: false } } });
    await setClient(client.id, { auto_moderate: false, locale: "sv_SE" });
    expect(await changeEvents(client)).toEqual([]);
    await setClient(client.id, { auto_moderate: true });
    await setClient(client.id, { send_limit: 5 });
    expect(await changeEvents(client)).toHaveLength(1);
  });

  it("are rejected without effect if invalid", async () => {
    const client = await aClient();
    const before = await hashDatabase();
    for (const [rules, field] of [
      [{ prophanity: {} }, "rules"],
      [{ profanity: { onn: true } }, "rules.profanity"],
      [{ url: { action: "delete" } }, "rules.url.action"],
      [{ profanity: { words: "fuck" } }, "rules.profanity.words"],
      [{ burst: { minutes: 0 } }, "rules.burst.minutes"],
      [{ photo: { action: "reject" } }, "rules.photo"],
      [[], "rules"],
    ] as const) {
      await expect(setClient(client.id, { rules })).rejects.toMatchObject({ issues: [{ field }] });
    }
    expect(await hashDatabase()).toBe(before);
  });
});
