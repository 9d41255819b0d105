import { describe, expect, it } from "vitest";
import { POST as collect } from "@/app/collect/reviews/route";
import { GET as badge } from "@/app/honesty/[client_id]/badge.svg/route";
import { GET as csv } from "@/app/honesty/[client_id]/figures.csv/route";
import { GET as json } from "@/app/honesty/[client_id]/figures.json/route";
import { GET as page } from "@/app/honesty/[client_id]/route";
import { GET as statement } from "@/app/honesty/[client_id]/statement.html/route";
import { GET as head } from "@/app/onpage/[client_id]/head.js/route";
import { systemActor } from "@/lib/accounts/actor";
import { appendEntries } from "@/lib/honesty/append-entries";
import { computeFigures, listOutdatedFigures } from "@/lib/honesty/compute-figures";
import { afterLook, bringBiasedReviews } from "@/lib/honesty/fixtures/biased-reviews";
import { recordFact } from "@/lib/honesty/record-fact";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { formatDay } from "@/lib/platform/i18n/format";
import { languages } from "@/lib/platform/i18n/languages";
import { decideItem } from "@/lib/reviews/decisions/decide-items";
import { upsertReview } from "@/lib/reviews/reviews/upsert-review";
import { setClient } from "@/lib/settings/set-client";
import { get, postJson } from "@/lib/tools/test/collection-rows";
import { aClient, rowsOf, type TestClient } from "@/lib/tools/test/factories";

/** Brings reviews with these stars, and rejects every fourth one. */
async function withReviews(shop: TestClient, stars: number[]): Promise<void> {
  for (const [index, score] of stars.entries()) {
    await upsertReview(systemActor, shop.client, {
      external_id: `e${index}`,
      author: "Bo",
      score,
      extract: `Number ${index}`,
      order: { item: { id: "P-1" } },
    } as Parameters<typeof upsertReview>[2]);
    const [row] = await rowsOf("select id from reviews where client_id = $1 and external_id = $2", [
      shop.id,
      `e${index}`,
    ]);
    const isRejected = index % 4 === 3;
    await decideItem({ kind: "user", id: "usr_1" }, shop.client, "review", row?.id, {
      accepted: !isRejected,
      ...(isRejected ? { reject_reason: "spam" } : {}),
    });
  }
  await appendEntries();
}

