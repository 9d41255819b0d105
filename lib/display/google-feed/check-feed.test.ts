import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkReviewFeed } from "@/lib/display/google-feed/check-feed";

async function* pieces(text: string | Uint8Array, size = 7) {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const check = (text: string | Uint8Array) => checkReviewFeed(pieces(text));
const findingsIn = async (text: string) => (await check(text)).errors.map(({ message }) => message);

/** One feed with all elements of the schema, and one with only the required ones. */
const full = `<review><review_id>14295</review_id>
  <reviewer><name is_anonymous="true">Anonymous</name><reviewer_id>509769</reviewer_id></reviewer>
  <is_verified_purchase>true</is_verified_purchase><is_incentivized_review>false</is_incentivized_review>
  <review_timestamp>2026-04-21T07:07:07Z</review_timestamp><title>Excellent</title><content>Warm &amp; bright.</content>
  <review_language>en</review_language><review_country>US</review_country>
  <pros><pro>Sleek</pro><pro>Light</pro></pros><cons><con>Cable</con></cons>
  <review_url type="singleton">https://shop.example/review/14295</review_url>
  <reviewer_images><reviewer_image><url>https://shop.example/a.jpg</url></reviewer_image></reviewer_images>
  <ratings><overall min="1" max="5">4.4</overall></ratings>
  <products><product><product_ids><gtins><gtin>4006381333931</gtin></gtins><mpns><mpn>60101</mpn></mpns><skus><sku>6206</sku></skus>
  <brands><brand>Lanterna</brand></brands><asins><asin>B07YMJ57MB</asin></asins></product_ids>
  <product_name>Lamp</product_name><product_url>https://shop.example/6206</product_url></product></products>
  <is_spam>false</is_spam><collection_method>post_fulfillment</collection_method><transaction_id>11198373</transaction_id></review>`;
const minimalReview = `<review><review_id>2</review_id><reviewer><name>Jane</name></reviewer><review_timestamp>2026-04-21T07:14:21+02:00</review_timestamp>
  <content>Sturdy.</content><review_url type="group">https://shop.example/p</review_url><ratings><overall min="1" max="5">3</overall></ratings>
  <products><product><product_url>https://shop.example/p</product_url></product></products></review>`;
const feed = (reviews: string, head = "<version>2.4</version><publisher><name>Shop</name></publisher>") =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns:vc="http://www.w3.org/2007/XMLSchema-versioning" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="http://www.google.com/shopping/reviews/schema/product/2.4/product_reviews.xsd">${head}${reviews && `<reviews>${reviews}</reviews>`}</feed>`;

describe("a check of a product-review feed", () => {
  it("finds nothing in a feed with all elements or only the required ones", async () => {
    const head = `<version>2.4</version><aggregator><name>A</name></aggregator><publisher><name>Shop</name><favicon>https://shop.example/i.png</favicon></publisher>`;
    expect(await check(feed(full + minimalReview, head))).toMatchObject({
      valid: true,
      reviews: 2,
      errors: [],
      scores: [0, 0, 1, 0, 0],
    });
    expect(await check(feed(""))).toMatchObject({ valid: true, reviews: 0 });
  });

  it.each<[string, string, string, string]>([
    [
      "another version",
      "<version>2.4</version>",
      "<version>2.3</version>",
      "<version> is “2.3”; Google only accepts version 2.4.",
    ],
    ["no version", "<version>2.4</version>", "", "<feed> is missing <version>."],
    ["no publisher's name", "<name>Shop</name>", "<name> </name>", "<name> is empty."],
    [
      "an element out of order",
      "<title>Excellent</title><content>Warm &amp; bright.</content>",
      "<content>x</content><title>Excellent</title>",
      "<title> must come before <content>.",
    ],
    [
      "an element twice",
      "<title>Excellent</title>",
      "<title>a</title><title>b</title>",
      "<title> appears in <review> more than once.",
    ],
    [
      "an unknown element",
      "<title>Excellent</title>",
      "<email>a@b.example</email>",
      "<email> isn’t allowed in <review>.",
    ],
    [
      "an element of another place",
      "<con>Cable</con>",
      "<con>Cable</con><pro>Cable</pro>",
      "<pro> isn’t allowed in <cons>.",
    ],
    ["an empty list", "<pros><pro>Sleek</pro><pro>Light</pro></pros>", "<pros></pros>", "<pros> is missing <pro>."],
    ["no content", "<content>Sturdy.</content>", "", "<review> is missing <content>."],
    ["empty content", "<content>Sturdy.</content>", "<content>\n</content>", "<content> is empty."],
    ["no review id", "<review_id>2</review_id>", "", "<review> is missing <review_id>."],
    [
      "a doubled review id",
      "<review_id>2</review_id>",
      "<review_id>14295</review_id>",
      "<review_id> is 14295, which an earlier review already has.",
    ],
    [
      "a day in place of a moment",
      "2026-04-21T07:14:21+02:00",
      "2026-04-21",
      "<review_timestamp> is “2026-04-21”, not a time such as 2026-05-04T09:30:12Z.",
    ],
    [
      "a day that does not exist",
      "2026-04-21T07:07:07Z",
      "2026-02-30T07:07:07Z",
      "<review_timestamp> is “2026-02-30T07:07:07Z”, not a time such as 2026-05-04T09:30:12Z.",
    ],
    [
      "a boolean in words",
      "<is_spam>false</is_spam>",
      "<is_spam>no</is_spam>",
      "<is_spam> is “no”, not true or false.",
    ],
    [
      "an unknown way of collecting",
      "post_fulfillment",
      "survey",
      "<collection_method> is “survey”, not unsolicited or post_fulfillment.",
    ],
    ["an address without a kind", ' type="singleton"', "", "<review_url> is missing the attribute type."],
    ["an unknown kind of address", 'type="singleton"', 'type="page"', "<review_url> has type=“page”."],
    [
      "an unknown attribute",
      "<title>",
      '<title lang="en">',
      "<title> has the attribute “lang”, which isn’t in the schema.",
    ],
    [
      "a relative address",
      "<product_url>https://shop.example/6206",
      "<product_url>/6206",
      "<product_url> is “/6206”, not a full URL.",
    ],
    ["stars in words", ">4.4<", ">four<", "<overall> is “four”, not a number."],
    ["stars beyond their scale", ">4.4<", ">5.5<", "<overall> is 5.5, which is outside its own min and max."],
    ["a scale that is none", 'min="1" max="5">3', 'min="one" max="5">3', "<overall> has min=“one”."],
    [
      "text between elements",
      "<reviewer><name>Jane",
      "<reviewer>by<name>Jane",
      "<reviewer> contains text, but only elements are allowed there.",
    ],
    ["no product", /<products>.*?<\/products>/s.exec(minimalReview)![0], "", "<review> is missing <products>."],
  ])("finds %s", async (_, from, to, message) => {
    const invalid = feed(full + minimalReview).replace(from, to);
    expect(invalid).not.toBe(feed(full + minimalReview));
    expect(await findingsIn(invalid)).toEqual([message]);
  });

  it("stops at invalid XML, invalid UTF-8 or another root element", async () => {
    for (const broken of [
      feed(full).slice(0, -20),
      feed(full).replace("&amp;", "&"),
      feed(full).replace("Warm", "\u0001"),
      "",
      "{}",
    ]) {
      const [message, ...more] = await findingsIn(broken);
      expect(message).toMatch(/^The feed isn’t valid XML: /);
      expect(more).toEqual([]);
    }
    expect((await check(Uint8Array.of(0x3c, 0xff, 0xfe))).errors).toEqual([
      { line: 1, review: 0, message: "The feed isn’t UTF-8." },
    ]);
    expect(await findingsIn("<rss><channel/></rss>")).toEqual(["The root element <rss> isn’t <feed>."]);
    expect((await findingsIn(feed(full).replace("<feed", '<!DOCTYPE feed [<!ENTITY a "b">]><feed')))[0]).toMatch(
      /document type/,
    );
  });

  it("advises where Google's policies ask for more than the schema", async () => {
    const messages = full
      .replace("Excellent", "See www.other.example")
      .replace("4006381333931", "4006381333930")
      .replace("Sleek", "ask me@mail.example");
    const { valid, advice } = await check(feed(messages + minimalReview));
    expect(valid).toBe(true);
    expect(advice.map(({ review, message }) => [review, message])).toEqual([
      [1, "<title> contains a URL, which Google doesn’t allow."],
      [1, "<pro> contains an email address, which Google doesn’t allow."],
      [1, "GTIN 4006381333930 has the wrong length or check digit."],
      [2, "The product has neither a GTIN nor a brand with a part number, so Google may not recognize it."],
      [0, "Google shows stars once a feed has 50 reviews. This one has 2."],
    ]);
  });

  it("returns findings for any bytes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.constantFrom(feed(full)).chain((text) => fc.nat(text.length).map((at) => text.slice(0, at))),
        ),
        async (text) => {
          expect((await check(text)).valid).toBe(text === feed(full));
        },
      ),
      { numRuns: 300 },
    );
  });
});
