import { createHash, randomBytes } from "node:crypto";
import { reader } from "@/lib/bench/seed";
import { reviewJson } from "@/lib/reviews/serialize";
import { type ReviewLine, reviewPageQuery } from "@/lib/reviews/sql";
import { nextLink, pool, publicUrl, readCursor, type Serve, serve } from "./serve";

// How far Candor's own technique goes without Candor: its own statements and its own way from
// row to JSON, behind bare node:http.

/** PostgreSQL's `2026-01-31 08:00:00.123+00` as ISO text. */
const iso = (time: string) => new Date(time.replace(" ", "T").replace(/\+00$/, "Z")).toISOString();

const listReviews: Serve = async (url) => {
  const limit = Number(url.searchParams.get("limit") ?? 100);
  const after = url.searchParams.get("after");
  const [order = "reviews.created", began = null, ...key] = after === null ? [] : readCursor(after);
  const cursor = after === null ? null : { order, key, began };
  const { rows } = await pool.query<ReviewLine>(
    reviewPageQuery(reader.id, { limit, updated_after: undefined }, cursor),
  );
  const shown = rows.length > limit ? rows.slice(0, limit) : rows;
  const last = shown.at(-1);
  const links =
    rows.length > limit && last
      ? { next: nextLink(url, [order, began ?? iso(last[5] as string), iso(last[4]), last[1]]) }
      : {};
  const data = shown.map((line, index) => Buffer.from(`${index === 0 ? "" : ","}${reviewJson(line, portal)}`));
  return Buffer.concat([Buffer.from('{"data":['), ...data, Buffer.from(`],"links":${JSON.stringify(links)}}`)]);
};

const portal = { before: `${publicUrl}/portal/reviews/`, after: `?client_id=${reader.id}` };

const keys = new Map([[createHash("sha256").update(reader.secretKey).digest("base64"), reader.id]]);

/** A call that ends before any SQL, with what nobody can leave out: know the key, read the query, name the request. */
const refuse: Serve = (url, { headers }) => {
  const key = headers.authorization?.replace(/^Bearer /, "") ?? "";
  const known = keys.has(createHash("sha256").update(key).digest("base64"));
  const field = Number(url.searchParams.get("limit")) >= 1 ? null : "limit";
  const message = "limit must be a whole number of at least 1.";
  return {
    status: known ? 400 : 401,
    body: JSON.stringify({ errors: [{ code: "invalid_parameter", message, field }] }),
    headers: { "x-request-id": randomBytes(8).toString("hex"), "cache-control": "no-store" },
  };
};

serve({
  "GET /": () => "{}",
  "GET /v1/reviews": (url, request) => (url.searchParams.get("limit") === "0" ? refuse : listReviews)(url, request),
});
