import { Readable } from "node:stream";
import { beforeEach, describe, expect, it, vi } from "vitest";
import * as data from "@/app/me/[token]/data/route";
import * as page from "@/app/me/[token]/route";
import * as request from "@/app/me/route";
import * as queue from "@/app/portal/api/v1/queue/route";
import * as reviews from "@/app/v1/reviews/[id]/route";
import { mailRejection } from "@/lib/moderation/rejections/mail-rejection";
import { withNow } from "@/lib/platform/clock";
import { transaction } from "@/lib/platform/db/pool";
import { languages } from "@/lib/platform/i18n/languages";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { createAuthorPageLink, purgeAuthorPageLinks } from "@/lib/reviews/author-page/link";
import { call, pathOf } from "@/lib/tools/test/call";
import { emptyDatabase } from "@/lib/tools/test/database";
import {
  aClient,
  aMember,
  anAnswer,
  anOrder,
  aResponse,
  hashDatabase,
  rowsOf,
  someQuestions,
  someReviews,
  someSellerReviews,
  type TestClient,
} from "@/lib/tools/test/factories";
import { importReviews } from "@/lib/transfer/import-reviews";

const email = "ada@example.org";
const author = { author_email: "Ada@Example.org", email_key: email, lang: "en" };
let shop: TestClient;
beforeEach(async () => {
  await emptyDatabase();
  shop = await aClient({ display_name: "Lampor & <Ljus>" });
});

const linkTo = (clientId = shop.id, address = email) =>
  transaction((db) => createAuthorPageLink(db, clientId, address)).then(pathOf);
