import { beforeEach, expect, it } from "vitest";
import { mailRejection } from "@/lib/moderation/rejections/mail-rejection";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { languages } from "@/lib/platform/i18n/languages";
import { deliverMail } from "@/lib/platform/mail/deliver-mail";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { makeClient, makeProduct } from "@/lib/tools/test/collection-rows";
import { emptyDatabase } from "@/lib/tools/test/database";
import { rowsOf } from "@/lib/tools/test/factories";

let shop = "";
let made = 0;
beforeEach(async () => {
  await emptyDatabase();
  shop = await makeClient(`tells-${++made}.example`, { display_name: "Lampor & <Ljus>" });
  await makeProduct(shop, "P-1", { name: "Taklampa" });
});

const hostile = `Buy at https://evil.example <script>`;
/** Creates a rejected review as submitted through a form, with its decision in the history. */
async function rejected(id: string, more: Record<string, unknown> = {}, from = "pending") {
  const columns = {
    client_id: shop,
    id,
    source: "collect",
    product_id: "P-1",
    product_name: hostile,
    score: 2,
    date: "2026-11-10",
    extract: hostile,
    author: hostile,
    author_email: "Ann@Example.org",
    email_key: "ann@example.org",
    lang: "en",
    accepted: false,
    reject_reason: "profanity",
    feedback_token: `${shop}-${id}`,
    ...more,
  };
  const values = Object.values(columns);
  await pool().query(
    `insert into reviews (${Object.keys(columns).join(", ")}) values (${values.map((_, n) => `$${n + 1}`).join(", ")})`,
    values,
  );
  await decide(id, "user", from);
  return id;
}
const decide = (id: string, by = "user", from = "pending") =>
  pool().query(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, from_state, to_state, reason)
     values ($1, 'review', $2, $3, 'decided', $4, 'rejected', 'profanity')`,
    [shop, id, by, from],
  );
const mails = () => rowsOf("select * from mails order by created_at, id");
const sendRejection = (id: string) => mailRejection(shop, "review", id);
const start = Date.parse("2026-11-10T09:00:00Z");
const at = <T>(hours: number, work: () => T): T => withNow(new Date(start + hours * 3_600_000), work);

it("states the reason, links to the edit, and quotes nothing of the submission", async () => {
  const id = await rejected("00000000000000a1");
  expect(await sendRejection(id)).toEqual({ state: "mailed" });
  const [mail] = await mails();
  expect(await deliverMail(mail?.id)).toBe("kept");
  expect(mail).toMatchObject({
    to: "Ann@Example.org",
    kind: "rejection",
    subject: "Your review at Lampor & <Ljus> needs changes",
  });
  for (const body of [mail?.html, mail?.text]) {
    expect(body).toMatch(/http:\/\/localhost:3000\/edit\/[\w-]+/);
    expect(body).toContain("It contains offensive language.");
    expect(body).toContain("Taklampa");
    expect(body).not.toMatch(/evil|script/);
  }
  expect(mail?.headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
});

it("has a statement of reasons: the ground, by what means it was decided, after what, and what the author can do", async () => {
  const id = await rejected("00000000000000a4", { verified_email: true });
  const text = async () => {
    await sendRejection(id);
    return (await mails()).at(-1).text.replaceAll("\n", " ");
  };
  const person = await text();
  for (const stated of [
    "doesn’t show it publicly",
    "based on the rules of Lampor & <Ljus>",
    "A person decided. No automatic check had flagged the text.",
    "out-of-court dispute settlement body",
  ])
    expect(person).toContain(stated);
  expect(person).not.toContain("A reader reported it.");
  await rowsOf("update reviews set reject_reason = 'illegal' where id = $1", [id]);
  await rowsOf(
    `insert into moderation_findings (client_id, id, kind, subject_id, rule, span_start, span_end, suggested)
     values ($1, 'f', 'review', $2, 'profanity', 0, 1, 'hold')`,
    [shop, id],
  );
  await rowsOf("insert into flags (client_id, id, review_id) values ($1, 'f', $2)", [shop, id]);
  await decide(id);
  const flagged = await text();
  for (const stated of [
    "considers it to be illegal content",
    "A reader reported it. A person decided, after an automatic check had flagged the text.",
  ])
    expect(flagged).toContain(stated);
  await decide(id, "rule");
  expect(await text()).toContain("An automatic check found this and decided. No person was involved.");
  await decide(id, "key");
  expect(await text()).toContain("A program of Lampor & <Ljus> decided.");
});

it("states what there was when it was decided: reports that were open, and findings in the text as it was then", async () => {
  const id = await rejected("00000000000000a5", { verified_email: true });
  const event = (action: string, actor = "user") =>
    pool().query(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, action) values ($1, 'review', $2, $3, $4)`,
      [shop, id, actor, action],
    );
  const report = (name: string, days: number, closedDays: number | null) =>
    pool().query(
      `insert into flags (client_id, id, review_id, created_at, resolved_at)
       values ($1, $2, $3, now() - make_interval(days => $4), now() - make_interval(days => $5))`,
      [shop, name, id, days, closedDays],
    );
  const text = async () => {
    await sendRejection(id);
    return (await mails()).at(-1).text.replaceAll("\n", " ");
  };
  await report("closed-before", 9, 8);
  await pool().query("select pg_sleep(0.01)");
  await report("later", 0, null);
  await event("held", "rule");
  const first = await text();
  expect(first).not.toContain("A reader reported it.");
  expect(first).toContain("No automatic check had flagged the text.");
  // The finding is deleted with the store's edit of the text, but was there when it was decided.
  await decide(id);
  await event("edited", "key");
  const second = await text();
  expect(second).toContain("A reader reported it. A person decided, after an automatic check had flagged the text.");
  // Then the next decision is about an edited text.
  await pool().query("update flags set resolved_at = now() where id = 'later'");
  await pool().query("select pg_sleep(0.01)");
  await decide(id);
  const third = await text();
  expect(third).not.toContain("A reader reported it.");
  expect(third).toContain("No automatic check had flagged the text.");
});

