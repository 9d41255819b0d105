import { beforeEach, describe, expect, it } from "vitest";
import * as feedback from "@/app/collect/feedback/[token]/route";
import { systemActor } from "@/lib/accounts/actor";
import { withNow } from "@/lib/platform/clock";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { withdrawContribution } from "@/lib/reviews/contributions/withdraw-contribution";
import { decideItem } from "@/lib/reviews/decisions/decide-items";
import { deleteReview } from "@/lib/reviews/reviews/delete-review";
import { closeReports } from "@/lib/reviews/votes/close-reports";
import { dropReportOutcomes, mailReportOutcomes } from "@/lib/reviews/votes/mail-report-outcomes";
import { call } from "@/lib/tools/test/call";
import { emptyDatabase } from "@/lib/tools/test/database";
import { eraseCompletely } from "@/lib/tools/test/erase";
import { aClient, rowsOf, someReviews, type TestClient } from "@/lib/tools/test/factories";

const email = " Eve@Example.org";
let shop: TestClient;
let review = "";
let path = "";
beforeEach(async () => {
  await emptyDatabase();
  shop = await aClient({ display_name: "Lampor" });
  [review = ""] = await someReviews(shop.id, [{ accepted: true, extract: "Secret words." }]);
  const [{ feedback_token }] = await rowsOf("select feedback_token from reviews");
  path = `/collect/feedback/${feedback_token}`;
});

const report = (fields: Record<string, string>, headers: Record<string, string> = {}, address = "203.0.113.1") =>
  call(feedback, "POST", path, {
    body: new URLSearchParams({ type: "bad", ...fields }).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
    address,
  });
const ownPage = { Origin: "http://localhost:3000", "Sec-Fetch-Dest": "document", "Accept-Language": "sv" };
const reports = () => rowsOf("select email, email_key, lang, comment from flags order by created_at, id");
const mails = () => rowsOf('select "to", subject, text, kind from mails order by created_at, id');
const send = () => mailReportOutcomes(shop.id, review);

