import { beforeEach, describe, expect, it } from "vitest";
import * as questions from "@/app/collect/questions/route";
import * as reviews from "@/app/collect/reviews/route";
import * as page from "@/app/verify/[token]/route";
import { requestVerification } from "@/lib/forms/verification/request-verification";
import { optOutLink } from "@/lib/invitations/links";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { languages } from "@/lib/platform/i18n/languages";
import { deliverMail } from "@/lib/platform/mail/deliver-mail";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { makeClient, postJson } from "@/lib/tools/test/collection-rows";
import { emptyDatabase } from "@/lib/tools/test/database";
import { hashDatabase, rowsOf } from "@/lib/tools/test/factories";

let shop = "";
let made = 0;
const freshShop = async (settings: Record<string, unknown> = {}) => {
  shop = await makeClient(`confirms-${++made}.example`, {
    require_verification: true,
    display_name: "Lampor & <Ljus>",
    ...settings,
  });
  return shop;
};
beforeEach(async () => {
  await emptyDatabase();
  await freshShop();
});

const HOUR = 3_600_000;
const start = Date.parse("2026-11-10T09:00:00Z");
const at = <T>(hours: number, work: () => T): T => withNow(new Date(start + hours * HOUR), work);

const common = () => ({ client_id: shop, api_key: `pk_${shop}`, product_id: "P-1", author_email: " Ann@Example.org" });
let sent = 0;
/** Submits a review or question and returns its id. */
async function submit(kind: "review" | "question", more: Record<string, unknown> = {}): Promise<string> {
  const own = { author: `Author ${++sent}`, lang: "en" };
  const body =
    kind === "review"
      ? { ...common(), ...own, score: 4, content: "A fine lamp.", ...more }
      : { ...common(), ...own, question: "Is it bright?", mail_answer: "false", ...more };
  const answer = await postJson(
    kind === "review" ? reviews.POST : questions.POST,
    kind === "review" ? "/collect/reviews" : "/collect/questions",
    body,
  );
  expect(answer.status, await answer.clone().text()).toBe(201);
  const [row] = await rowsOf("select data from outbox where name = 'verification/due' order by id desc limit 1");
  return row?.data.id;
}
/** Some milliseconds pass between setting the clock and reading it. */
const later = (seconds: number) => ({ state: "later", seconds: expect.closeTo(seconds, -1) });
const ask = (kind: "review" | "question", id: string, client = shop) => requestVerification(client, kind, id);
type Mail = {
  to: string;
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
  client_id: string;
};
const mails = (): Promise<Mail[]> => rowsOf("select * from mails order by created_at, id");
const linkOf = ({ text }: Mail): string => /http\S+\/verify\/[\w-]+/.exec(text)?.[0] ?? "";
const lastLink = async (): Promise<string> => linkOf((await mails()).at(-1) as Mail);
const stateOf = async (id: string) =>
  (
    await rowsOf(
      "select verification, verified_email from reviews where id = $1 union all select verification, verified_email from questions where id = $1",
      [id],
    )
  )[0];

const open = async (link: string, headers: Record<string, string> = {}) => {
  const answer = await page.GET(new Request(link, { headers }));
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
};
const confirm = async (link: string, ...names: string[]) => {
  const body = new URLSearchParams(names.map((name) => [name, "1"]));
  const answer = await page.POST(new Request(link, { method: "POST", body }));
  return { status: answer.status, html: await answer.text() };
};

