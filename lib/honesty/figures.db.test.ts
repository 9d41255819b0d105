import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, it } from "vitest";
import { POST as collect } from "@/app/collect/reviews/route";
import { type Actor, systemActor } from "@/lib/accounts/actor";
import { getClient } from "@/lib/accounts/stores/get-client";
import { confirmItems } from "@/lib/forms/verification/sql";
import { appendEntries } from "@/lib/honesty/append-entries";
import type { Decider } from "@/lib/honesty/entry";
import { type ByStars, type Figures, FiguresReader, type ReviewFigures } from "@/lib/honesty/figures";
import { readEntries, readHead } from "@/lib/honesty/read-log";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { decideItem } from "@/lib/reviews/decisions/decide-items";
import { removeReply } from "@/lib/reviews/replies/change-reply";
import { writeReply } from "@/lib/reviews/replies/write-reply";
import { deleteReview } from "@/lib/reviews/reviews/delete-review";
import { editReview } from "@/lib/reviews/reviews/edit-review";
import { updateReview } from "@/lib/reviews/reviews/update-review";
import { upsertReview } from "@/lib/reviews/reviews/upsert-review";
import { submitSellerReview } from "@/lib/reviews/seller-reviews/submit-seller-review";
import { closeReports } from "@/lib/reviews/votes/close-reports";
import { giveFeedback } from "@/lib/reviews/votes/give-feedback";
import { setClient } from "@/lib/settings/set-client";
import { postJson } from "@/lib/tools/test/collection-rows";
import { eraseCompletely } from "@/lib/tools/test/erase";
import { aClient, rowsOf, type TestClient } from "@/lib/tools/test/factories";
import { propertyRuns } from "@/lib/tools/test/property-runs";
import { importReviews } from "@/lib/transfer/import-reviews";

const DAY = 86_400_000;
const person = { kind: "user", id: "usr_1" } as const;
const deciders = { person, key: { kind: "key", id: "key_1" }, rule: { kind: "rule", id: "words" } } as const;

const score = fc.integer({ min: 1, max: 5 });
/** Selects an existing row, modulo their number. */
const which = fc.nat(1_000);
const steps = {
  collect: fc.record({ score, email: fc.option(fc.nat(2)) }),
  bring: fc.record({
    external: fc.nat(3),
    score,
    accepted: fc.constantFrom(undefined, null, true, false),
    incentivized: fc.constantFrom(undefined, true, false),
  }),
  offer: fc.record({ on: fc.boolean() }),
  rate: fc.record({ invitation: fc.nat(3), score }),
  decide: fc.record({
    which,
    by: fc.constantFrom("person", "key", "rule" as const),
    accepted: fc.option(fc.boolean()),
    reason: fc.constantFrom("spam", "illegal" as const),
  }),
  update: fc.record({ which, score }),
  import: fc.record({
    which,
    score,
    incentivized: fc.constantFrom(undefined, true, false),
    accepted: fc.option(fc.boolean()),
    reason: fc.constantFrom("spam", "illegal" as const),
  }),
  mark: fc.record({ which, incentivized: fc.boolean() }),
  edit: fc.record({ which, score }),
  confirm: fc.record({ which }),
  report: fc.record({ which, voter: fc.nat(1) }),
  "close reports": fc.record({ which }),
  reply: fc.record({ which }),
  "remove reply": fc.record({ which }),
  delete: fc.record({ which, kind: fc.constantFrom("user", "key", "system" as const) }),
  erase: fc.record({ email: fc.nat(2) }),
};
type Step = {
  [Name in keyof typeof steps]: (typeof steps)[Name] extends fc.Arbitrary<infer S> ? S & { do: Name } : never;
}[keyof typeof steps];
/** The likelier a step, the more often it is listed. */
const likely = [
  "collect",
  "collect",
  "collect",
  "bring",
  "bring",
  "rate",
  "decide",
  "decide",
  "decide",
  "decide",
] as const;
const allSteps = fc.array(
  fc.oneof(
    ...[...likely, ...(Object.keys(steps) as (keyof typeof steps)[])].map((name) =>
      (steps[name] as fc.Arbitrary<object>).map((step) => ({ do: name, ...step })),
    ),
  ) as fc.Arbitrary<Step>,
  { minLength: 15, maxLength: 50 },
);