describe("a report", () => {
  it("can have an address, from the page of a link or by the API", async () => {
    const page = await call(feedback, "GET", `${path}?type=bad`, { headers: { "Accept-Language": "sv" } });
    expect(page.text).toContain('name="email" type="email"');
    expect((await call(feedback, "GET", `${path}?type=up`)).text).not.toContain('type="email"');
    expect((await report({ email, comment: "An ad." }, ownPage)).status).toBe(200);
    expect((await report({ email: "" }, ownPage, "203.0.113.2")).status).toBe(200);
    expect((await report({}, {}, "203.0.113.3")).status).toBe(204);
    expect((await report({ email: "no address" })).status).toBe(406);
    const without = { email: null, email_key: null, lang: null, comment: null };
    expect(await reports()).toEqual([
      { email: "Eve@Example.org", email_key: "eve@example.org", lang: "sv", comment: "An ad." },
      without,
      without,
    ]);
  });

  it("has its outcome emailed once: that the review stays, without its text or the comment", async () => {
    await report({ email, comment: "An ad." }, ownPage);
    await report({ email: "bo@example.org" }, {}, "203.0.113.2");
    expect(await send()).toEqual({ state: "not_due" });
    await closeReports(systemActor, shop, review);
    expect(await rowsOf("select data from outbox where name = 'review/reports_closed'")).toHaveLength(1);
    await Promise.all([send(), send(), send()]);
    const sent = await mails();
    expect(sent.map(({ to }) => to).sort()).toEqual(["Eve@Example.org", "bo@example.org"]);
    const toEve = sent.find(({ to }) => to === "Eve@Example.org");
    expect(toEve).toMatchObject({ kind: "report", subject: "Resultatet av din anmälan till Lampor" });
    for (const { text } of sent) expect(text).not.toMatch(/Secret words|An ad/);
    expect(toEve?.text).not.toContain("bo@");
    expect(sent.find(({ to }) => to === "bo@example.org")?.text).toContain("continues to show it");
    expect((await reports()).map((row) => [row.email, row.email_key, row.lang])).toEqual([
      [null, null, null],
      [null, null, null],
    ]);
    expect(await send()).toEqual({ state: "not_due" });
  });

  it("has its outcome emailed: that the review was removed", async () => {
    await report({ email });
    await decideItem({ kind: "user", id: "u" }, shop.client, "review", review, { accepted: false });
    const events = () => rowsOf("select data from outbox where name = 'review/reported_rejected'");
    expect(await events()).toEqual([{ data: { client_id: shop.id, review_id: review } }]);
    expect(await send()).toEqual({ state: "done" });
    expect((await mails()).map(({ text }) => text)).toEqual([expect.stringContaining("no longer shows it")]);
    // No job starts for a review that nobody with an address reported.
    for (const accepted of [true, false])
      await decideItem({ kind: "user", id: "u" }, shop.client, "review", review, { accepted });
    expect(await events()).toHaveLength(1);
  });

  it("is limited by address, and sends nothing to a suppressed one", async () => {
    await report({ email });
    await report({ email }, {}, "203.0.113.2");
    await closeReports(systemActor, shop, review);
    expect(await send()).toEqual({ state: "later", seconds: expect.any(Number) });
    expect(await mails()).toHaveLength(1);
    await rowsOf("insert into suppressions (client_id, email_hash, reason) values ($1, $2, 'opt_out')", [
      shop.id,
      personHash(shop.id, "email", email),
    ]);
    expect(await withNow(new Date(Date.now() + 2 * 3_600_000), send)).toEqual({ state: "done" });
    expect(await mails()).toHaveLength(1);
    expect((await reports()).map((row) => row.email)).toEqual([null, null]);
  });

  it("of a limited address doesn't delay the others, and loses its address if it's given up", async () => {
    const [other = ""] = await someReviews(shop.id, [{ accepted: false }]);
    await rowsOf("insert into flags (id, client_id, review_id, email, email_key) values ('x', $1, $2, $3, $4)", [
      shop.id,
      other,
      email.trim(),
      email.trim().toLowerCase(),
    ]);
    await mailReportOutcomes(shop.id, other);
    await report({ email });
    await report({ email: "bo@example.org" }, {}, "203.0.113.2");
    await closeReports(systemActor, shop, review);
    const result = await send();
    expect(result).toEqual({ state: "later", seconds: expect.any(Number) });
    expect((await mails()).map(({ to }) => to)).toEqual(["Eve@Example.org", "bo@example.org"]);
    const left = () => rowsOf("select email from flags where review_id = $1 and email is not null", [review]);
    expect(await left()).toEqual([{ email: "Eve@Example.org" }]);
    await report({ email: "new@example.org" }, {}, "203.0.113.3"); // not decided yet
    expect(await dropReportOutcomes(shop.id, review)).toBe(1);
    expect(await left()).toEqual([{ email: "new@example.org" }]);
  });

  it("has its outcome emailed when the store or the author deletes the review, also above the limit", async () => {
    const [second = ""] = await someReviews(shop.id, [
      { accepted: true, author_email: "ada@example.org", email_key: "ada@example.org" },
    ]);
    const [{ feedback_token }] = await rowsOf("select feedback_token from reviews where id = $1", [second]);
    await report({ email });
    await report({ email: "bo@example.org" }, {}, "203.0.113.2");
    await rowsOf("insert into suppressions (client_id, email_hash, reason) values ($1, $2, 'opt_out')", [
      shop.id,
      personHash(shop.id, "email", "bo@example.org"),
    ]);
    await deleteReview(systemActor, shop, review);
    path = `/collect/feedback/${feedback_token}`;
    await report({ email }, {}, "203.0.113.3");
    expect(await withdrawContribution(shop, "review", second, "bo@example.org")).toBe(false);
    expect(await mails()).toHaveLength(1);
    expect(await withdrawContribution(shop, "review", second, "ada@example.org")).toBe(true);
    expect((await mails()).map(({ to, text }) => [to, text.includes("no longer shows it")])).toEqual([
      ["Eve@Example.org", true],
      ["Eve@Example.org", true],
    ]);
    expect(await rowsOf("select from outbox where name = 'mail/queued'")).toHaveLength(2);
    expect(await rowsOf("select from flags")).toEqual([]);
  });

  it("loses the address when the person is erased, and stays", async () => {
    await report({ email, comment: "An ad." });
    await eraseCompletely(shop.id, { by: "email", email: "eve@example.org" });
    expect(await reports()).toEqual([{ email: null, email_key: null, lang: null, comment: "An ad." }]);
  });
});
