import { describe, expect, it } from "vitest";
import { POST as collectQuestion } from "@/app/collect/questions/route";
import { POST as collect } from "@/app/collect/reviews/route";
import { GET as file } from "@/app/honesty/[client_id]/receipt/[token]/receipt.json/route";
import { GET as page } from "@/app/honesty/[client_id]/receipt/[token]/route";
import * as review from "@/app/v1/reviews/[id]/route";
import * as reviews from "@/app/v1/reviews/route";
import { appendEntries } from "@/lib/honesty/append-entries";
import { contentHash } from "@/lib/honesty/entries-of-row";
import { openCheckpoint } from "@/lib/honesty/log/checkpoint";
import { parseVerifier } from "@/lib/honesty/log/signed-note";
import { leafHash, verifyInclusion } from "@/lib/honesty/log/tree";
import { mailRejection } from "@/lib/moderation/rejections/mail-rejection";
import { receiptToken, receiptUrl } from "@/lib/platform/http/honesty-page";
import { languages } from "@/lib/platform/i18n/languages";
import { decideItem } from "@/lib/reviews/decisions/decide-items";
import { itemReference } from "@/lib/reviews/decisions/item-reference";
import { call } from "@/lib/tools/test/call";
import { get, postJson } from "@/lib/tools/test/collection-rows";
import { eraseCompletely } from "@/lib/tools/test/erase";
import { aClient, rowsOf, type TestClient } from "@/lib/tools/test/factories";

const actor = { kind: "user", id: "usr_1" } as const;

/** A visitor's review, with the address of its receipt. */
async function collected(shop: TestClient, more: Record<string, unknown> = {}) {
  const body = { client_id: shop.id, api_key: shop.publicKey, product_id: "P-1", author: "Ann", score: 2 };
  const given = { ...body, author_email: "ann@example.org", content: "Too dark.", ...more };
  expect((await postJson(collect, "/collect/reviews", given)).status).toBe(201);
  const [{ id, salt }] = await rowsOf(
    "select subject_id as id, salt from moderation_events where client_id = $1 and kind = 'review' order by moderation_events.id desc limit 1",
    [shop.id],
  );
  return { id, salt, path: new URL(receiptUrl(shop.id, receiptToken("review", id, salt))).pathname } as const;
}