type Kind = "review" | "seller_review";
type Row = { kind: Kind; id: string; accepted: boolean | null };

async function run(shop: TestClient, step: Step): Promise<void> {
  const client = (await getClient(shop.id)) ?? shop.client;
  const pick = async (which: number, kinds: Kind[] = ["review", "seller_review"]): Promise<Row | undefined> => {
    const rows = await rowsOf(
      `select * from (select 'review' as kind, id, accepted from reviews where client_id = $1
         union all select 'seller_review', id, accepted from seller_reviews where client_id = $1) r
        where kind = any($2) order by kind, id`,
      [shop.id, kinds],
    );
    return rows[which % rows.length] as Row | undefined;
  };
  switch (step.do) {
    case "collect": {
      // Those that have to confirm an address have to give one.
      const more =
        step.email === null && !client.require_verification ? {} : { author_email: `c${step.email ?? 3}@example.org` };
      const body = { client_id: shop.id, api_key: shop.publicKey, product_id: "P-1", author: "Ann", ...more };
      const response = await postJson(collect, "/collect/reviews", {
        ...body,
        score: step.score,
        content: crypto.randomUUID(),
      });
      expect(response.status).toBe(201);
      return;
    }
    case "bring":
      await upsertReview(systemActor, client, {
        external_id: `e${step.external}`,
        author: "Bo",
        score: step.score,
        extract: crypto.randomUUID(),
        order: { item: { id: "P-2" } },
        ...(step.accepted === undefined ? {} : { accepted: step.accepted }),
        ...(step.incentivized === undefined ? {} : { incentivized: step.incentivized }),
      } as Parameters<typeof upsertReview>[2]);
      return;
    case "rate": {
      const invitationId = `i${step.invitation}`;
      await rowsOf(
        "insert into invitations (client_id, id, status, day) values ($1, $2, 'sent', '2026-01-01') on conflict do nothing",
        [shop.id, invitationId],
      );
      const author = { author: "Cy", authorEmail: "c0@example.org", authorIp: null };
      const about = { invitationId, orderId: null, customerId: null, termsAgreedAt: null, termsVersion: null };
      await submitSellerReview(client, {
        ...about,
        ...author,
        score: step.score,
        title: null,
        content: crypto.randomUUID(),
      });
      return;
    }
    case "decide": {
      const row = await pick(step.which);
      if (!row) return;
      const { accepted, reason } = step;
      await decideItem(deciders[step.by], client, row.kind, row.id, {
        accepted,
        ...(accepted === false ? { reject_reason: reason } : {}),
      });
      return;
    }
    case "offer":
      await setClient(shop.id, { config: step.on ? { incentive: "A voucher" } : {} });
      return;
    case "import": {
      const row = await pick(step.which, ["review"]);
      if (!row) return;
      const { accepted, reason } = step;
      const status = accepted === false ? { accepted, reject_reason: reason } : { accepted };
      const imported = { id: row.id, score: step.score, incentivized: step.incentivized, ...status };
      const report = await importReviews(shop.id, Readable.from([Buffer.from(`${JSON.stringify(imported)}\n`)]));
      expect(report.rejected).toEqual([]);
      return;
    }
    case "mark": {
      const row = await pick(step.which, ["review"]);
      if (row) await updateReview(systemActor, client, row.id, { incentivized: step.incentivized });
      return;
    }
    case "update": {
      const row = await pick(step.which, ["review"]);
      if (row) await updateReview(systemActor, client, row.id, { score: step.score });
      return;
    }
    case "edit": {
      const row = await pick(step.which, ["review"]);
      if (!row) return;
      const texts = { author: "Ann", score: step.score, title: null, extract: crypto.randomUUID(), pros: [], cons: [] };
      await transaction((db) =>
        editReview(db, client, row.id, { ...texts, recommended: null, answers: {}, lang: "en" }, []),
      );
      return;
    }
    case "confirm": {
      const waiting = await rowsOf(
        "select id, email_key from reviews where client_id = $1 and verification is not null order by id",
        [shop.id],
      );
      const row = waiting[step.which % waiting.length];
      if (row) await transaction((db) => confirmItems(db, shop.id, "review", [row.id], row.email_key));
      return;
    }
    case "report": {
      const shown = await rowsOf(
        "select feedback_token as token from reviews where client_id = $1 and accepted order by id",
        [shop.id],
      );
      const row = shown[step.which % shown.length];
      if (row)
        await giveFeedback(
          row.token,
          { type: "bad", voter_id: `v${step.voter}` },
          { address: "127.0.0.1", origin: null },
        );
      return;
    }
    case "close reports": {
      const row = await pick(step.which, ["review"]);
      if (row) await closeReports(person, client, row.id);
      return;
    }
    case "reply": {
      const row = await pick(step.which);
      if (row) await writeReply(person, client, row.kind, row.id, { text: crypto.randomUUID() });
      return;
    }
    case "remove reply": {
      const replies = await rowsOf("select kind, subject_id, id from responses where client_id = $1 order by id", [
        shop.id,
      ]);
      const reply = replies[step.which % replies.length];
      if (reply) await removeReply(person, client, reply.kind, reply.subject_id, reply.id);
      return;
    }
    case "delete": {
      const row = await pick(step.which, ["review"]);
      if (row) await deleteReview({ ...systemActor, kind: step.kind } as Actor, client, row.id);
      return;
    }
    case "erase":
      await eraseCompletely(shop.id, { by: "email", email: `c${step.email}@example.org` }).catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === "not_found")) throw error;
      });
  }
}