/** What a reader sees of a page, on one line. */
const textOf = (source: string) =>
  source
    .replace(/<style>.*<\/style>/s, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
const read = async (endpoint: typeof page, path: string, headers = {}) => {
  const response = await get(endpoint, path, headers);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe("the public page", () => {
  it("tells what became of reviews by stars, with the head of the log that it is from", async () => {
    const shop = await aClient({ display_name: "Lamps & <More>" });
    await withReviews(
      shop,
      Array.from({ length: 48 }, (_, index) => (index < 24 ? 1 : 5)),
    );
    const { checkpoint, size } = await computeFigures(shop.id);
    const shown = await read(page, `/honesty/${shop.id}`);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(shown.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(shown.text).not.toMatch(/<script|<More>/);
    const text = textOf(shown.text);
    for (const words of [
      "How Lamps &amp; &lt;More&gt; handles reviews",
      "48 reviews received since",
      "With 1 or 2 stars 75% 18 of 24 published",
      "With 4 or 5 stars 75% 18 of 24 published",
      "It looks like spam. 6 0 6",
      "Rejected by a person: 12. By an automatic rule: 0.",
      `from the first ${size} entries, whose root hash is: ${checkpoint.split("\n")[2]}`,
    ])
      expect(text).toContain(words);
    // The badge has the same shares.
    const image = await read(badge, `/honesty/${shop.id}/badge.svg?lang=en`);
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    expect(textOf(image.text)).toContain("Reviews handled openly Published: 75% of bad ones, 75% of good ones");
  });

  it("has a badge that stores may hide, also from the widget", async () => {
    const shop = await aClient();
    const shownBy = async ({ id }: TestClient) => [
      (await read(badge, `/honesty/${id}/badge.svg`)).status,
      /"badge":(null|"[^"]*")/.exec((await read(head, `/onpage/${id}/head.js?lang=de`)).text)?.[1],
    ];
    expect(await shownBy(shop)).toEqual([200, expect.stringContaining(`/honesty/${shop.id}/badge.svg?lang=de`)]);
    expect(await shownBy(await aClient({ config: { hide_honesty_badge: true } }))).toEqual([404, "null"]);
    expect((await read(badge, "/honesty/nobody/badge.svg")).status).toBe(404);
  });

  it("gives no percentages of a few reviews", async () => {
    const shop = await aClient();
    await withReviews(shop, [1, 5, 5]);
    expect(textOf((await read(badge, `/honesty/${shop.id}/badge.svg?lang=en`)).text)).toMatch(
      /See how they’re handled $/,
    );
    const text = textOf((await read(page, `/honesty/${shop.id}`)).text);
    expect(text).toContain("With 1 or 2 stars 1 of 1 published Too few to compare.");
    expect(text).not.toMatch(/\d%/);
  });

  it("is in the language that is asked for, the browser's or the store's", async () => {
    const shop = await aClient({ locale: "sv_SE" });
    const languageOf = async (path: string, headers = {}) =>
      /<html lang="(\w+)">/.exec((await read(page, path, headers)).text)?.[1];
    expect(await languageOf(`/honesty/${shop.id}`)).toBe("sv");
    expect(await languageOf(`/honesty/${shop.id}`, { "accept-language": "fr-CH, en;q=0.5" })).toBe("fr");
    expect(await languageOf(`/honesty/${shop.id}?lang=de`, { "accept-language": "fr" })).toBe("de");
    const varyOf = async (path: string) => (await read(page, path, { "accept-language": "fr" })).headers.get("vary");
    expect(await varyOf(`/honesty/${shop.id}`)).toContain("Accept-Language");
    expect(await varyOf(`/honesty/${shop.id}?lang=xx`)).toContain("Accept-Language");
    expect((await varyOf(`/honesty/${shop.id}?lang=de`)) ?? "").not.toContain("Accept-Language");
    await withReviews(shop, [1, 2, 3, 4, 5]);
    for (const lang of languages) {
      const text = textOf((await read(page, `/honesty/${shop.id}?lang=${lang}`)).text);
      expect(text).toContain(shop.client.display_name);
      expect(text).not.toMatch(/[{}]|undefined|honesty\.[a-z]/);
    }
  });

  it("tells in plain words what has depended on stars for 30 days", async () => {
    const shop = await aClient();
    await bringBiasedReviews(shop);
    await withNow(afterLook(7), () => computeFigures(shop.id));
    expect(textOf((await read(page, `/honesty/${shop.id}?lang=en`)).text)).toContain(
      "No difference has lasted for 30 days.",
    );
    const { findings } = await withNow(afterLook(35), () => computeFigures(shop.id));
    const shown = async (lang: string) => textOf((await read(page, `/honesty/${shop.id}?lang=${lang}`)).text);
    expect(await shown("en")).toContain(
      "Reviews with 1 or 2 stars are published less often than those with 4 or 5: 0% against 100%, 54 reviews, p &lt; 0.001",
    );
    expect(await shown("de")).toContain("0 % gegenüber 100 %, 54 Bewertungen, p &lt; 0,001");
    for (const lang of languages) expect(await shown(lang)).not.toMatch(/[{}]|undefined|honesty\.[a-z]/);
    const lines = (await read(csv, `/honesty/${shop.id}/figures.csv`)).text.split("\r\n");
    expect(lines).toContain(`bias,published,since,${findings[0]?.since}`);
    expect(lines).toContain("bias,published,high_count,30");
  });

  it("tells whom a store invites, though it has no reviews yet, and that the log doesn't prove it", async () => {
    const shop = await aClient();
    await recordFact(pool(), shop.id, "invitations", { day: "2026-11-02", sent: 50, skipped: { excluded: 30 } });
    await appendEntries();
    await withNow(afterLook(), () => computeFigures(shop.id));
    const times = { since: "2026-01-05T00:00:00Z", until: "2026-11-02T00:00:00Z", from: "2026-05-06T00:00:00Z" };
    const sides = { low: { reviews: 30, count: 0, median: null }, high: { reviews: 50, count: 50, median: null } };
    const findings = ["invited_value", "invited_returns"].map((question) => ({
      question,
      ...times,
      ...sides,
      p: 1e-20,
    }));
    expect(
      await rowsOf("update log_figures set findings = $2 where client_id = $1 returning 1", [
        shop.id,
        JSON.stringify(findings),
      ]),
    ).toHaveLength(1);
    const text = textOf((await read(page, `/honesty/${shop.id}?lang=en`)).text);
    expect(text).toContain("with orders of high value are invited to review more often");
    expect(text).toContain("who returned something are invited to review less often");
    expect(text).toContain("Orders aren’t in the log, so this can’t be recomputed from it.");
    expect(JSON.parse((await read(json, `/honesty/${shop.id}/figures.json`)).text).bias).toEqual([]);
    // Without findings, it still says how many orders can't be compared.
    await rowsOf(
      "update log_figures set findings = '[]', not_compared = 20, as_of = as_of + interval '1 second' where client_id = $1",
      [shop.id],
    );
    const without = textOf((await read(page, `/honesty/${shop.id}?lang=en`)).text);
    expect(without).toContain("No difference has lasted for 30 days. 20 orders that the store excluded");
    expect(without).toContain("Orders aren’t in the log, so this can’t be recomputed from it.");
    await rowsOf("update log_figures set findings = $2 where client_id = $1", [shop.id, JSON.stringify(findings)]);
    // Looks go on without reviews, so that findings end.
    await rowsOf("update log_figures set as_of = now() - interval '8 days' where client_id = $1", [shop.id]);
    expect(await listOutdatedFigures([shop.id])).toEqual([shop.id]);
  });

  it("says so for a store without reviews, and is unknown for an unknown store", async () => {
    const shop = await aClient();
    const { text } = await read(page, `/honesty/${shop.id}?lang=sv`);
    expect(textOf(text)).toContain(
      "När det finns några visar den här sidan, per antal stjärnor, hur många som publiceras",
    );
    expect(text).toContain(`/me?client_id=${shop.id}&amp;lang=sv"`);
    expect((await read(page, "/honesty/nobody")).status).toBe(404);
  });

  it("comes from the cache until the figures are computed again", async () => {
    const shop = await aClient();
    await withReviews(shop, [5]);
    await computeFigures(shop.id);
    const first = await read(page, `/honesty/${shop.id}`);
    const etag = first.headers.get("etag") ?? "";
    expect((await read(page, `/honesty/${shop.id}`, { "if-none-match": etag })).status).toBe(304);
    await withReviews(shop, [5, 4]);
    expect((await read(page, `/honesty/${shop.id}`)).text).toBe(first.text);
    await computeFigures(shop.id);
    expect(textOf((await read(page, `/honesty/${shop.id}`, { "if-none-match": etag })).text)).toContain("2 reviews");
  });
});

it("gives the figures as JSON and CSV", async () => {
  const shop = await aClient();
  await withReviews(shop, [1, 2, 5, 5]);
  const { figures, checkpoint } = await computeFigures(shop.id);
  expect(JSON.parse((await read(json, `/honesty/${shop.id}/figures.json`)).text)).toEqual({ checkpoint, ...figures });
  const lines = (await read(csv, `/honesty/${shop.id}/figures.csv`)).text.split("\r\n");
  expect(lines[0]).toBe("of,figure,detail,total,stars_1,stars_2,stars_3,stars_4,stars_5");
  expect(lines).toContain("reviews,published,,3,1,1,0,0,1");
  expect(lines).toContain("seller_reviews,published,,0,0,0,0,0,0");
  expect(lines).toContain("product_reviews,reasons,spam,1,0,0,0,0,1");
  expect(lines).toContain("product_reviews,rejected_by,person,1");
});

it("says whether authors get something, what and since when, and which reviews were written for it", async () => {
  const shop = await aClient({ display_name: "Lamps" });
  await withReviews(shop, [1, 5]);
  const shown = async () => {
    await appendEntries();
    await computeFigures(shop.id);
    const [full, own] = [`/honesty/${shop.id}?lang=en`, `/honesty/${shop.id}/statement.html?lang=en`];
    return [textOf((await read(page, full)).text), textOf((await read(statement, own)).text)];
  };
  for (const [index, text] of (await shown()).entries()) {
    expect(text).toContain("No reward for reviews is declared now.");
    expect(text).not.toMatch(/written when a reward was offered\.|widget labels/);
    if (index === 0) expect(text).toContain("Of 2 published reviews: Written when a reward was offered 0");
  }
  await setClient(shop.id, { config: { incentive: "5 € <voucher>" } });
  const sent = {
    client_id: shop.id,
    api_key: shop.publicKey,
    product_id: "P-1",
    author: "Ann",
    score: 4,
    content: "x",
  };
  expect((await postJson(collect, "/collect/reviews", sent)).status).toBe(201);
  const [row] = await rowsOf("select id from reviews where client_id = $1 and author = 'Ann'", [shop.id]);
  await decideItem({ kind: "user", id: "usr_1" }, shop.client, "review", row?.id, { accepted: true });
  const [now, own] = await shown();
  const today = formatDay(new Date().toISOString().slice(0, 10), "en");
  expect(now).toContain(
    `Lamps offers authors a reward for a review, regardless of the rating: “5 € &lt;voucher&gt;”. A reward has been offered since ${today}. Of 3 published reviews: Written when a reward was offered 1`,
  );
  expect(now).toContain("Candor’s widget labels reviews that were written when a reward was offered.");
  expect(now).toContain("Reward for a review Offered to authors");
  for (const text of [now, own]) {
    expect(text).toContain(
      "Authors are offered a reward for a review, regardless of the rating: “5 € &lt;voucher&gt;”.",
    );
    expect(text).toContain("1 of 3 published reviews was written when a reward was offered.");
  }
  const lines = (await read(csv, `/honesty/${shop.id}/figures.csv`)).text.split("\r\n");
  expect(lines).toContain("product_reviews,incentivized,,1,0,0,0,1,0");
  await setClient(shop.id, { config: {} });
  const [after] = await shown();
  expect(after).toContain("No reward for reviews is declared now.");
  expect(after).toContain("Reward for a review: Offered to authors → None declared");
  expect(after).toContain("1 of 3 published reviews was written when a reward was offered.");
});

it("gives the statement as HTML for the store's own pages", async () => {
  const shop = await aClient({ display_name: "Lamps", require_verification: true });
  await withReviews(shop, [1, 5]);
  const { text, status } = await read(statement, `/honesty/${shop.id}/statement.html?lang=en`);
  expect(status).toBe(200);
  expect(text).toContain("<h2>Whether and how Lamps checks that reviews are from customers</h2>");
  expect(text).toContain("This applies to 0 of 2 published reviews.");
  expect(text).toContain("Anyone else is asked to confirm an email address");
  expect(text).toContain(`/honesty/${shop.id}?lang=en`);
});
