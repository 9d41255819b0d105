import { expect, it } from "vitest";
import { oauth1Header, percentEncoded, queryOf } from "./sign-oauth1";

const keys = {
  consumer_key: "c".repeat(32),
  consumer_secret: "k".repeat(32),
  access_token: "t".repeat(32),
  token_secret: "s".repeat(32),
};

it("signs the known example like other implementations", () => {
  const filter = "searchCriteria[filter_groups][0][filters][0]";
  const header = oauth1Header(
    keys,
    "GET",
    new URL("https://shop.test/rest/default/V1/orders"),
    [
      [`${filter}[field]`, "updated_at"],
      [`${filter}[value]`, "2026-01-02 03:04:05"],
      [`${filter}[condition_type]`, "gteq"],
      ["searchCriteria[pageSize]", "50"],
      ["searchCriteria[currentPage]", "1"],
    ],
    { nonce: "n1", timestamp: 1_700_000_000 },
  );
  expect(header).toContain(`oauth_signature="${percentEncoded("rylTbwbUNyFYskFQLvKR8crl1a1KJgNtMC0N0TJYx4s=")}"`);
  expect(header).toMatch(/^OAuth oauth_consumer_key="c{32}", oauth_nonce="n1", oauth_signature_method="HMAC-SHA256"/);
});

it("never reuses a nonce", () => {
  const url = new URL("https://shop.test/rest/V1/orders");
  const nonces = Array.from({ length: 50 }, () => /oauth_nonce="(\w+)"/.exec(oauth1Header(keys, "GET", url, []))?.[1]);
  expect(new Set(nonces).size).toBe(50);
});

it("encodes queries so that the store parses what was signed", () => {
  // The store splits at `&`, drops pairs that don't have exactly one `=`, and decodes `+` as a space.
  const query = queryOf([
    ["a b[0]", "1 + 1 = 2 & more (*!')"],
    ["å", "ö%"],
  ]);
  expect(query).toBe("a%20b%5B0%5D=1%20%2B%201%20%3D%202%20%26%20more%20%28%2A%21%27%29&%C3%A5=%C3%B6%25");
  for (const pair of query.split("&")) expect(pair.split("=")).toHaveLength(2);
});