describe("a submission that requires verification", () => {
  it("stays pending until the emailed link is used; opening the link changes nothing", async () => {
    const points = { pros: ["Light", "Cable"], cons: ["Price"] };
    const id = await submit("review", { title: "Bright", content: "A fine lamp.", ...points });
    expect(await stateOf(id)).toEqual({ verification: "due", verified_email: false });
    expect(await ask("review", id)).toEqual({ state: "mailed" });
    expect(await stateOf(id)).toEqual({ verification: "mailed", verified_email: false });
    const [mail] = await mails();
    expect(mail).toMatchObject({
      to: "Ann@Example.org",
      from: expect.stringContaining("<reviews@localhost>"),
      subject: "Confirm your email address for Lampor & <Ljus>",
      client_id: shop,
      headers: { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
    });
    expect(mail?.html).toContain("Lampor &amp; &lt;Ljus&gt;");
    expect((await rowsOf("select data from outbox where name = 'mail/queued'")).length).toBe(1);

    const link = await lastLink();
    const before = await hashDatabase();
    const shown = await open(link);
    expect(shown.status).toBe(200);
    expect(shown.html).toContain("Bright");
    expect(shown.html).toContain(">A fine lamp.\n+ Light\n+ Cable\n− Price<");
    expect(shown.html).toContain(`name="review.${id}"`);
    expect(shown.headers.get("content-type")).toContain("text/html");
    expect(shown.headers.get("cache-control")).toBe("no-store");
    expect(shown.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect((await page.HEAD(new Request(link, { method: "HEAD" }))).status).toBe(200);
    expect(await hashDatabase()).toBe(before);

    const done = await confirm(link, `review.${id}`);
    expect([done.status, done.html]).toEqual([200, expect.stringContaining("Your email address is confirmed")]);
    expect(await stateOf(id)).toEqual({ verification: null, verified_email: true });
    const [row] = await rowsOf("select accepted, body from reviews where id = $1", [id]);
    expect(row.accepted).toBeNull();
    expect(JSON.parse(`${row.body}}`)).toMatchObject({ verified_email: true, accepted: null });
    expect(
      await rowsOf(
        "select actor_kind, action, from_state, to_state from moderation_events where subject_id = $1 order by id",
        [id],
      ),
    ).toEqual([
      { actor_kind: "author", action: "submitted", from_state: null, to_state: "pending" },
      { actor_kind: "author", action: "verified", from_state: "pending", to_state: "pending" },
    ]);
    expect(await rowsOf("select data from outbox where name = 'review/verified'")).toEqual([
      { data: { client_id: shop, review_id: id } },
    ]);

    const settled = await hashDatabase();
    expect((await confirm(link, `review.${id}`)).html).toContain("Nothing left to do");
    expect((await open(link)).html).toContain("Nothing left to do");
    expect(await hashDatabase()).toBe(settled);
  });

  it("applies to questions too, and continues with the client's rules", async () => {
    await freshShop({ auto_moderate: true });
    const id = await submit("question");
    await ask("question", id);
    await pool().query("delete from outbox");
    await confirm(await lastLink(), `question.${id}`);
    expect(await stateOf(id)).toEqual({ verification: null, verified_email: true });
    expect(await rowsOf("select name, data from outbox order by id")).toEqual([
      { name: "question/verified", data: { client_id: shop, question_id: id } },
      { name: "moderation/due", data: { client_id: shop, kind: "question", ids: [id] } },
    ]);
  });

  it("isn't requested if the client doesn't verify addresses, or the item is decided or deleted", async () => {
    await freshShop({ require_verification: false });
    await submit("review");
    expect(await rowsOf("select name from outbox where name = 'verification/due'")).toEqual([]);
    expect(await rowsOf("select verification from reviews")).toEqual([{ verification: null }]);
    await freshShop();
    const [decided, erased] = [await submit("review"), await submit("review")];
    await pool().query("update reviews set accepted = false where id = $1", [decided]);
    await pool().query("delete from reviews where id = $1", [erased]);
    for (const id of [decided, erased, "none"]) expect(await ask("review", id)).toEqual({ state: "not_due" });
    const switched = await submit("review");
    await pool().query("update clients set require_verification = false where id = $1", [shop]);
    expect(await ask("review", switched)).toEqual({ state: "not_due" });
    expect(await mails()).toEqual([]);
  });
});

describe("the email", () => {
  it("quotes nothing of the submission", async () => {
    const texts = {
      author: "Marker-author",
      title: "Marker-title",
      content: "Marker-content https://evil.example/marker",
      pros: ["Marker-pro"],
      cons: ["Marker-con"],
      product_id: "Marker-product",
      product_name: "Marker-name",
      product_url: "https://evil.example/marker",
    };
    await ask("review", await submit("review", texts));
    await ask(
      "question",
      await submit("question", {
        author: "Marker-author",
        author_email: "bo@example.org",
        question: "Marker-question",
        details: "Marker-details",
        product_name: "Marker-name",
      }),
    );
    const all = await mails();
    expect(all).toHaveLength(2);
    for (const { subject, html, text } of all) expect(`${subject}${html}${text}`).not.toMatch(/marker/i);
  });

  it("is in the author's language", async () => {
    const subjects = new Set<string>();
    for (const lang of [...languages, "ja"]) {
      await ask("review", await submit("review", { lang, author_email: `${lang}@example.org` }));
      const mail = (await mails()).find(({ to }) => to === `${lang}@example.org`) as Mail;
      expect(mail.html).toContain(`<html lang="${lang === "ja" ? "en" : lang}"`);
      expect(`${mail.subject}${mail.html}${mail.text}`).not.toMatch(/\{\w+\}|\{\{/);
      expect((await open(linkOf(mail), { "accept-language": "ja" })).html).toContain(
        `<html lang="${lang === "ja" ? "en" : lang}"`,
      );
      subjects.add(mail.subject);
    }
    expect(subjects.size).toBe(languages.length);
  });

  it("isn't sent to suppressed addresses, for any reason", async () => {
    for (const reason of ["opt_out", "bounce", "complaint", "manual"]) {
      const email = `${reason}@example.org`;
      await pool().query("insert into suppressions (client_id, email_hash, reason) values ($1, $2, $3)", [
        shop,
        personHash(shop, "email", email),
        reason,
      ]);
      expect(await ask("review", await submit("review", { author_email: email.toUpperCase() }))).toEqual({
        state: "suppressed",
      });
    }
    expect(await mails()).toEqual([]);
  });

  it("is sent at most once an hour per client and address, and covers all unverified items", async () => {
    const first = await submit("review");
    expect(await at(0, () => ask("review", first))).toEqual({ state: "mailed" });
    const more = [
      await submit("review", { author_email: "ANN@example.org" }),
      await submit("review"),
      await submit("question", { author_email: "ann@Example.ORG " }),
    ];
    expect(await at(0.5, () => ask("review", more[0] as string))).toEqual(later(1_800));
    expect(await at(0.999, () => ask("question", more[2] as string))).toEqual(later(4));
    expect(await at(1.01, () => ask("review", more[1] as string))).toEqual({ state: "mailed" });
    // That email's link covers the other items too, so they aren't due any more.
    expect(await at(2.5, () => ask("review", more[0] as string))).toEqual({ state: "not_due" });
    expect(await at(2.5, () => ask("question", more[2] as string))).toEqual({ state: "not_due" });
    expect(await mails()).toHaveLength(2);
    const { html } = await open(await lastLink());
    for (const [index, id] of [first, ...more].entries())
      expect(html).toContain(`name="${index === 3 ? "question" : "review"}.${id}"`);
  });

  it("is sent at most three times in 24 hours by this host", async () => {
    const outcomes: string[] = [];
    const waiting: [string, string][] = [];
    for (let n = 0; n < 5; n += 1) {
      const client = await freshShop();
      const id = await submit("review");
      const result = await at(n * 0.1, () => ask("review", id, client));
      outcomes.push(result.state);
      if (result.state === "later") waiting.push([id, client]);
    }
    expect(outcomes).toEqual(["mailed", "mailed", "mailed", "later", "later"]);
    const [[id, client] = ["", ""], [other, another] = ["", ""]] = waiting;
    expect(await at(23.9, () => ask("review", id, client))).toEqual(later(360));
    expect(await at(24.01, () => ask("review", id, client))).toEqual({ state: "mailed" });
    // The second of the first three is still within its 24 hours.
    expect(await at(24.01, () => ask("review", other, another))).toEqual(later(324));
    expect(await mails()).toHaveLength(4);
  });

  it("is sent once for concurrent requests", async () => {
    const ids = [];
    for (let n = 0; n < 12; n += 1) ids.push(await submit("review"));
    const states = (await Promise.all([...ids, ...ids].map((id) => ask("review", id)))).map(({ state }) => state);
    expect(states.filter((state) => state === "mailed")).toHaveLength(1);
    expect(await mails()).toHaveLength(1);
    const clients = [];
    for (let n = 0; n < 6; n += 1) clients.push([await freshShop(), await submit("review")] as const);
    const all = await Promise.all(clients.map(([client, id]) => requestVerification(client, "review", id)));
    // One was sent before, so two of three are left.
    expect(all.filter(({ state }) => state === "mailed")).toHaveLength(2);
  });

  it("is sent like any other email", async () => {
    await ask("review", await submit("review"));
    const [row] = await rowsOf("select id from mails");
    expect(await deliverMail(row.id)).toBe("kept");
  });
});

describe("the link", () => {
  it("says what to do if somebody else used the address, and links to the opt-out", async () => {
    const id = await submit("review");
    await ask("review", id);
    const { html } = await open(await lastLink());
    expect(html).toContain("Not you? You don’t need to do anything");
    const stop = optOutLink(shop, personHash(shop, "email", "ann@example.org"));
    expect(html).toContain(`<a href="${stop}" rel="noreferrer">Unsubscribe from Lampor &amp; &lt;Ljus&gt;</a>`);
    expect(await stateOf(id)).toEqual({ verification: "mailed", verified_email: false });
    expect(await rowsOf("select reason from suppressions")).toEqual([]);
  });

  it("escapes submitted text", async () => {
    const hostile = `<script>alert(1)</script><img src=x onerror=alert(2)>"'{{ 7 | times: 6 }}`;
    const id = await submit("review", { title: hostile, content: hostile, product_name: hostile });
    await ask("review", id);
    const { html } = await open(await lastLink());
    expect(html).not.toMatch(/<script|<img/);
    expect(html).toContain("&lt;script&gt;");
    expect(html).toContain("{{ 7 | times: 6 }}");
  });

  it("confirms only the selected items, once", async () => {
    const [selectedItem, otherItem] = [
      await submit("review"),
      await submit("review", { content: "Buy at evil.example" }),
    ];
    await ask("review", selectedItem);
    const link = await lastLink();
    expect((await open(link)).html.match(/type="checkbox"/g)).toHaveLength(2);
    const before = await hashDatabase();
    expect((await confirm(link)).html).toContain("Yes, I wrote this"); // nothing selected: asked again
    expect(await hashDatabase()).toBe(before);
    await confirm(link, `review.${selectedItem}`);
    expect(await stateOf(selectedItem)).toMatchObject({ verified_email: true });
    await confirm(link, `review.${otherItem}`);
    expect(await stateOf(otherItem)).toMatchObject({ verified_email: false });
  });

  it("lists all unverified items page by page, and is used up by the last page", async () => {
    const all: string[] = [];
    for (let n = 0; n < 45; n += 1)
      all.push(`${n % 3 ? "review" : "question"}.${await submit(n % 3 ? "review" : "question")}`);
    const [kind, id] = (all[0] as string).split(".") as ["question", string];
    await ask(kind, id);
    const link = await lastLink();
    const namesIn = (html: string) =>
      [...html.matchAll(/name="((?:review|question)\.[0-9a-f]+)"/g)].map(([, name]) => name ?? "");
    const hiddenIn = (html: string) => [...html.matchAll(/type="hidden" name="(next|begun)" value="([^"]*)"/g)];
    const post = async (html: string, names: string[]) => {
      const fields = [
        ...names.map((name) => [name, "1"]),
        ...hiddenIn(html).map(([, name = "", value = ""]) => [name, value]),
      ];
      return (
        await page.POST(new Request(link, { method: "POST", body: new URLSearchParams(fields as [string, string][]) }))
      ).text();
    };
    const first = (await open(link)).html;
    expect(namesIn(first)).toHaveLength(20);
    expect(first).toContain("There’s more on the next page");
    const skipped = namesIn(first)[7] as string;
    const second = await post(
      first,
      namesIn(first).filter((name) => name !== skipped),
    );
    expect(namesIn(second)).toHaveLength(20);
    expect(second).toContain("There’s more on the next page");
    // Reopened: only unanswered items are listed.
    const again = namesIn((await open(link)).html);
    expect(again).toHaveLength(20);
    expect(again[0]).toBe(skipped);
    const third = await post(second, namesIn(second));
    expect(namesIn(third)).toHaveLength(5);
    expect(third).not.toContain("There’s more on the next page");
    // The last page may contain none of the author's items.
    expect(await post(third, [])).toContain("Your email address is confirmed");
    expect((await open(link)).html).toContain("Nothing left to do");
    const remaining = [...namesIn(third), skipped].sort();
    const confirmed = await rowsOf(
      "select subject_id from moderation_events where action = 'verified' and client_id = $1",
      [shop],
    );
    expect(new Set([...namesIn(first), ...namesIn(second), ...namesIn(third)])).toEqual(new Set(all));
    expect(confirmed.map(({ subject_id }) => subject_id).sort()).toEqual(
      all
        .filter((name) => !remaining.includes(name))
        .map((name) => name.split(".")[1])
        .sort(),
    );
  });

  it("isn't used up by an invalid position", async () => {
    const one = await submit("review");
    await ask("review", one);
    const link = await lastLink();
    const before = await hashDatabase();
    for (const next of ["x", "1.0", `${"9".repeat(14)}.0123456789abcdef`, "-1.0123456789abcdef"]) {
      const body = new URLSearchParams({ next });
      expect((await page.POST(new Request(link, { method: "POST", body }))).status, next).toBe(200);
    }
    expect(await hashDatabase()).toBe(before);
  });

  it("works only for its own address and client", async () => {
    const others = await submit("review", { author_email: "bo@example.org" });
    const ownReview = await submit("review");
    await ask("review", ownReview);
    const link = await lastLink();
    const client = shop;
    await freshShop();
    const elsewhere = await submit("review");
    const before = await hashDatabase();
    for (const name of [
      `review.${others}`,
      `review.${elsewhere}`,
      `question.${ownReview}`,
      "review.",
      "",
      "review.%00",
      "x",
    ])
      expect((await confirm(link, name)).status).toBe(200);
    expect(await hashDatabase()).toBe(before);
    expect(client).not.toBe(shop);
  });

  it("confirms once for two concurrent clicks", async () => {
    const id = await submit("review");
    await ask("review", id);
    const link = await lastLink();
    await Promise.all(Array.from({ length: 6 }, () => confirm(link, `review.${id}`)));
    expect(await rowsOf("select from moderation_events where action = 'verified'")).toHaveLength(1);
    expect(await rowsOf("select from outbox where name = 'review/verified'")).toHaveLength(1);
  });

  it("works for 30 days, then says that it has expired", async () => {
    const id = await submit("review");
    await at(0, () => ask("review", id));
    const link = await lastLink();
    expect((await at(30 * 24 - 0.01, () => open(link))).status).toBe(200);
    const expired = await at(30 * 24 + 0.01, () => open(link));
    expect([expired.status, expired.html]).toEqual([410, expect.stringContaining("This link has expired")]);
    const before = await hashDatabase();
    expect((await at(30 * 24 + 0.01, () => confirm(link, `review.${id}`))).status).toBe(410);
    expect(await hashDatabase()).toBe(before);
  });

  it("must be valid", async () => {
    const id = await submit("review");
    await ask("review", id);
    const link = await lastLink();
    const forged = [
      link.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
      "http://localhost:3000/verify/x",
      `http://localhost:3000/verify/${"A".repeat(80)}`,
      `http://localhost:3000/verify/${"A".repeat(5_000)}`,
    ];
    const before = await hashDatabase();
    for (const address of forged) {
      expect((await open(address)).status).toBe(404);
      expect((await confirm(address, `review.${id}`)).status).toBe(404);
    }
    expect(await hashDatabase()).toBe(before);
    await pool().query("delete from action_links"); // as after an erasure
    const openedLink = await open(link);
    expect([openedLink.status, openedLink.html]).toEqual([404, expect.stringContaining("Lampor &amp; &lt;Ljus&gt;")]);
  });
});
