import path from "node:path";
import { Readable } from "node:stream";
import type { PoolClient } from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import * as page from "@/app/me/[token]/route";
import * as item from "@/app/portal/api/v1/queue/[kind]/[id]/route";
import * as queue from "@/app/portal/api/v1/queue/route";
import * as reviews from "@/app/v1/reviews/[id]/route";
import { appendEntries } from "@/lib/honesty/append-entries";
import { readBundle } from "@/lib/honesty/log/tree";
import { verifyOwnLog } from "@/lib/honesty/verify-own-log";
import { mailUpheldAppeal } from "@/lib/moderation/rejections/mail-appeal";
import { mailRejection } from "@/lib/moderation/rejections/mail-rejection";
import { applyRules } from "@/lib/moderation/rules/apply-rules";
import { transaction } from "@/lib/platform/db/pool";
import { createAuthorPageLink } from "@/lib/reviews/author-page/link";
import { decideInTransaction, decideItems } from "@/lib/reviews/decisions/decide-items";
import { stateOf } from "@/lib/reviews/decisions/rules";
import { call, pathOf } from "@/lib/tools/test/call";
import { emptyDatabase } from "@/lib/tools/test/database";
import { waitUntil } from "@/lib/tools/test/engines";
import { aClient, aMember, rowsOf, someReviews, type TestClient, type TestMember } from "@/lib/tools/test/factories";
import { importReviews } from "@/lib/transfer/import-reviews";
import { importReviewsFrom } from "@/lib/transfer/import-reviews-from";

const email = "ada@example.org";
const author = { author_email: "Ada@Example.org", email_key: email, lang: "en" };
let shop: TestClient;
let rejecter: TestMember;
let review = "";
let link = "";
beforeEach(async () => {
  await emptyDatabase();
  shop = await aClient({ display_name: "Lampor" });
  rejecter = await aMember(shop);
  [review = ""] = await someReviews(shop.id, [author]);
  await rowsOf(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, to_state)
     values ($1, 'review', $2, 'author', 'submitted', 'pending')`,
    [shop.id, review],
  );
  link = await transaction((db) => createAuthorPageLink(db, shop.id, email)).then(pathOf);
  expect(await decide(rejecter, false)).toBe("done");
});

const decide = async (by: TestMember, accepted: boolean | null, id = review) => {
  const body = { items: [{ kind: "review", id, accepted }] };
  const { json } = await call(queue, "PUT", `/portal/api/v1/queue?client_id=${shop.id}`, {
    headers: by.headers,
    body,
  });
  return json.data[0].reason ?? json.data[0].outcome;
};
const putAs = (as: object, change: object) =>
  call(reviews, "PUT", `/v1/reviews/${review}?client_id=${shop.id}`, { ...as, body: { review: change } });
const put = ({ headers }: TestMember, accepted: boolean) => putAs({ headers }, { accepted });
/** Moves the history an hour back, so that decisions can't be undone any more. */
const ageHistory = () =>
  transaction(async (db) => {
    await db.query("set local candor.erasing = 'on'"); // the history is append-only
    await db.query("update moderation_events set at = at - interval '1 hour'");
  });
const post = (fields: Record<string, string>) =>
  call(page, "POST", link, {
    body: new URLSearchParams(fields).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
const appeal = (text = "It is true.") => post({ do: "appeal", item: `review.${review}`, text });
const accepted = async () => (await rowsOf("select accepted from reviews where id = $1", [review]))[0]?.accepted;
const detail = (by: TestMember) =>
  call(item, "GET", `/portal/api/v1/queue/review/${review}?client_id=${shop.id}`, { headers: by.headers });
const importRows = (...rows: object[]) =>
  importReviews(shop.id, Readable.from(rows.map((row) => Buffer.from(`${JSON.stringify(row)}\n`))));
/** Runs an import that waits for a change of a review to be committed. */
const waitingImport = async (
  start: () => ReturnType<typeof importReviews>,
  change: (db: PoolClient) => Promise<unknown>,
) => {
  const { importing } = await transaction(async (db) => {
    await change(db);
    const importing = start();
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await waitUntil(async () => (await rowsOf(waiting)).length > 0);
    return { importing };
  });
  return importing;
};
const receiveAppeal = async (db: PoolClient) => {
  await db.query("update reviews set accepted = null, reject_reason = null, decided_at = null where id = $1", [review]);
  await db.query(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, from_state, to_state)
     values ($1, 'review', $2, 'author', 'appealed', 'rejected', 'pending')`,
    [shop.id, review],
  );
};