/** The figures of a store's log. */
async function figuresOf(clientId: string, asOf: Date): Promise<Figures> {
  await appendEntries();
  const reader = new FiguresReader();
  const head = await readHead(clientId);
  for await (const entry of readEntries(clientId, head?.size ?? 0)) reader.read(entry);
  return reader.figures(asOf);
}

/** The same figures as far as the rows and their history tell, counted by the database. */
async function recount(clientId: string, kinds: Kind[]) {
  const rows = await rowsOf(
    `with r as (
       select 'review' as kind, id, score, accepted, reject_reason, verification, responses <> '[]' as replied, flag_count > 0 as reported,
              source, verified_buyer, verified_email, incentivized from reviews where client_id = $1
       union all select 'seller_review', id, score, accepted, reject_reason, null, responses <> '[]', false,
              source, verified_buyer, verified_email, incentivized from seller_reviews where client_id = $1),
     f as (
       select r.*, exists (select from moderation_events e where e.client_id = $1 and e.kind = r.kind and e.subject_id = r.id
                              and e.to_state = 'accepted') as was_published,
              (select case actor_kind when 'user' then 'person' else actor_kind end from moderation_events e
                where e.client_id = $1 and e.kind = r.kind and e.subject_id = r.id and e.action in ('decided', 'imported', 'edited')
                  and (e.from_state is distinct from e.to_state or e.action = 'decided' or e.action = 'imported' and e.texts is null) order by e.id desc limit 1) as by
         from r where r.kind = any($2)),
     s as (
       select *, case when accepted then 'published' when accepted is null and verification is null then 'pending'
                      when accepted is null then 'unconfirmed' when was_published then 'removed' else 'rejected' end as state from f)
     select 'state' as what, state as name, score, count(*)::int from s group by 2, 3
     union all select 'reason', reject_reason, score, count(*)::int from s where accepted = false group by 2, 3
     union all select 'replied', 'replied', score, count(*)::int from s where accepted and replied group by 3
     union all select 'source', source, score, count(*)::int from s where accepted group by 2, 3
     union all select 'verified', case when verified_buyer then 'buyer' else 'email' end, score, count(*)::int from s
                where accepted and (verified_buyer or verified_email) group by 2, 3
     union all select 'incentivized', 'incentivized', score, count(*)::int from s where accepted and incentivized group by 3
     union all select 'edits', case actor_kind when 'author' then 'author' else 'store' end, 0, count(*)::int
                 from moderation_events e
                where client_id = $1 and kind = any($2) and (action = 'edited' or action = 'imported' and texts is not null
                  and exists (select from moderation_events f where f.client_id = $1 and f.kind = e.kind
                                 and f.subject_id = e.subject_id and f.id < e.id)) group by 2
     union all select 'ever', 'published', 0, count(distinct (kind, subject_id))::int from moderation_events
                where client_id = $1 and kind = any($2) and to_state = 'accepted'
     union all select 'reported', 'open', 0, count(*)::int from s where reported and accepted is distinct from false
     union all select 'by', state || ' ' || by, 0, count(*)::int from s where accepted is not null group by 2
     union all select 'ended', case when action = 'deleted' and actor_kind = 'system' then 'undone' else action end, 0, count(*)::int from moderation_events
                where client_id = $1 and kind = any($2) and action in ('deleted', 'erased') group by 2`,
    [clientId, kinds],
  );
  const byStars = (what: string, name: string): ByStars => {
    const stars = [1, 2, 3, 4, 5].map((of) =>
      rows
        .filter((row) => row.what === what && row.name === name && row.score === of)
        .reduce((sum, row) => sum + row.count, 0),
    ) as ByStars["stars"];
    return { total: stars.reduce((sum, one) => sum + one, 0), stars };
  };
  const totalOf = (what: string, ...names: string[]): number =>
    rows.filter((row) => row.what === what && names.includes(row.name)).reduce((sum, row) => sum + row.count, 0);
  const reasons = [...new Set(rows.filter(({ what }) => what === "reason").map(({ name }) => name as string))].sort();
  const by = (...states: string[]) =>
    Object.fromEntries(
      (["author", "rule", "person", "key", "system"] satisfies Decider[]).map((decider) => [
        decider,
        totalOf("by", ...states.map((state) => `${state} ${decider}`)),
      ]),
    );
  return {
    published: byStars("state", "published"),
    pending: byStars("state", "pending"),
    waiting: byStars("state", "pending"),
    unconfirmed: byStars("state", "unconfirmed"),
    rejected: byStars("state", "rejected"),
    removed: byStars("state", "removed"),
    reasons: Object.fromEntries(reasons.map((reason) => [reason, byStars("reason", reason)])),
    replied: byStars("replied", "replied"),
    decided_by: { published: by("published"), rejected: by("rejected", "removed") },
    invited: byStars("source", "invitation"),
    imported: byStars("source", "import"),
    verified_buyer: byStars("verified", "buyer"),
    verified_email: byStars("verified", "email"),
    incentivized: byStars("incentivized", "incentivized"),
    // No step imports a file, so the time counts for all.
    times: totalOf("ever", "published"),
    edits: { store: totalOf("edits", "store"), author: totalOf("edits", "author") },
    open_reports: totalOf("reported", "open"),
    deleted: totalOf("ended", "deleted"),
    undone: totalOf("ended", "undone"),
    erased: totalOf("ended", "erased"),
  };
}