const open = (path: string, headers: Record<string, string> = {}) => call(page, "GET", path, { headers });
const post = (module: typeof page | typeof request, path: string, fields: Record<string, string>) =>
  call(module, "POST", path, {
    body: new URLSearchParams(fields).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
const mails = () => rowsOf("select * from mails order by created_at, id");
const linkIn = ({ text }: { text: string }) => pathOf(/http\S+\/me\/[\w-]+/.exec(text)?.[0] ?? "http://none/");

describe("an author's page", () => {
  it("lists what has the address at the store, with status, reason, replies, and links to edit and receipt", async () => {
    const [published, rejected] = await someReviews(shop.id, [
      {
        ...author,
        accepted: true,
        product_name: "Lamp <b>",
        extract: "Warm & bright.",
        pros: ["Light"],
        cons: ["Cable", "Price"],
      },
      { ...author, accepted: false, reject_reason: "price", extract: "Too expensive." },
    ]);
    await rowsOf(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, to_state)
       values ($1, 'review', $2, 'author', 'submitted', 'pending')`,
      [shop.id, rejected],
    );
    await someSellerReviews(shop.id, [{ ...author, extract: "Quick." }]);
    const [question = ""] = await someQuestions(shop.id, [{ ...author, accepted: true, question: "E27?" }]);
    await aResponse(shop.id, "review", published ?? "", { extract: "Thank you!" });
    await anAnswer(shop.id, question, { answer: "Yes, E27." });
    await anAnswer(shop.id, question, { answer: "Not decided yet.", accepted: null });
    await someReviews(shop.id, [
      { author_email: "bo@example.org", email_key: "bo@example.org", extract: "Not Ada's." },
    ]);
    const elsewhere = await aClient();
    await someReviews(elsewhere.id, [{ ...author, extract: "Another store." }]);

    const { status, text, headers } = await open(await linkTo());
    expect(status).toBe(200);
    for (const shown of [
      "Lampor &amp; &lt;Ljus&gt;",
      "Review of Lamp &lt;b&gt;",
      "Warm &amp; bright.\n+ Light\n− Cable\n− Price<",
      "It is published.",
      "It’s only about the price",
      "The decision is based on the rules of Lampor",
      "out-of-court dispute settlement body",
      "hasn’t decided yet",
      "Thank you!",
      "Yes, E27.",
      "Delete question",
    ])
      expect(text).toContain(shown);
    for (const hidden of ["Not Ada", "Another store", "Not decided yet", "<script"]) expect(text).not.toContain(hidden);
    expect(text.match(/\/edit\/[\w-]+/g)).toHaveLength(4);
    expect(text.match(/<summary>Delete review</g)).toHaveLength(3);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-robots-tag")).toContain("noindex");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(text).toMatch(new RegExp(`/receipt/r\\.${rejected}\\.[0-9a-f]{32}`));
  });

  it("has the statement of reasons of each rejection, also of those that aren't emailed", async () => {
    const rejected = { ...author, accepted: false };
    const ids = await someReviews(shop.id, [
      { ...rejected, source: "api", reject_reason: "price" },
      { ...rejected, source: "collect", reject_reason: "ignored" },
      { ...rejected, source: "import", reject_reason: "spam" },
    ]);
    await rowsOf(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, to_state)
       select $1, 'review', id, by, action, 'rejected' from unnest($2::text[], $3::text[], $4::text[]) as e(id, by, action)`,
      [shop.id, ids, ["key", "user", "system"], ["decided", "decided", "imported"]],
    );
    for (const id of ids) expect(await mailRejection(shop.id, "review", id)).toEqual({ state: "not_due" });
    const { text } = await open(await linkTo());
    expect(text.match(/out-of-court dispute settlement body/g)).toHaveLength(3);
    expect(text.match(/value="appeal"/g)).toHaveLength(3);
    for (const shown of [
      "A program of Lampor &amp; &lt;Ljus&gt; decided.",
      "A person decided.",
      "The decision came with data that Lampor &amp; &lt;Ljus&gt; imported.",
      "It wasn’t selected for publication.",
    ])
      expect(text).toContain(shown);
  });

  it("states who rejected it and after what, also after edits by a program and an import of texts", async () => {
    const [id = ""] = await someReviews(shop.id, [{ ...author, source: "collect", verified_email: true }]);
    const person = await aMember(shop);
    await rowsOf(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, from_state, to_state)
       values ($1, 'review', $2, 'author', 'submitted', null, 'pending'), ($1, 'review', $2, 'rule', 'held', 'pending', 'pending')`,
      [shop.id, id],
    );
    const decide = (decision: object) => {
      const body = { items: [{ kind: "review", id, ...decision }] };
      return call(queue, "PUT", `/portal/api/v1/queue?client_id=${shop.id}`, { headers: person.headers, body });
    };
    const reject = (reason: string) => decide({ accepted: false, reject_reason: reason });
    await reject("price");
    expect(await mailRejection(shop.id, "review", id)).toEqual({ state: "mailed" });
    const put = (review: object) =>
      call(reviews, "PUT", `/v1/reviews/${id}?client_id=${shop.id}`, { key: shop.key, body: { review } });
    const imported = (row: object) =>
      importReviews(shop.id, Readable.from([Buffer.from(`${JSON.stringify({ id, ...row })}\n`)]));
    const statement = async () => {
      await mailRejection(shop.id, "review", id);
      const [mail, ...more] = (await mails()).toReversed();
      return [(await open(await linkTo())).text, mail.text.replaceAll("\n", " "), more.length] as const;
    };

    // A report after the decision isn't what it was decided after.
    await rowsOf("insert into flags (client_id, id, review_id) values ($1, 'later', $2)", [shop.id, id]);
    for (const edit of [
      () => put({ incentivized: true }),
      () => put({ extract: "The store's words." }),
      () => imported({ extract: "Words of an import." }),
    ]) {
      await edit();
      const [shown, mailed, earlier] = await statement();
      for (const text of [shown, mailed]) {
        expect(text).toContain("A person decided, after an automatic check had flagged the text.");
        expect(text).not.toContain("A reader reported it.");
      }
      expect(earlier).toBe(0); // no email for an edit
    }
    expect(await rowsOf("select action from moderation_events where to_state = 'rejected' order by id")).toEqual(
      ["decided", "edited", "edited", "imported"].map((action) => ({ action })),
    );

    // What the check found was in the words before.
    await reject("personal_data");
    for (const text of (await statement()).slice(0, 2))
      expect(text).toMatch(/A reader reported it\. A person decided\./);
    for (const row of [{ reject_reason: "spam" }, { reject_reason: "duplicate", extract: "Other words." }]) {
      expect(await imported({ accepted: false, ...row })).toMatchObject({ updated: 1 });
      for (const text of (await statement()).slice(0, 2))
        expect(text).toMatch(/A reader reported it\. The decision came with data that Lampor \S+ \S+ imported\./);
    }
    await put({ accepted: false, reject_reason: "price" });
    const byProgram = /A reader reported it\. A program of Lampor \S+ \S+ decided\./;
    for (const text of (await statement()).slice(0, 2)) expect(text).toMatch(byProgram);

    // Nor does a person decide who publishes it by mistake and undoes that.
    await decide({ accepted: true });
    await decide({ accepted: false, reject_reason: "price" });
    for (const text of (await statement()).slice(0, 2)) expect(text).toMatch(byProgram);
  });

  it("has 20 texts, then the older ones; a button there works, and leaves its reader there", async () => {
    const at = (minutes: number) => new Date(Date.UTC(2026, 10, 1, 12, -minutes));
    await someReviews(
      shop.id,
      Array.from({ length: 22 }, (_, n) => ({ ...author, extract: `Text ${n}.`, created_at: at(n) })),
    );
    await someQuestions(shop.id, [{ ...author, question: "The oldest?", created_at: at(30) }]);
    const textsIn = (text: string) => text.match(/Text \d+\.|The oldest\?/g);
    const all = [...Array.from({ length: 22 }, (_, n) => `Text ${n}.`), "The oldest?"];
    const first = await open(await linkTo());
    expect(textsIn(first.text)).toEqual(all.slice(0, 20));
    expect(first.text).not.toContain("Show newest");
    const older = pathOf(/<a href="([^"]+)">Show older/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? "");
    const second = await open(older);
    expect(textsIn(second.text)).toEqual(all.slice(20));
    expect(second.text).not.toContain("Show older");
    const action = pathOf(
      /<form method="post" action="([^"]+after=[^"]+)"/.exec(second.text)?.[1]?.replaceAll("&amp;", "&") ?? "",
    );
    expect(action).toBe(older);
    const item = /value="(question\.[0-9a-f]+)"/.exec(second.text)?.[1] ?? "";
    const { text } = await post(page, action, { do: "withdraw", item });
    expect(text).toContain("It was deleted.");
    expect(textsIn(text)).toEqual(all.slice(20, 22));
    for (const link of [`${older}x`, older.replace(/after=.*/, "after=1.2")])
      expect(textsIn((await open(link)).text)).toEqual(all.slice(0, 20));
  });

  it("has each text once, also if reviews and questions were submitted at the same moment", async () => {
    const at = { ...author, created_at: new Date(Date.UTC(2026, 10, 1)) };
    const both = await Promise.all([
      someReviews(shop.id, Array(15).fill(at)),
      someSellerReviews(shop.id, Array(15).fill(at)),
      someQuestions(shop.id, Array(15).fill(at)),
    ]);
    const link = await linkTo();
    const shown: string[][] = [];
    for (let next: string | undefined = link; next !== undefined && shown.length < 4; ) {
      const { text } = await open(next);
      shown.push(
        [...text.matchAll(/value="(?:review|seller_review|question)\.([0-9a-f]{16})"/g)].map(([, id]) => id ?? ""),
      );
      const older = /<a href="([^"]+)">Show older/.exec(text)?.[1];
      next = older && pathOf(older.replaceAll("&amp;", "&"));
    }
    expect(shown.map((ids) => ids.length)).toEqual([20, 20, 5]);
    expect(shown.flat()).toEqual(both.flat().sort().reverse());
  });

  it("shows the author's photos, also of pending texts and hidden ones with the reason, by signed addresses", async () => {
    const image = (digit: string) => ({
      token: digit.repeat(32),
      key: digit.repeat(32),
      format: "jpeg",
      width: 800,
      height: 600,
      sizes: { icon: [100, 100], medium: [800, 600], large: [800, 600] },
    });
    const images = (digit: string) => JSON.stringify([image(digit)]);
    const [, shown] = await someReviews(shop.id, [
      { ...author, images: images("a") },
      { ...author, accepted: true, images: images("b") },
      { ...author, accepted: false, images: images("c") },
    ]);
    await rowsOf(
      `insert into uploads (client_id, token, key, format, width, height, sizes, bytes, subject_kind, subject_id, claimed_at, hidden_at, reject_reason)
       select $1, token, key, format, width, height, sizes, 1, 'review', $2, now(), now(), 'illegal'
         from jsonb_to_record($3) as i(token text, key text, format text, width int, height int, sizes jsonb)`,
      [shop.id, shown, JSON.stringify(image("d"))],
    );
    const { text } = await open(await linkTo());
    const shownKeys = [
      ...text.matchAll(/<img src="[^"]+\/images\/(\w)\w{31}\/medium\.jpg\?expires=\d+&amp;signature=[^"]+"/g),
    ];
    expect(shownKeys.map(([, digit]) => digit).sort()).toEqual(["a", "b", "d"]);
    expect(text.replaceAll("&amp;", "&")).toContain(
      "Lampor & &lt;Ljus&gt; doesn’t show this photo. It may break the law.",
    );
    expect(text).toContain('alt="Your photo 2 of 2"');
    expect((await open(`${await linkTo()}?lang=de`)).text).toContain(
      "zeigt dieses Foto nicht. Es verstößt möglicherweise gegen geltendes Recht.",
    );
  });

  it("changes nothing when opened, and says what it says in each language", async () => {
    await someReviews(shop.id, [author]);
    const link = await linkTo();
    const before = await hashDatabase();
    for (const language of languages) {
      const { status, text } = await open(`${link}?lang=${language}`);
      expect([status, text.includes(`<html lang="${language}">`)]).toEqual([200, true]);
    }
    expect(await hashDatabase()).toBe(before);
  });

  it("needs a valid link: of this store and address, not tampered with, not of an erased person", async () => {
    await someReviews(shop.id, [{ ...author, extract: "Only mine." }]);
    const other = await aClient();
    const link = await linkTo();
    const foreign = await linkTo(other.id);
    expect((await open(foreign)).text).not.toContain("Only mine.");
    const token = link.slice("/me/".length);
    const bytes = Buffer.from(token, "base64url");
    // The other store's, with this store's id.
    const moved = Buffer.concat([
      Buffer.from(foreign.slice(4), "base64url").subarray(0, 16),
      bytes.subarray(16),
    ]).toString("base64url");
    for (const forged of [
      `${token.slice(0, 40)}${token[40] === "A" ? "B" : "A"}${token.slice(41)}`,
      moved,
      "x",
      "A".repeat(900),
    ]) {
      const { status, text } = await open(`/me/${forged}`);
      expect([status, text.includes("Only mine.")]).toEqual([404, false]);
      expect((await post(page, `/me/${forged}`, { do: "link" })).status).toBe(404);
    }
    await rowsOf("delete from action_links");
    const erased = await open(link);
    expect([erased.status, erased.text.includes("Only mine.")]).toEqual([404, false]);
    expect(erased.text).toContain(`/me?client_id=${shop.id}`);
  });

  it("is another one after an erasure, and its address is purged 90 days after it expired", async () => {
    const [first, second] = [await linkTo(), await linkTo()];
    for (const link of [first, second]) expect((await open(link)).status).toBe(200);
    await rowsOf("delete from action_links");
    const renewed = await linkTo();
    const states = [];
    for (const link of [first, second, renewed]) states.push((await open(link)).status);
    expect(states).toEqual([404, 404, 200]);
    await rowsOf("update action_links set expires_at = now() - interval '89 days'");
    expect(await purgeAuthorPageLinks()).toBe(0);
    await rowsOf("update action_links set expires_at = now() - interval '91 days'");
    expect(await purgeAuthorPageLinks()).toBe(1);
  });

  it("works for 30 days, then offers to email a new link", async () => {
    await someReviews(shop.id, [{ ...author, extract: "Only mine." }]);
    const link = await linkTo();
    const day = 86_400_000;
    const inDays = <T>(days: number, work: () => T) => withNow(new Date(Date.now() + days * day), work);
    expect((await inDays(29.9, () => open(link))).text).toContain("Only mine.");
    const expired = await inDays(30.1, () => open(link));
    expect([expired.status, expired.text.includes("Only mine.")]).toEqual([410, false]);
    expect(expired.text).not.toContain(email);
    expect((await post(page, link, { do: "link" })).status).toBe(200);
    expect(await mails()).toEqual([]); // it hasn't expired
    const sent = await inDays(30.1, () => post(page, link, { do: "link" }));
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining("Check your inbox")]);
    const [mail] = await vi.waitUntil(async () => {
      const found = await mails();
      return found.length > 0 && found;
    });
    expect(mail.to).toBe("Ada@Example.org");
    expect((await inDays(40, () => open(linkIn(mail)))).text).toContain("Only mine.");
  });
});

describe("a requested link", () => {
  const ask = (address: string, client = shop.id) => post(request, "/me", { client_id: client, email: address });

  it("is emailed to an author, and the response tells nobody who is one", async () => {
    await someReviews(shop.id, [author]);
    const answers = [await ask("stranger@example.org"), await ask(" ADA@example.org ")];
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    const [mail] = await vi.waitUntil(async () => {
      const found = await mails();
      return found.length > 0 && found;
    });
    expect([mail.to, mail.kind, mail.client_id]).toEqual(["Ada@Example.org", "author_link", shop.id]);
    expect((await open(linkIn(mail))).status).toBe(200);
    const [{ hash, email_key }] = await rowsOf("select hash, email_key from action_links");
    expect([hash, email_key]).toEqual([personHash(shop.id, "email", email), email]);
  });

  it("is sent once an hour at most, and not to an address that bounced; an opt-out doesn't stop it", async () => {
    await someReviews(shop.id, [author]);
    const { mailAuthorLink } = await import("@/lib/authors/mail-author-link");
    await rowsOf("insert into suppressions (client_id, email_hash, reason) values ($1, $2, 'opt_out')", [
      shop.id,
      personHash(shop.id, "email", email),
    ]);
    await Promise.all(Array.from({ length: 5 }, () => mailAuthorLink(shop.id, email)));
    expect(await mails()).toHaveLength(1);
    await withNow(new Date(Date.now() + 2 * 3_600_000), () => mailAuthorLink(shop.id, email));
    expect(await mails()).toHaveLength(2);
    await rowsOf("insert into suppressions (client_id, email_hash, reason) values ($1, $2, 'bounce')", [
      shop.id,
      personHash(shop.id, "email", email),
    ]);
    await withNow(new Date(Date.now() + 4 * 3_600_000), () => mailAuthorLink(shop.id, email));
    expect(await mails()).toHaveLength(2);
  });

  it("has a form in each language; an unknown store is 404", async () => {
    for (const language of languages) {
      const { status, text } = await call(request, "GET", `/me?client_id=${shop.id}&lang=${language}`);
      expect([status, text.includes('type="email"')]).toEqual([200, true]);
    }
    expect((await call(request, "GET", "/me?client_id=none.example")).status).toBe(404);
    expect((await call(request, "GET", "/me")).status).toBe(404);
    expect((await ask(email, "none.example")).status).toBe(404);
  });
});

describe("the buttons of an author's page", () => {
  const act = (link: string, fields: Record<string, string>) => post(page, link, fields);

  it("delete a text, once, with what belongs to it; the history says that its author did", async () => {
    const [review = "", kept = ""] = await someReviews(shop.id, [{ ...author, accepted: true }, author]);
    const [question = ""] = await someQuestions(shop.id, [{ ...author, accepted: true }]);
    const [seller = ""] = await someSellerReviews(shop.id, [author]);
    const answer = await anAnswer(shop.id, question);
    await rowsOf(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, to_state)
       select $1, kind, id, 'author', 'submitted', 'pending'
         from unnest($2::text[], $3::text[]) as e(kind, id)`,
      [shop.id, ["review", "question", "seller_review", "answer"], [review, question, seller, answer]],
    );
    await aResponse(shop.id, "review", review);
    const link = await linkTo();
    const both = await Promise.all([1, 2].map(() => act(link, { do: "withdraw", item: `review.${review}` })));
    expect(both.map(({ text }) => text.includes("It was deleted.")).sort()).toEqual([false, true]);
    for (const item of [`question.${question}`, `seller_review.${seller}`])
      expect((await act(link, { do: "withdraw", item })).text).toContain("It was deleted.");
    expect(
      await rowsOf("select id from reviews union select id from questions union select id from seller_reviews"),
    ).toEqual([{ id: kept }]);
    expect(await rowsOf("select from responses union all select from answers")).toEqual([]);
    const endings =
      "select distinct kind, actor_kind, salt from moderation_events where action = 'deleted' order by kind";
    expect(await rowsOf(endings)).toEqual(
      ["question", "review", "seller_review"].map((kind) => ({ kind, actor_kind: "author", salt: null })),
    );
    expect(
      await rowsOf("select from moderation_events where subject_id = any($1)", [[review, question, seller, answer]]),
    ).toEqual([]);
    expect(await rowsOf("select name from outbox where name like '%/deleted' order by name")).toEqual(
      ["question", "review", "seller_review"].map((kind) => ({ name: `${kind}/deleted` })),
    );
  });

  it("delete nothing of others, of another store, or that now has another address", async () => {
    const elsewhere = await aClient();
    const [others = ""] = await someReviews(shop.id, [{ author_email: "bo@example.org", email_key: "bo@example.org" }]);
    const [own = ""] = await someReviews(shop.id, [author]);
    const [foreign = ""] = await someReviews(elsewhere.id, [author]);
    const link = await linkTo();
    for (const item of [`review.${others}`, `review.${foreign}`, `question.${own}`, "review.", "x", "review.%00"])
      expect((await act(link, { do: "withdraw", item })).text).toContain("Nothing was changed");
    expect((await act(link, { do: "withdraw" })).text).toContain("Nothing was changed");
    await rowsOf("update reviews set email_key = 'new@example.org' where id = $1", [own]);
    expect((await act(link, { do: "withdraw", item: `review.${own}` })).text).toContain("Nothing was changed");
    expect(await rowsOf("select from reviews")).toHaveLength(3);
    expect((await act(link, { do: "everything" })).status).toBe(406);
  });

  it("stop emails and resume them", async () => {
    const link = await linkTo();
    expect((await act(link, { do: "stop" })).text).toContain("won’t email you");
    const suppressions = () => rowsOf("select email_hash, reason from suppressions where client_id = $1", [shop.id]);
    expect(await suppressions()).toEqual([{ email_hash: personHash(shop.id, "email", email), reason: "opt_out" }]);
    expect((await open(link)).text).toContain("Resubscribe");
    expect((await act(link, { do: "resume" })).text).toContain("subscribed again");
    expect(await suppressions()).toEqual([]);
  });

  it("download everything about the person, which the log of requests records", async () => {
    const [review] = await someReviews(shop.id, [{ ...author, extract: "Only mine." }]);
    await rowsOf(
      "insert into moderation_notes (client_id, id, kind, subject_id, text) values ($1, 'n', 'review', $2, 'Bo knows her.')",
      [shop.id, review],
    );
    const link = await linkTo();
    const { status, headers, json } = await call(data, "POST", `${link}/data`);
    expect([status, headers.get("content-disposition")]).toEqual([200, 'attachment; filename="my-data.json"']);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(JSON.stringify(json)).not.toMatch(/notes|Bo knows/);
    expect(json.personal_data).toMatchObject({ email: "Ada@Example.org", reviews: [{ content: "Only mine." }] });
    expect(
      await rowsOf("select actor_kind, action from audit_entries where client_id = $1 and action like 'personal%'", [
        shop.id,
      ]),
    ).toEqual([{ actor_kind: "visitor", action: "personal_data.copied" }]);
    const expired = await withNow(new Date(Date.now() + 31 * 86_400_000), () => call(data, "POST", `${link}/data`));
    expect([expired.status, expired.text.includes("Only mine.")]).toEqual([410, false]);
    // The form that emails a new link posts to the page, not to the download.
    expect(/action="([^"]+)"/.exec(expired.text)?.[1]).toBe(`http://localhost:3000${link}?lang=en`);
  });

  it("give and erase nothing if a customer with the address has or had another", async () => {
    const guest = { id: "guest", name: "Guest" };
    await anOrder(shop.id, { id: "of-ada", customer: { ...guest, email } });
    await someReviews(shop.id, [{ ...author, extract: "Only mine." }]);
    const link = await linkTo();
    expect((await open(link)).text).toContain('value="erase"');
    await anOrder(shop.id, { id: "of-bo", customer: { ...guest, email: "bo@example.org" } });
    await someReviews(shop.id, [
      { author_email: "bo@example.org", email_key: "bo@example.org", extract: "Bo wrote it." },
    ]);
    const bo = await linkTo(shop.id, "bo@example.org");
    const check = async (...links: string[]) => {
      for (const own of links) {
        const { text } = await open(own);
        expect(text).toContain("Ask Lampor");
        for (const hidden of ['value="erase"', `${own}/data`]) expect(text).not.toContain(hidden);
        const before = await hashDatabase();
        const asked = await call(data, "POST", `${own}/data`);
        expect([asked.headers.get("content-disposition"), asked.text.includes("of-bo")]).toEqual([null, false]);
        expect((await act(own, { do: "erase", confirmed: "1" })).text).toContain("Ask Lampor");
        expect(await hashDatabase()).toBe(before);
      }
    };
    await check(link, bo);
    expect((await open(link)).text).not.toContain("Bo wrote it");
    // Neither if the customer has only this address, but a text of theirs another.
    await rowsOf("delete from customer_emails");
    await rowsOf("update reviews set customer_id = 'guest' where client_id = $1", [shop.id]);
    await check(bo);
  });

  it("erase everything about the person once it is confirmed; then the link is unknown", async () => {
    const elsewhere = await aClient();
    await someReviews(shop.id, [author, { author_email: "bo@example.org", email_key: "bo@example.org" }]);
    await someReviews(elsewhere.id, [author]);
    const link = await linkTo();
    expect((await act(link, { do: "erase" })).text).toContain("Nothing was erased");
    expect(await rowsOf("select from reviews")).toHaveLength(3);
    expect((await act(link, { do: "erase", confirmed: "1" })).text).toContain("was erased");
    expect(await rowsOf("select client_id, email_key from reviews order by email_key")).toEqual([
      { client_id: elsewhere.id, email_key: email },
      { client_id: shop.id, email_key: "bo@example.org" },
    ]);
    expect((await open(link)).status).toBe(404);
    expect((await act(link, { do: "erase", confirmed: "1" })).status).toBe(404);
  });
});