it("is sent for a changed reason if the history doesn't say when the item was rejected", async () => {
  const id = await rejected("00000000000000a6", { verified_email: true }, "rejected");
  expect(await sendRejection(id)).toEqual({ state: "mailed" });
  expect((await mails()).map(({ subject }) => subject)).toEqual(["Your review at Lampor & <Ljus> needs changes"]);
});

it("is sent once per decision for concurrent runs", async () => {
  const id = await rejected("00000000000000a2", { verified_email: true });
  await Promise.all(Array.from({ length: 5 }, () => sendRejection(id)));
  expect(await mails()).toHaveLength(1);
  await decide(id);
  await sendRejection(id);
  expect(await mails()).toHaveLength(2);
});

it("isn't sent without an address, or once the item isn't rejected any more", async () => {
  for (const more of [
    { author_email: null, email_key: null },
    { accepted: true, accepted_at: new Date(start), reject_reason: null },
    { accepted: null, reject_reason: null },
    { reject_reason: "ignored" },
    { source: "api" },
    { source: "import" },
  ]) {
    const id = await rejected(`0000000000000b${Math.floor(Math.random() * 90) + 10}`, more);
    expect(await sendRejection(id), JSON.stringify(more)).toEqual({ state: "not_due" });
    await pool().query("delete from reviews");
  }
  expect(await mailRejection("nobody", "review", "00000000000000a1")).toEqual({ state: "not_due" });
  const id = await rejected("00000000000000a3");
  const other = await makeClient(`other-${made}.example`);
  expect(await mailRejection(other, "review", id)).toEqual({ state: "not_due" });
  expect(await mails()).toEqual([]);
});

it("isn't sent to a suppressed address", async () => {
  for (const reason of ["opt_out", "bounce", "complaint"]) {
    await pool().query("insert into suppressions (client_id, email_hash, reason) values ($1, $2, $3)", [
      shop,
      personHash(shop, "email", "ann@example.org"),
      reason,
    ]);
    const id = await rejected(`00000000000000c${reason.length % 10}`);
    expect(await sendRejection(id)).toEqual({ state: "suppressed" });
    await pool().query("delete from suppressions");
  }
  expect(await mails()).toEqual([]);
});

it("is limited for unverified addresses, but not for invited customers", async () => {
  const first = await rejected("00000000000000d1");
  const second = await rejected("00000000000000d2", { author: "B" });
  expect(await at(0, () => sendRejection(first))).toEqual({ state: "mailed" });
  expect(await at(0.5, () => sendRejection(second))).toMatchObject({ state: "later" });
  expect(await at(1.1, () => sendRejection(second))).toEqual({ state: "mailed" });
  const invitedReview = await rejected("00000000000000d3", { source: "invitation", invitation_id: "inv_1" });
  expect(await at(1.2, () => sendRejection(invitedReview))).toEqual({ state: "mailed" });
});

it.each(languages)("is complete in %s", async (lang) => {
  const id = await rejected("00000000000000e1", { lang });
  await sendRejection(id);
  const [mail] = await mails();
  expect(`${mail?.subject}${mail?.html}${mail?.text}`).not.toMatch(/\{\w+\}|undefined/);
  expect(mail?.html).toContain(`lang="${lang}"`);
});