describe("an appeal", () => {
  it("makes the item pending, with its text in the queue and on the author's page, once", async () => {
    const hostile = `<script>alert(1)</script>\r\n{{ shop }} \u202e`;
    const answers = await Promise.all([appeal(hostile), appeal(hostile)]);
    expect(answers.map(({ text }) => text.includes("received your appeal")).sort()).toEqual([false, true]);
    expect(await accepted()).toBe(null);
    for (const { text } of answers) {
      expect(text).not.toContain("<script>alert");
      expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;\n{{ shop }}");
    }
    expect((await detail(rejecter)).json.data.item.appeal).toEqual({
      at: expect.any(String),
      text: "<script>alert(1)</script>\n{{ shop }} \u202e",
      rejected_by: expect.any(String),
    });
    expect((await appeal()).text).toContain("Nothing was changed");
    expect(await rowsOf("select from moderation_events where action = 'appealed'")).toHaveLength(1);
  });

  it("needs a rejection, a text of limited length, and the author's own item", async () => {
    expect((await appeal("x".repeat(2_001))).text).toContain("Your appeal wasn’t sent");
    const [pending = "", others = ""] = await someReviews(shop.id, [
      author,
      { author_email: "bo@example.org", email_key: "bo@example.org", accepted: false },
    ]);
    for (const id of [pending, others])
      expect((await post({ do: "appeal", item: `review.${id}` })).text).toContain("Nothing was changed");
    expect(await rowsOf("select from moderation_events where action = 'appealed'")).toEqual([]);
    expect((await post({ do: "appeal", item: `review.${review}` })).text).toContain("received your appeal");
  });

  it("isn't decided by the person who rejected it, in any way, while another moderates there", async () => {
    const other = await aMember(shop);
    await appeal();
    for (const verdict of [true, false]) {
      expect(await decide(rejecter, verdict)).toBe("appeal_needs_another_person");
      const { status, text } = await put(rejecter, verdict);
      expect([status, text]).toEqual([409, expect.stringContaining("Another person must decide.")]);
    }
    expect(await accepted()).toBe(null);
    expect(await decide(other, true)).toBe("done");
    // Nor do they reverse the outcome.
    expect(await decide(rejecter, false)).toBe("appeal_needs_another_person");
    expect((await put(rejecter, false)).status).toBe(409);
    expect(await accepted()).toBe(true);
    // Other people's decisions aren't affected, nor are other reviews.
    expect(await decide(other, false)).toBe("done");
    const [another = ""] = await someReviews(shop.id, [author]);
    expect(await decide(rejecter, false, another)).toBe("done");
  });

  it("isn't decided by the person who rejected it either if the text was edited since", async () => {
    const other = await aMember(shop, "admin");
    expect((await putAs({ key: shop.key }, { extract: "By a program." })).status).toBe(200);
    expect((await putAs({ headers: other.headers }, { extract: "By an admin." })).status).toBe(200);
    await appeal();
    expect((await detail(other)).json.data.item.appeal.rejected_by).toBe(rejecter.name);
    expect(await decide(rejecter, true)).toBe("appeal_needs_another_person");
    expect((await put(rejecter, true)).status).toBe(409);
    expect(await accepted()).toBe(null);
    // Who edited the text only may decide.
    expect(await decide(other, true)).toBe("done");
  });

  it("isn't decided by who rejected it nor by who changed the reason, unless nobody else may", async () => {
    const other = await aMember(shop);
    const change = (as: object, reason: string) => putAs(as, { accepted: false, reject_reason: reason });
    expect((await change({ headers: other.headers }, "illegal")).status).toBe(200);
    expect((await change({ key: shop.key }, "spam")).status).toBe(200);
    const third = await aMember(shop);
    await appeal();
    expect((await detail(third)).json.data.item.appeal.rejected_by).toBe(rejecter.name);
    for (const person of [rejecter, other]) expect(await decide(person, true)).toBe("appeal_needs_another_person");
    await rowsOf("update users set disabled_at = now() where id = $1", [third.id]);
    expect(await decide(rejecter, true)).toBe("done");
  });

  it("is decided by anybody but who rejected it last", async () => {
    const other = await aMember(shop);
    expect(await decide(rejecter, true)).toBe("done");
    expect(await decide(other, false)).toBe("done");
    await appeal();
    expect((await detail(rejecter)).json.data.item.appeal.rejected_by).toBe(other.name);
    expect(await decide(other, true)).toBe("appeal_needs_another_person");
    expect(await decide(rejecter, true)).toBe("done");
  });

  it("isn't decided by who rejected it, but by who published it by mistake and undid that", async () => {
    const other = await aMember(shop);
    expect(await decide(other, true)).toBe("done");
    expect(await decide(other, false)).toBe("done"); // an undo
    await appeal();
    expect((await detail(other)).json.data.item.appeal.rejected_by).toBe(rejecter.name);
    expect(await decide(rejecter, false)).toBe("appeal_needs_another_person");
    expect(await decide(other, true)).toBe("done");
  });

  it.each(["later", "for another reason"])("is of who published it and rejected it %s", async (how) => {
    const other = await aMember(shop);
    expect(await decide(other, true)).toBe("done");
    if (how === "later") await ageHistory();
    const rejected = { kind: "review" as const, id: review, accepted: false };
    const reason = how === "later" ? "unspecified" : "spam";
    await decideItems({ kind: "user", id: other.id }, shop.client, [{ ...rejected, reject_reason: reason }], {});
    await appeal();
    expect((await detail(other)).json.data.item.appeal.rejected_by).toBe(other.name);
    expect(await decide(other, true)).toBe("appeal_needs_another_person");
    expect(await decide(rejecter, true)).toBe("done");
  });

  it("names nobody if a program rejected it and a person changed the reason, who doesn't decide it either", async () => {
    const [other, third] = [await aMember(shop), await aMember(shop)];
    expect(await decide(other, true)).toBe("done");
    await putAs({ key: shop.key }, { accepted: false, reject_reason: "spam" });
    await putAs({ headers: other.headers }, { accepted: false, reject_reason: "illegal" });
    await appeal();
    expect((await detail(third)).json.data.item.appeal.rejected_by).toBe(null);
    expect(await decide(other, true)).toBe("appeal_needs_another_person");
    expect(await decide(third, true)).toBe("done");
  });

  it("is decided by anybody if a program rejected it, also by who changed the reason and undid that", async () => {
    const other = await aMember(shop);
    expect(await decide(other, true)).toBe("done");
    const reject = (as: object, reason: string) => putAs(as, { accepted: false, reject_reason: reason });
    await reject({ key: shop.key }, "spam");
    for (const reason of ["illegal", "spam"]) await reject({ headers: other.headers }, reason);
    await putAs({ headers: other.headers }, { extract: "Edited afterwards." });
    expect((await call(page, "GET", link)).text).not.toContain("A person decided");
    await appeal();
    expect(await decide(other, true)).toBe("done");
  });

  it("isn't decided by who changed the reason, undid that, and changed it again", async () => {
    const other = await aMember(shop);
    expect(await decide(other, true)).toBe("done");
    const reject = (as: object, reason: string) => putAs(as, { accepted: false, reject_reason: reason });
    await reject({ key: shop.key }, "spam");
    for (const reason of ["illegal", "spam", "illegal"]) await reject({ headers: other.headers }, reason);
    expect((await call(page, "GET", link)).text).toContain("A person decided");
    await appeal();
    expect(await decide(other, true)).toBe("appeal_needs_another_person");
  });

  it("is decided by anybody if a program rejected it, also after a person's earlier rejection", async () => {
    const other = await aMember(shop);
    expect(await decide(rejecter, true)).toBe("done");
    await putAs({ key: shop.key }, { accepted: false });
    await appeal();
    expect((await detail(other)).json.data.item.appeal.rejected_by).toBe(null);
    expect(await decide(rejecter, true)).toBe("done");
  });

  it("is decided by the same person if nobody else may: viewers, disabled people and other stores' don't count", async () => {
    await aMember(shop, "viewer");
    await aMember(shop, "operator"); // not in this queue
    await aMember(await aClient());
    const left = await aMember(shop);
    await rowsOf("update users set disabled_at = now() where id = $1", [left.id]);
    await appeal();
    expect(await decide(rejecter, true)).toBe("done");
    expect(await accepted()).toBe(true);
  });

  it("isn't decided by rules, and no longer counts once the author edits the text", async () => {
    await rowsOf("update clients set auto_moderate = true where id = $1", [shop.id]);
    await aMember(shop);
    await appeal();
    await applyRules(shop.id, "review", [review]);
    expect(await accepted()).toBe(null);
    await rowsOf(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, from_state, to_state)
       values ($1, 'review', $2, 'author', 'edited', 'pending', 'pending')`,
      [shop.id, review],
    );
    expect((await detail(rejecter)).json.data.item.appeal).toBe(null);
    expect(await decide(rejecter, false)).toBe("done");
    expect((await appeal()).text).toContain("Nothing was changed"); // once per item
  });

  it("isn't decided by another service's file that is imported again, and the report warns", async () => {
    const file = path.join(import.meta.dirname, "../transfer/fixtures/yotpo.csv");
    await importReviewsFrom(shop.id, file);
    [{ id: review }] = await rowsOf("select id from reviews where external_id = 'yotpo:103'");
    link = await transaction((db) => createAuthorPageLink(db, shop.id, "cleo@customers.example")).then(pathOf);
    expect((await appeal()).text).toContain("received your appeal");
    const warnings = [{ row: 3, field: "accepted", reason: "appeal_open" }];
    expect(await importReviewsFrom(shop.id, file, { dryRun: true })).toMatchObject({ updated: 0, warnings });
    expect(await importReviewsFrom(shop.id, file)).toMatchObject({ updated: 0, warnings });
    expect(await accepted()).toBe(null);
    expect((await call(page, "GET", link)).text).not.toContain("decided again");
  });

  it("isn't decided by an own file either, which changes the rest, and the status again once it's decided", async () => {
    const other = await aMember(shop);
    const importRow = (row: object) => importRows({ id: review, ...row });
    await appeal();
    const warnings = [{ row: 1, field: "accepted", reason: "appeal_open" }];
    for (const row of [{ accepted: true }, { accepted: false, reject_reason: "spam" }])
      expect(await importRow(row)).toMatchObject({ updated: 0, warnings });
    expect(await importRow({ accepted: false, extract: "Other words." })).toMatchObject({ updated: 1, warnings });
    expect(await rowsOf("select accepted, reject_reason, extract from reviews where id = $1", [review])).toEqual([
      { accepted: null, reject_reason: null, extract: "Other words." },
    ]);
    for (const row of [{ accepted: null }, { extract: "Other words." }])
      expect(await importRow(row)).toMatchObject({ updated: 0, warnings: [] });
    await decide(other, true);
    expect(await importRow({ accepted: false })).toMatchObject({ updated: 1, warnings: [] });
    expect(await accepted()).toBe(false);
  });

  it("isn't decided by an import either that waits for the review meanwhile", async () => {
    expect(
      await waitingImport(() => importRows({ id: review, accepted: true, extract: "Other words." }), receiveAppeal),
    ).toMatchObject({ updated: 1 });
    expect(await rowsOf("select accepted, extract from reviews where id = $1", [review])).toEqual([
      { accepted: null, extract: "Other words." },
    ]);
  });

  it("and a decision at once leave one of them as the last, with the history in order", async () => {
    const other = await aMember(shop);
    const actor = { kind: "user", id: other.id } as const;
    await Promise.all([
      appeal(),
      decideItems(actor, shop.client, [{ kind: "review", id: review, accepted: true, from: "rejected" }], {}),
    ]);
    const history = await rowsOf(
      "select action, from_state, to_state from moderation_events where subject_id = $1 and kind = 'review' order by id",
      [review],
    );
    for (const [index, { from_state }] of history.entries())
      if (index > 0) expect(from_state).toBe(history[index - 1].to_state);
    expect(history.at(-1).to_state).toBe(stateOf(await accepted()));
  });

  it("is erased with its item", async () => {
    await appeal("My secret words.");
    await post({ do: "erase", confirmed: "1" });
    expect(await rowsOf("select from reviews")).toEqual([]);
    expect(await rowsOf("select from moderation_events where texts is not null")).toEqual([]);
  });
});

describe("an import that waits for a review", () => {
  it("keeps a person's reason that is given meanwhile", async () => {
    const file = path.join(import.meta.dirname, "../transfer/fixtures/yotpo.csv");
    await importReviewsFrom(shop.id, file);
    [{ id: review }] = await rowsOf(
      "update reviews set accepted = false, accepted_at = null, reject_reason = 'spam' where external_id = 'yotpo:101' returning id",
    );
    const change = (db: PoolClient) =>
      decideInTransaction(db, { kind: "user", id: rejecter.id }, shop.client, "review", review, {
        accepted: false,
        reject_reason: "illegal",
      });
    expect(await waitingImport(() => importReviewsFrom(shop.id, file), change)).toMatchObject({ updated: 0 });
    expect(await rowsOf("select accepted, reject_reason from reviews where id = $1", [review])).toEqual([
      { accepted: false, reject_reason: "illegal" },
    ]);
  });

  it("counts its other rows too if it fails when it compares this one again", async () => {
    const [other = ""] = await someReviews(shop.id, [author]);
    await rowsOf("create sequence failures");
    await rowsOf(`create function fail_once() returns trigger language plpgsql as $$
      begin if nextval('failures') = 1 then raise serialization_failure; end if; return new; end $$`);
    await rowsOf(`create trigger fail_once before update of extract on reviews for each row
      when (old.id = '${review}') execute function fail_once()`);
    try {
      const rows = [other, review].map((id) => ({ id, extract: "Other words." }));
      expect(await waitingImport(() => importRows(...rows), receiveAppeal)).toMatchObject({ updated: 2 });
      expect(await rowsOf("select last_value::int from failures")).toEqual([{ last_value: 2 }]);
    } finally {
      await rowsOf("drop function fail_once cascade");
      await rowsOf("drop sequence failures");
    }
  });
});

describe("the outcome of an appeal", () => {
  const outcomes = () =>
    rowsOf("select data from outbox where name = 'review/decided' order by id").then((rows) =>
      rows.map(({ data: { from, to, appealed } }) => [from, to, appealed]),
    );
  const mails = () => rowsOf("select subject, text, kind from mails order by created_at, id");

  it("is emailed to the author when the item is published, once", async () => {
    const other = await aMember(shop);
    await appeal();
    await decide(other, true);
    expect(await outcomes()).toEqual([
      ["pending", "rejected", undefined],
      ["rejected", "pending", undefined],
      ["pending", "accepted", true],
    ]);
    await Promise.all([1, 2].map(() => mailUpheldAppeal(shop.id, "review", review)));
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ kind: "appeal", subject: "The outcome of your appeal to Lampor" });
    expect(mail.text).toContain("Lampor looked at your review again and published it.");
    expect((await call(page, "GET", link)).text).toContain("It is published.");
  });

  it("is emailed when it's rejected again, with the reasons, even if the person notifies no one", async () => {
    const other = await aMember(shop);
    await mailRejection(shop.id, "review", review, { onlyAppealed: true });
    expect(await mails()).toEqual([]);
    await appeal();
    await decide(other, false);
    await mailRejection(shop.id, "review", review, { onlyAppealed: true });
    const [mail] = await mails();
    expect(mail.subject).toBe("The outcome of your appeal to Lampor");
    const text = mail.text.replaceAll("\n", " ");
    expect(text).toContain("decided not to publish it");
    expect(text).toContain("A person decided.");
    expect(text).not.toContain("you can appeal");
    expect((await call(page, "GET", link)).text).not.toContain('name="text"');
  });

  it("is only the first decision: a later removal is one of its own, which can be appealed", async () => {
    const [other, third] = [await aMember(shop), await aMember(shop)];
    await appeal();
    await decide(other, true);
    await mailUpheldAppeal(shop.id, "review", review);
    expect((await put(other, false)).status).toBe(200);
    expect((await outcomes()).at(-1)).toEqual(["accepted", "rejected", undefined]);
    await decide(other, true);
    await decide(other, false);
    expect((await outcomes()).at(-1)).toEqual(["accepted", "rejected", undefined]);
    await mailRejection(shop.id, "review", review, { onlyAppealed: true });
    expect(await mails()).toHaveLength(1);
    await rowsOf("update mails set created_at = now() - interval '2 days'");
    await rowsOf("update reviews set source = 'web' where id = $1", [review]);
    await mailRejection(shop.id, "review", review);
    const removal = (await mails()).find(({ kind }) => kind === "rejection");
    expect(removal?.subject).not.toContain("appeal");
    expect(removal?.text.replaceAll("\n", " ")).toContain("you can appeal");

    expect((await call(page, "GET", link)).text).toContain('name="text"');
    expect((await appeal("Again.")).text).toContain("received your appeal");
    expect(await decide(other, true)).toBe("appeal_needs_another_person");
    await decide(third, true);
    await mailUpheldAppeal(shop.id, "review", review);
    expect((await mails()).filter(({ kind }) => kind === "appeal")).toHaveLength(2);
    await appendEntries();
    expect(await verifyOwnLog(shop.id)).toMatchObject({ problem: null });
  });

  it("is only the first decision also if the item is made pending before it's removed, unless that undid it", async () => {
    const other = await aMember(shop);
    await appeal();
    await decide(other, true);
    await decide(other, null); // an undo
    await decide(other, true);
    expect((await outcomes()).at(-1)).toEqual(["pending", "accepted", true]);
    await ageHistory();
    await decide(other, null);
    expect((await call(page, "GET", link)).text).toContain("You appealed, and Lampor decided again.");
    await decide(other, false);
    expect((await outcomes()).at(-1)).toEqual(["pending", "rejected", undefined]);
    await mailRejection(shop.id, "review", review, { onlyAppealed: true });
    expect(await mails()).toEqual([]);
    expect((await call(page, "GET", link)).text).toContain('name="text"');
  });

  it("is also emailed if its reason is changed before the email is written", async () => {
    const other = await aMember(shop);
    await appeal();
    await decide(other, false);
    await decideItems(
      { kind: "user", id: other.id },
      shop.client,
      [{ kind: "review", id: review, accepted: false, reject_reason: "price" }],
      {},
    );
    await mailRejection(shop.id, "review", review, { onlyAppealed: true });
    expect((await mails()).map(({ subject }) => subject)).toEqual(["The outcome of your appeal to Lampor"]);
  });

  it("is also emailed if it was published by mistake meanwhile, and that undone", async () => {
    const [other, third] = [await aMember(shop), await aMember(shop)];
    await appeal();
    await decide(other, false);
    await decide(third, true);
    await putAs({ headers: third.headers }, { extract: "Edited while it was published." });
    await decide(third, false); // an undo
    await mailRejection(shop.id, "review", review, { onlyAppealed: true });
    await mailRejection(shop.id, "review", review, { onlyAppealed: true });
    const [mail, ...more] = await mails();
    expect([mail.subject, more]).toEqual(["The outcome of your appeal to Lampor", []]);
    expect(mail.text.replaceAll("\n", " ")).not.toContain("you can appeal");
    expect((await call(page, "GET", link)).text).not.toContain('name="text"');
    expect((await appeal("Again.")).text).toContain("Nothing was changed");
  });

  it("is in the log, after the appeal, in a form that the verifier accepts", async () => {
    const other = await aMember(shop);
    await appeal();
    await decide(other, true);
    await appendEntries();
    expect(await verifyOwnLog(shop.id)).toMatchObject({ problem: null });
    const rows = await rowsOf("select entries from log_bundles where client_id = $1 order by n", [shop.id]);
    const entries = rows.flatMap(({ entries: bytes }) =>
      [...readBundle(bytes)].map((encoded) => JSON.parse(encoded.toString())),
    );
    expect(entries.filter(({ kind }) => kind === "review").map(({ type, by }) => [type, by])).toEqual([
      ["received", undefined],
      ["rejected", "person"],
      ["appealed", undefined],
      ["reopened", "author"],
      ["published", "person"],
    ]);
  });
});
