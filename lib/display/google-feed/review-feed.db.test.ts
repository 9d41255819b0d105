import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import { routes } from "@/app/_routes";
import * as plain from "@/app/onpage/[client_id]/google/product_reviews.xml/route";
import * as packed from "@/app/onpage/[client_id]/google/product_reviews.xml.gz/route";
import { checkReviewFeed, type FeedCheck } from "@/lib/display/google-feed/check-feed";
import { checkReviewFeedFrom, checkReviewFeedOf } from "@/lib/display/google-feed/check-feed-from";
import { shortGtin } from "@/lib/display/google-feed/feed-xml";
import { writeReviewFeedTo } from "@/lib/display/google-feed/write-feed-to";
import { importProducts } from "@/lib/feeds/import-products";
import { pool } from "@/lib/platform/db/pool";
import { call } from "@/lib/tools/test/call";
import { aClient, rowsOf, someProducts, someReviews } from "@/lib/tools/test/factories";
import { expectError } from "@/lib/tools/test/lists";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";
import { serve } from "@/lib/tools/test/test-server";

const path_ = (client: string, file = "product_reviews.xml") => `/onpage/${client}/google/${file}`;
const fetched = (client: string, headers: Record<string, string> = {}) =>
  call(plain, "GET", path_(client), { headers });
async function* bytes(text: string | Uint8Array) {
  yield Buffer.from(text as Uint8Array);
}
async function checked(xml: string): Promise<FeedCheck> {
  const check = await checkReviewFeed(bytes(xml));
  expect(check.errors).toEqual([]);
  return check;
}

/** The decoded texts of a feed's elements, by their names. */
function textsByElement(xml: string): Record<string, string[]> {
  const texts: Record<string, string[]> = {};
  const open: string[] = [];
  const addText = (place: string, value: string) => {
    texts[place] ??= [];
    texts[place].push(value);
  };
  let text = "";
  const parser = new SaxesParser();
  parser.on("opentag", ({ name }) => {
    open.push(name);
    text = "";
  });
  parser.on("text", (piece) => {
    text += piece;
  });
  parser.on("closetag", ({ name, attributes }) => {
    open.pop();
    if (text.trim() !== "") addText(`${open.at(-1)}/${name}`, text);
    for (const [key, value] of Object.entries(attributes)) addText(`${name}@${key}`, String(value));
    text = "";
  });
  parser.write(xml).close();
  return texts;
}

/** Names of the elements in a feed. */
const namesIn = (xml: string): Set<string> => new Set([...xml.matchAll(/<([a-z_]+)/g)].map((found) => found[1]!));

