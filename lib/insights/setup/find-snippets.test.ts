import { expect, it } from "vitest";
import { snippetOf } from "@/components/settings/snippet";
import { findSnippets } from "@/lib/insights/setup/find-snippets";

const PAGE = "https://shop.example/lamp";
const find = (html: string, publicUrl = "https://reviews.example") =>
  findSnippets(html, PAGE, [publicUrl, "https://own.example"]);
const script = (attributes: string) => `<html><head><script ${attributes}></script></head></html>`;
const own = { clientId: "shop.example", productId: "LAMP" };

it("finds the snippet as the portal shows it", () => {
  const snippet = snippetOf({
    origin: "https://reviews.example",
    clientId: "Ö & co",
    parts: ["reviews"],
    language: "de",
  });
  expect(find(`<body>${snippet}</body>`)).toEqual([{ clientId: "Ö & co", productId: "PRODUCT-ID" }]);
});

it.each([
  ['async src="https://reviews.example/onpage/shop.example/head.js" data-product-id="LAMP"'],
  ["data-product-id='LAMP' src='//reviews.example/onpage/shop.example/head.js?lang=de&amp;x=1'"],
  ["src=https://reviews.example/onpage/shop.example/head.js data-product-id=LAMP defer"],
  ['src="https://own.example/onpage/shop.example/head.js" data-product-id="LAMP"'],
  ['DATA-PRODUCT-ID="LAMP" SRC = "https://reviews.example/onpage/shop%2Eexample/head.js" data-x="a>b"'],
  ['data-x="<script" src="https://reviews.example/onpage/shop.example/head.js" data-product-id="&#76;A&#x4d;P"'],
])("finds %s", (attributes) => expect(find(script(attributes))).toContainEqual(own));

it.each([
  "onpage/shop.example/head.js",
  "onpage/shop.example/prd.js",
  "onpage/shop.example/async.js",
  "badge/shop.example/head.js",
])("finds /%s, as in pages made for a hosted service", (path) => {
  expect(find(script(`src="https://reviews.example/${path}"`))).toEqual([
    { clientId: "shop.example", productId: null },
  ]);
});

it.each([
  ['src="https://reviews.example/badge/shop.example/prd.js"'],
  ['src="https://other.example/onpage/shop.example/head.js"'],
  ['src="https://reviews.example/onpage/shop.example/form.js"'],
  ['src="https://reviews.example/onpage/%E0%A4%A/head.js"'],
  ['data-src="https://reviews.example/onpage/shop.example/head.js"'],
  ['src="http://["'],
  [""],
])("ignores a script with %s", (attributes) => expect(find(script(attributes))).toEqual([]));

it("ignores snippets in comments", () => {
  const snippet = script('src="https://reviews.example/onpage/shop.example/head.js" data-product-id="LAMP"');
  expect(find(`<!-- ${snippet} -->`)).toEqual([]);
  expect(find(`<!-- old --> ${snippet}`)).toEqual([own]);
  expect(find(`${snippet}<!-- ${snippet}`)).toEqual([own]);
});

it("finds a script after letters that are longer in lower case", () => {
  const snippet = script('src="https://reviews.example/onpage/shop.example/head.js" data-product-id="LAMP"');
  expect(find(`<h1>${"İ".repeat(8)}</h1>${snippet}`)).toEqual([own]);
});

it("finds the scripts of all stores, and a product id that is missing or empty", () => {
  const tag = (id: string, more = "") => `<script src="/onpage/${id}/head.js"${more}></script>`;
  expect(find(tag("a") + tag("b", ' data-product-id=""'), "https://shop.example")).toEqual([
    { clientId: "a", productId: null },
    { clientId: "b", productId: "" },
  ]);
});

it("reads as many open elements as browsers nest", () => {
  const snippet = script('src="https://reviews.example/onpage/shop.example/head.js" data-product-id="LAMP"');
  expect(
    find("<br>".repeat(2_000) + "<p>".repeat(2_000) + "<b>a</b>".repeat(2_000) + "<b>".repeat(500) + snippet),
  ).toEqual([own]);
  expect(find("<b>".repeat(520) + snippet)).toEqual([]);
  expect(find(snippet + "<b>".repeat(520))).toEqual([own]);
});

it("reads a page of elements that are closed in another order", () => {
  expect(find("<b>".repeat(300_000) + "</i>".repeat(300_000))).toEqual([]);
});

it.each(["<script", "<!--", '<script a="', "<script src='", "<script =", "&amp", "<b>"])(
  "reads a page of %j in a moment",
  (text) => {
    const began = performance.now();
    expect(find(text.repeat(2_000_000 / text.length))).toEqual([]);
    expect(performance.now() - began).toBeLessThan(2_000);
  },
);