/** What a reader sees, on one line. */
async function textOf(path: string): Promise<string> {
  const response = await get(page, path, { "accept-language": "en" });
  expect(response.status).toBe(200);
  return (await response.text())
    .replace(/<style>.*<\/style>/s, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
}

/** The downloaded receipt, after checking all of its proofs. */
async function provenFile(path: string) {
  const response = await get(file, `${path}/receipt.json`);
  expect(response.status).toBe(200);
  const receipt = await response.json();
  const { size, root } = openCheckpoint(receipt.checkpoint, receipt.keys.map(parseVerifier));
  for (const { index, entry, proof } of receipt.entries) {
    const hashes = proof.map((hash: string) => Buffer.from(hash, "base64"));
    expect(verifyInclusion(index, size, leafHash(Buffer.from(entry)), hashes, root), entry).toBe(true);
  }
  return { ...receipt, entries: receipt.entries.map(({ entry }: { entry: string }) => JSON.parse(entry)) };
}

/** The path of the receipt that a response names. */
const receiptPathOf = (link: string | null): string =>
  new URL(/^<(.*)>; rel="receipt"$/.exec(link ?? "")?.[1] ?? "").pathname;

describe("a receipt", () => {
  it("is named by the responses that confirm a submission, to pages of other origins too", async () => {
    const shop = await aClient({ collect_questions: true });
    const keys = { client_id: shop.id, api_key: shop.publicKey, product_id: "P-1", author: "Ann" };
    const given = { ...keys, score: 2, content: "Too dark." };
    const first = await postJson(collect, "/collect/reviews", given);
    expect(first.headers.get("access-control-expose-headers")).toBe("Link");
    const path = receiptPathOf(first.headers.get("link"));
    expect(await textOf(path)).toContain("hasn’t decided yet.");
    // Sent twice: stored once, and the same receipt.
    const again = await postJson(collect, "/collect/reviews", given);
    expect(receiptPathOf(again.headers.get("link"))).toBe(path);
    const asked = await postJson(collectQuestion, "/collect/questions", {
      ...keys,
      author_email: "ann@example.org",
      question: "Is it bright?",
      mail_answer: "false",
    });
    expect(await textOf(receiptPathOf(asked.headers.get("link")))).toContain("Your question at");
    const created = await call(reviews, "POST", "/v1/reviews", {
      key: shop.key,
      body: {
        review: {
          external_id: "old-1",
          author: "Bo",
          score: 5,
          extract: "Bright.",
          order: { item: { id: "P-1" } },
          accepted: true,
        },
      },
    });
    expect(created.status).toBe(201);
    expect(await textOf(receiptPathOf(created.headers.get("link")))).toContain("It is published.");
    const updated = await call(reviews, "POST", "/v1/reviews", {
      key: shop.key,
      body: { review: { external_id: "old-1", score: 4 } },
    });
    expect([updated.status, updated.headers.get("link")]).toEqual([200, null]);
  });

  it("shows what happened to a review, with the reasons, and proves it", async () => {
    const shop = await aClient({ display_name: "Lamps & <More>" });
    const { id, salt, path } = await collected(shop);
    expect(await textOf(path)).toContain("hasn’t decided yet. What happened The newest step will be in the log");
    await appendEntries();
    expect(await textOf(path)).toContain("What happened Received");
    await decideItem(actor, shop.client, "review", id, { accepted: true });
    await appendEntries();
    expect(await textOf(path)).toContain("It is published. What happened Received");
    const change = { author: "Ann", score: 2, extract: "Too dark!", order: { item: { id: "P-1" } } };
    const changed = await call(review, "PUT", `/v1/reviews/${id}`, { key: shop.key, body: { review: change } });
    expect(changed.status).toBe(200);
    await decideItem(actor, shop.client, "review", id, { accepted: false, reject_reason: "spam" });
    await appendEntries();
    const text = await textOf(path);
    for (const words of [
      "Your review at Lamps &amp; &lt;More&gt; It isn’t published.",
      "Published Decided by a person.",
      "Changed by Lamps &amp; &lt;More&gt;",
      "Removed after it was published It looks like spam. Decided by a person.",
    ])
      expect(text).toContain(words);
    expect(text).not.toMatch(/newest step|Ann|Too dark|undefined/);
    const proven = await provenFile(path);
    const item = itemReference(salt);
    expect(proven).toMatchObject({ kind: "review", item, status: "rejected", is_behind: false });
    expect(proven.entries.map(({ type }: { type: string }) => type)).toEqual([
      "received",
      "published",
      "edited",
      "removed",
    ]);
    const written = { author: "Ann", score: 2, title: null, extract: "Too dark.", pros: [], cons: [] };
    expect(proven.entries[0].content).toBe(contentHash(salt, "review", written));
  });

  it("still proves what was decided once it is erased, and shows nothing else", async () => {
    const shop = await aClient();
    const { id, salt, path } = await collected(shop);
    await decideItem(actor, shop.client, "review", id, { accepted: false, reject_reason: "spam" });
    await appendEntries();
    await eraseCompletely(shop.id, { by: "email", email: "ann@example.org" });
    await appendEntries();
    const text = await textOf(path);
    expect(text).toContain("It was erased. The log still has what was decided");
    expect(text).not.toMatch(/Ann|Too dark/);
    const proven = await provenFile(path);
    expect(proven).toMatchObject({ status: "erased", item: itemReference(salt) });
    expect(proven.entries.map(({ type }: { type: string }) => type)).toEqual(["received", "rejected", "erased"]);
  });

  it("finds and proves its entries among others, in every bundle", async () => {
    const shop = await aClient();
    const { id, path } = await collected(shop);
    const others = (count: number) =>
      rowsOf(
        `insert into moderation_events (client_id, kind, subject_id, actor_kind, action)
         select $1, 'review', 'r' || n, 'author', 'submitted' from generate_series(1, $2) n`,
        [shop.id, count],
      );
    for (const count of [250, 260, 400]) {
      await others(count);
      await decideItem(actor, shop.client, "review", id, { accepted: count !== 260 });
      await appendEntries();
      expect((await provenFile(path)).is_behind).toBe(false);
    }
    // A row that gives several entries, around each place where a bundle may end.
    for (let n = 0; n < 6; n += 1) {
      await others(253 + n);
      const [{ id: last }] = await rowsOf(
        `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, from_state, to_state, texts)
         values ($1, 'review', $2, 'author', 'edited', 'accepted', 'pending', '{"title": "A"}') returning id`,
        [shop.id, id],
      );
      expect(last).toBeGreaterThan(0);
      await appendEntries();
    }
    const { entries } = await provenFile(path);
    expect(entries.map(({ type }: { type: string }) => type)).toEqual([
      "received",
      "published",
      "removed",
      "restored",
      ...Array.from({ length: 6 }, () => ["edited", "reopened"]).flat(),
    ]);
  });

  it("is linked from the email that tells of a rejection", async () => {
    const shop = await aClient();
    const { id, path } = await collected(shop);
    await decideItem(actor, shop.client, "review", id, { accepted: false, reject_reason: "spam" });
    expect(await mailRejection(shop.id, "review", id)).toEqual({ state: "mailed" });
    const [mail] = await rowsOf("select html, text from mails where client_id = $1 and kind = 'rejection'", [shop.id]);
    expect(mail.text).toContain(`Your receipt: what happens to it: http://localhost:3000${path}?lang=en`);
    expect(mail.html).toContain(`${path}?lang=en`);
  });

  it("is in the language that is asked for, and is kept nowhere", async () => {
    const shop = await aClient({ locale: "sv_SE" });
    const { id, path } = await collected(shop);
    await decideItem(actor, shop.client, "review", id, { accepted: false, reject_reason: "spam" });
    await appendEntries();
    for (const lang of languages) {
      const response = await get(page, `${path}?lang=${lang}`);
      const text = await response.text();
      expect(text).toContain(`<html lang="${lang}">`);
      expect(text.replace(/<style>.*<\/style>/s, "")).not.toMatch(
        /[{}]|undefined|receipt\.[a-z]+[^a-z.]*<\/(p|h|li)|<script/,
      );
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      expect(response.headers.get("x-robots-tag")).toContain("noindex");
    }
    expect(await (await get(page, path)).text()).toContain('<html lang="sv">');
  });

  it("is unknown with a wrong salt, at another store, as another kind, and before its store has a log", async () => {
    const shop = await aClient();
    const other = await aClient();
    const { id, salt, path } = await collected(shop);
    const foreign = await collected(other);
    await appendEntries();
    const wrong = [
      receiptUrl(shop.id, receiptToken("review", id, foreign.salt)),
      receiptUrl(shop.id, receiptToken("review", foreign.id, foreign.salt)),
      receiptUrl(other.id, receiptToken("review", id, salt)),
      receiptUrl(shop.id, receiptToken("question", id, salt)),
      receiptUrl(shop.id, receiptToken("review", itemReference(salt), foreign.salt)),
      receiptUrl("nobody", receiptToken("review", id, salt)),
      `http://localhost${path}0`,
      `http://localhost${path.slice(0, -33)}`,
    ];
    const answers = wrong.map(async (address) => {
      const response = await get(page, new URL(address).pathname);
      expect((await get(file, `${new URL(address).pathname}/receipt.json`)).status, address).toBe(404);
      return [response.status, (await response.json()).error?.message];
    });
    expect(new Set((await Promise.all(answers)).map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await get(page, new URL(wrong[0] as string).pathname)).status).toBe(404);
  });
});