describe("the product-review feed", () => {
  it("contains accepted reviews of every score, with what Google needs to identify the product", async () => {
    const shop = await aClient({ display_name: "Lanterna & Söhne" });
    await someProducts(shop.id, [{ id: "lamp-s", family_id: "lamp", name: "Lamp <small>", brand: "Lanterna" }]);
    await rowsOf("update products set gtin14s = '{04006381333931}', mpn = 'L-1' where client_id = $1", [shop.id]);
    const of = { product_id: "lamp-s", family_id: "lamp" };
    await someReviews(shop.id, [
      {
        ...of,
        id: "a1",
        score: 1,
        accepted: true,
        title: "No",
        extract: "Broke.",
        pros: ["Light"],
        cons: ["Cable"],
        lang: "en",
        incentivized: true,
      },
      { ...of, id: "a2", score: 5, accepted: true, author: null, source: "invitation", verified_buyer: true },
      { ...of, id: "a3", score: 5, accepted: null, extract: "waits" },
      { ...of, id: "a4", score: 5, accepted: false, extract: "rejected" },
    ]);
    const answer = await fetched(shop.id);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/xml; charset=utf-8");
    expect(await checked(answer.text)).toMatchObject({ reviews: 2, scores: [1, 0, 0, 0, 1] });
    expect(textsByElement(answer.text)).toMatchObject({
      "publisher/name": ["Lanterna & Söhne"],
      "review/review_id": ["a1", "a2"],
      "reviewer/name": ["Ada", "Anonymous"],
      "name@is_anonymous": ["true"],
      "review/is_verified_purchase": ["false", "true"],
      "review/is_incentivized_review": ["true", "false"],
      "review/title": ["No"],
      "review/content": ["Broke.", "Warm light."],
      "review/review_timestamp": ["2026-01-15T12:00:00Z", "2026-01-15T12:00:00Z"],
      "review/review_language": ["en"],
      "pros/pro": ["Light"],
      "cons/con": ["Cable"],
      "overall@min": ["1", "1"],
      "overall@max": ["5", "5"],
      "ratings/overall": ["1", "5"],
      "gtins/gtin": ["4006381333931", "4006381333931"],
      "mpns/mpn": ["L-1", "L-1"],
      "skus/sku": ["lamp-s", "lamp-s"],
      "brands/brand": ["Lanterna", "Lanterna"],
      "product/product_name": ["Lamp <small>", "Lamp <small>"],
      "product/product_url": ["https://shop.example/lamp-s", "https://shop.example/lamp-s"],
      "review_url@type": ["group", "group"],
      "review/collection_method": ["unsolicited", "post_fulfillment"],
    });
  });

  it("contains no personal data except the public name", async () => {
    const shop = await aClient();
    await someReviews(shop.id, [
      {
        ...{
          accepted: true,
          product_url: "https://shop.example/p",
          author: "Ada",
          author_email: "secret@mail.example",
        },
        ...{
          email_key: "secret@mail.example",
          author_ip: "203.0.113.77",
          order_id: "ORDER-1",
          customer_id: "CUSTOMER-1",
        },
        ...{ verified_buyer: true, answers: JSON.stringify({ age: "AGE-41" }), feedback_token: "TOKEN-1" },
      },
    ]);
    const { text } = await fetched(shop.id);
    expect(text).toContain("<name>Ada</name>");
    for (const secret of ["secret", "203.0.113", "ORDER-1", "CUSTOMER-1", "AGE-41", "TOKEN-1"])
      expect(text).not.toContain(secret);
    for (const element of ["reviewer_id", "transaction_id"]) expect(namesIn(text)).not.toContain(element);
  });

  it("escapes hostile text and drops characters that XML doesn't allow", async () => {
    const shop = await aClient({ display_name: `<Shop> & "Sons"` });
    const payloads = [
      `<script>alert(1)</script>`,
      `"><img src=x onerror=alert(1)>`,
      `]]><review><review_id>fake</review_id></review><![CDATA[`,
      `<!-- --><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;`,
      `&amp;lt;b&amp;gt; &#x0; &#8;`,
      `a\u0001b\u0008c\u000bd\u001fe\u007ff\u0085g\ufffeh\uffff`,
      `line one\r\nline two\rline three`,
      `\u202Eright to left\u200B 👩‍👩‍👧 日本語`,
      `</content><script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>`,
    ];
    await someProducts(shop.id, [{ id: "sku-1", name: payloads[0], brand: payloads[1] }]);
    await someReviews(
      shop.id,
      payloads.map((hostile, index) => ({
        ...{
          id: `h${index}`,
          accepted: true,
          author: hostile,
          title: hostile,
          extract: hostile,
          pros: [hostile],
          cons: [hostile],
        },
      })),
    );
    const { text } = await fetched(shop.id);
    expect(await checked(text)).toMatchObject({ reviews: payloads.length });
    expect([...namesIn(text)].filter((name) => /script|img/.test(name))).toEqual([]);
    const texts = textsByElement(text);
    const expected = payloads.map((hostile, index) =>
      index === 5 ? "abcdef\u0085gh" : hostile.replace(/\r\n?/g, "\n"),
    );
    for (const place of ["reviewer/name", "review/title", "review/content", "pros/pro", "cons/con"])
      expect(texts[place]).toEqual(expected);
  });

  it("falls back to other texts and pages, and skips reviews without any", async () => {
    const shop = await aClient();
    const link = { accepted: true, product_id: "unknown", product_url: "https://shop.example/by-review page" };
    await someReviews(shop.id, [
      { ...link, id: "1", extract: " ", title: "Only a title" },
      { ...link, id: "2", extract: "", pros: ["Small"], cons: ["Loud"] },
      { ...link, id: "3", extract: "\u0007" },
      { ...link, id: "4", product_url: null },
      { ...link, id: "5", product_url: "javascript:alert(1)" },
    ]);
    const { text } = await fetched(shop.id);
    await checked(text);
    expect(textsByElement(text)).toMatchObject({
      "review/review_id": ["1", "2"],
      "review/content": ["Only a title", "Small\nLoud"],
      "product/product_url": ["https://shop.example/by-review%20page", "https://shop.example/by-review%20page"],
    });
    const check = await checkReviewFeedOf(shop.id);
    expect(check).toMatchObject({ valid: true, reviews: 2, skipped: { no_text: 1, no_address: 2 } });
  });

  it("lists the variants if the client shares reviews by family", async () => {
    const shop = await aClient({ expand_family: true });
    await someProducts(shop.id, [
      { id: "s", family_id: "lamp" },
      { id: "m", family_id: "lamp" },
      { id: "gone", family_id: "lamp", deleted: true },
      { id: "other" },
    ]);
    await someReviews(shop.id, [
      { accepted: true, product_id: "s", family_id: "lamp" },
      { accepted: true, product_id: null, family_id: "lamp" },
    ]);
    const { text } = await fetched(shop.id);
    await checked(text);
    const skus = text
      .split("</review>")
      .map(
        (review) =>
          textsByElement(
            `<x>${review.slice(review.indexOf("<skus>"), review.indexOf("</skus>"))}${review.includes("<skus>") ? "</skus>" : ""}</x>`,
          )["skus/sku"],
      );
    expect(skus.slice(0, 2).map((each) => each?.sort())).toEqual([
      ["m", "s"],
      ["m", "s"],
    ]);
  });

  it("is a complete feed without reviews, and 404 for an unknown client", async () => {
    const shop = await aClient();
    const { text } = await fetched(shop.id);
    await checked(text);
    expect(text).not.toContain("<reviews>");
    expectError(await fetched("nobody.example"), 404, "not_found");
    expectError(await call(packed, "GET", path_("nobody.example", "product_reviews.xml.gz")), 404, "not_found");
  });

  it("returns 304 until its content changes", async () => {
    const shop = await aClient();
    await someProducts(shop.id, [{ id: "sku-1" }]);
    const [id] = await someReviews(shop.id, [{ accepted: true }, { accepted: null, id: "ffff" }]);
    let etag = "";
    const unchanged = async () => (await fetched(shop.id, { "if-none-match": etag })).status === 304;
    const changes: [name: string, change: () => Promise<unknown>][] = [
      ["first", async () => {}],
      [
        "accepted",
        () =>
          rowsOf("update reviews set accepted = true, accepted_at = now() where id = 'ffff' and client_id = $1", [
            shop.id,
          ]),
      ],
      [
        "edited",
        () => rowsOf("update reviews set extract = 'Other words.' where client_id = $1 and id = $2", [shop.id, id]),
      ],
      ["shop renamed", () => rowsOf("update clients set display_name = 'New name' where id = $1", [shop.id])],
      ["product renamed", () => importProducts(shop.id, bytes("id,title,link\nsku-1,New lamp,https://shop.example/n"))],
      [
        "product added",
        () =>
          importProducts(
            shop.id,
            bytes("id,title,link\nsku-1,New lamp,https://shop.example/n\nsku-2,Second,https://shop.example/2"),
          ),
      ],
      [
        "rejected",
        () =>
          rowsOf(
            "update reviews set accepted = false, accepted_at = null, reject_reason = 'spam' where id = 'ffff' and client_id = $1",
            [shop.id],
          ),
      ],
      ["deleted", () => rowsOf("delete from reviews where client_id = $1", [shop.id])],
    ];
    for (const [name, change] of changes) {
      await change();
      expect(await unchanged(), name).toBe(false);
      const answer = await fetched(shop.id);
      etag = answer.headers.get("etag") ?? "";
      expect(etag).toMatch(/^W\/"/);
      expect(answer.headers.get("cache-control")).toBe("public, no-cache");
      expect(await unchanged(), `${name}, asked again`).toBe(true);
      expect(
        (await call(packed, "GET", path_(shop.id, "product_reviews.xml.gz"), { headers: { "if-none-match": etag } }))
          .status,
      ).toBe(304);
    }
  });

  it("is compressed for clients that accept it and as a file, and HEAD writes nothing", async () => {
    const shop = await aClient();
    await someProducts(shop.id, [{ id: "sku-1" }]);
    await someReviews(
      shop.id,
      Array.from({ length: 1_300 }, (_, index) => ({
        accepted: true,
        extract: `Review ${index}. ${"word ".repeat(40)}`,
      })),
    );
    const served = await serve(routes);
    const ask = (file: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${served.port}${path_(shop.id, file)}`, init);
    try {
      const response = await ask("product_reviews.xml", { headers: { "accept-encoding": "gzip" } });
      expect(response.headers.get("content-encoding")).toBe("gzip");
      expect(response.headers.get("vary")).toBe("Accept-Encoding");
      const text = await response.text();
      expect(await checked(text)).toMatchObject({ reviews: 1_300 });
      const identity = await ask("product_reviews.xml", { headers: { "accept-encoding": "identity" } });
      expect(identity.headers.get("content-encoding")).toBeNull();
      expect(await identity.text()).toBe(text);
      const file = await ask("product_reviews.xml.gz");
      expect(file.headers.get("content-type")).toBe("application/gzip");
      expect(file.headers.get("content-encoding")).toBeNull();
      expect(gunzipSync(Buffer.from(await file.arrayBuffer())).toString()).toBe(text);
      const head = await ask("product_reviews.xml", { method: "HEAD" });
      expect([head.status, await head.text(), head.headers.get("etag")]).toEqual([
        200,
        "",
        response.headers.get("etag"),
      ]);
      // A client that disconnects halfway leaves nothing behind.
      const aborted = await ask("product_reviews.xml", { headers: { "accept-encoding": "identity" } });
      await aborted.body
        ?.getReader()
        .read()
        .then(() => aborted.body?.cancel().catch(() => undefined));
    } finally {
      await served.close();
    }
    expect(pool().waitingCount).toBe(0);
  });

  it("reads a page at a time, and the next one only if the client keeps reading", async () => {
    const shop = await aClient();
    await someProducts(shop.id, [{ id: "sku-1" }]);
    await someReviews(
      shop.id,
      Array.from({ length: 1_600 }, () => ({ accepted: true })),
    );
    const response = await plain.GET(new Request(`http://localhost${path_(shop.id)}`));
    const reader = response.body!.getReader();
    await reader.read(); // the head
    const first = new TextDecoder().decode((await reader.read()).value);
    expect(first.match(/<review>/g)).toHaveLength(500);
    // Rows added after the current position are still included: nothing was read ahead.
    await someReviews(shop.id, [{ id: "zzzzzzzzzzzzzzzz", accepted: true }]);
    let rest = "";
    for (let next = await reader.read(); !next.done; next = await reader.read())
      rest += new TextDecoder().decode(next.value);
    expect(rest).toContain("zzzzzzzzzzzzzzzz");
    await checked(`${(await fetched(shop.id)).text}`);
  });
});

describe("the admin commands", () => {
  it("write the feed, plain or gzipped, and check a file of either kind", async () => {
    const shop = await aClient();
    await someProducts(shop.id, [{ id: "sku-1" }]);
    await someReviews(shop.id, [{ accepted: true }, { accepted: true, extract: "" }]);
    const folder = temporaryFolder("review-feed");
    const file = path.join(folder, "reviews.xml");
    expect(await writeReviewFeedTo(shop.id, file)).toEqual({
      file,
      reviews: 1,
      skipped: { no_text: 1, no_address: 0 },
    });
    await writeReviewFeedTo(shop.id, `${file}.gz`);
    expect(gunzipSync(readFileSync(`${file}.gz`)).toString()).toBe(readFileSync(file, "utf8"));
    for (const each of [file, `${file}.gz`])
      expect(await checkReviewFeedFrom(each)).toMatchObject({ valid: true, reviews: 1 });
    writeFileSync(`${file}.cut.gz`, gzipSync(readFileSync(file)).subarray(0, 100));
    await expect(checkReviewFeedFrom(`${file}.cut.gz`)).rejects.toMatchObject({ code: "invalid_field" });
    await expect(writeReviewFeedTo("nobody.example", file)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("helpers", () => {
  it.each([
    ["00000012345670", "12345670"],
    ["00012345678905", "012345678905"],
    ["04006381333931", "4006381333931"],
    ["14006381333938", "14006381333938"],
  ])("a GTIN %s is written %s", (gtin14, short) => expect(shortGtin(gtin14)).toBe(short));
});