const comparable = (figures: ReviewFigures, like: object) => ({
  ...Object.fromEntries(Object.keys(like).map((name) => [name, figures[name as keyof ReviewFigures]])),
  times: figures.time_to_publish.count,
  edits: { store: figures.store_edits.total, author: figures.author_edits.total },
  open_reports: figures.reports.open,
  deleted: figures.deleted.total,
  undone: figures.undone.total,
  erased: figures.erased.total,
});

it("from the log are those that the rows give, after any sequence of decisions", {
  timeout: 120_000 * propertyRuns(1),
}, async () => {
  await fc.assert(
    fc.asyncProperty(allSteps, fc.boolean(), async (all, requires) => {
      const shop = await aClient({ require_verification: requires });
      for (const step of all) await run(shop, step);
      const figures = await figuresOf(shop.id, new Date(Date.now() + 8 * DAY));
      for (const [name, kinds] of [
        ["reviews", ["review", "seller_review"]],
        ["product_reviews", ["review"]],
        ["seller_reviews", ["seller_review"]],
      ] as const) {
        const counted = await recount(shop.id, [...kinds]);
        expect(comparable(figures[name], counted)).toEqual(counted);
        const { received, published, pending, unconfirmed, rejected, removed, deleted, undone, erased } = figures[name];
        expect(received.total).toBe(
          [published, pending, unconfirmed, rejected, removed, deleted, undone, erased].reduce(
            (sum, { total }) => sum + total,
            0,
          ),
        );
      }
      const [summed] = await rowsOf(
        `select array[coalesce(sum(c1), 0), coalesce(sum(c2), 0), coalesce(sum(c3), 0), coalesce(sum(c4), 0), coalesce(sum(c5), 0)]::int[] as stars
             from product_summaries where client_id = $1`,
        [shop.id],
      );
      expect(figures.product_reviews.published.stars).toEqual(summed?.stars);
    }),
    { numRuns: propertyRuns(10) },
  );
});
