import { expect, it } from "vitest";
import * as exports from "@/app/portal/api/v1/library/export/route";
import { call } from "@/lib/tools/test/call";
import {
  aClient,
  aMember,
  rowsOf,
  someProducts,
  someQuestions,
  someReviews,
  type TestClient,
} from "@/lib/tools/test/factories";

const PATH = "/portal/api/v1/library/export";

const exported = async (client: TestClient, query: string, role: "viewer" | "moderator" | "admin" = "admin") =>
  call(exports, "GET", `${PATH}?client_id=${client.id}&${query}`, await aMember(client, role));
const rowsIn = (text: string) => text.trimEnd().split("\n");

it("contains exactly the rows of the filter, in the order of the list", async () => {
  const client = await aClient();
  const [low, high, other] = await someReviews(client.id, [
    { score: 1, lang: "en", date: "2026-01-01", extract: 'Broke, "badly"\nand soon.' },
    { score: 4, lang: "en", date: "2026-01-02", extract: "=1+1" },
    { score: 5, lang: "sv" },
  ]);
  const csv = await exported(client, "lang=en&sort=lowest");
  expect([csv.status, csv.headers.get("candor-total"), csv.headers.get("content-disposition")]).toEqual([
    200,
    "2",
    'attachment; filename="reviews.csv"',
  ]);
  expect(csv.text).toMatch(new RegExp(`^id,[^\\n]*\\n${low},[^]*\\n${high},`));
  expect(csv.text).toContain('"Broke, ""badly""\nand soon."');
  expect(csv.text).toContain("'=1+1");
  expect(csv.text).not.toContain(other);
  const jsonl = await exported(client, "format=jsonl&sort=oldest");
  expect(jsonl.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
  expect(rowsIn(jsonl.text).map((line) => JSON.parse(line).id)).toEqual([low, high, other]);
});

it("is filtered by brand and category of the catalog", async () => {
  const client = await aClient();
  await someProducts(client.id, [
    { id: "lamp", brand: "Lanterna", category: "Lamps" },
    { id: "wick", brand: "Lanterna", category: "Wicks" },
  ]);
  const [, wick] = await someReviews(client.id, [{ product_id: "lamp" }, { product_id: "wick" }]);
  const { text } = await exported(client, "format=jsonl&brand=lanterna&category=wicks");
  expect(rowsIn(text).map((line) => JSON.parse(line).id)).toEqual([wick]);
});

it("contains only the selected rows, and no rows of other stores", async () => {
  const [client, foreign] = [await aClient(), await aClient()];
  const [one, two] = await someReviews(client.id, [{}, {}, {}]);
  const [theirs] = await someReviews(foreign.id, [{}]);
  const { text } = await exported(client, `format=jsonl&ids=${one},${two},${theirs}`);
  expect(new Set(rowsIn(text).map((line) => JSON.parse(line).id))).toEqual(new Set([one, two]));
  expect((await exported(client, "ids=,")).status).toBe(400);
});

it.each(["kind=question&stars=1&verified=1&score_change=up&sort=lowest", "kind=seller_review&product=p&brand=b"])(
  "ignores filters that don't apply to the kind: %s",
  async (query) => {
    const client = await aClient();
    expect((await exported(client, query)).status).toBe(200);
  },
);

it("has many rows without gaps or repeats", async () => {
  const client = await aClient();
  const ids = await someQuestions(
    client.id,
    Array.from({ length: 450 }, () => ({})),
  );
  const { text } = await exported(client, "kind=question&format=jsonl");
  expect(
    rowsIn(text)
      .map((line) => JSON.parse(line).id)
      .sort(),
  ).toEqual([...ids].sort());
});

it("leaves out addresses and customers for people who may not see personal data, and is audited", async () => {
  const client = await aClient();
  await someReviews(client.id, [{ author_email: "ada@example.org", email_key: "ada@example.org", customer_id: "c-1" }]);
  const [seen, hidden] = await Promise.all(
    (["moderator", "viewer"] as const).map(async (role) =>
      JSON.parse((await exported(client, "format=jsonl", role)).text),
    ),
  );
  expect([seen.author_email, seen.customer_id]).toEqual(["ada@example.org", "c-1"]);
  expect([hidden.author_email, hidden.customer_id, hidden.author]).toEqual([null, null, "Ada"]);
  expect(
    await rowsOf("select action, detail from audit_entries where client_id = $1 and action = 'reviews.exported'", [
      client.id,
    ]),
  ).toEqual([
    { action: "reviews.exported", detail: { format: "jsonl", items: 1 } },
    { action: "reviews.exported", detail: { format: "jsonl", items: 1 } },
  ]);
});
