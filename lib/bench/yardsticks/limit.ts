import { createHash, randomBytes } from "node:crypto";
import { reader } from "@/lib/bench/seed";
import { nextLink, pool, publicUrl, readCursor, type Serve, serve } from "./serve";

// How far Candor's own technique goes without Candor: the same statements, the same rows passed on as text, behind bare
// node:http.

type Line = [body: string, id: string, images: string, accepted: string | null, sortTime: string, readAt: string];

const asText = { getTypeParser: () => (value: string) => value };
const columns = "body, id, images, accepted, created_at, now()::timestamptz(3)";
/** PostgreSQL's `2026-01-31 08:00:00.123+00` as ISO text. */
const iso = (time: string) => new Date(time.replace(" ", "T").replace(/\+00$/, "Z")).toISOString();

const listReviews: Serve = async (url) => {
  const limit = Number(url.searchParams.get("limit") ?? 100);
  const after = url.searchParams.get("after");
  const [order = "reviews.created", began, time, id] = after === null ? [] : readCursor(after);
  const { rows } = await pool.query<Line>({
    ...(after === null
      ? {
          name: "first",
          text: `select ${columns} from reviews where client_id = $1 order by created_at, id limit $2`,
          values: [reader.id, limit + 1],
        }
      : {
          name: "next",
          text: `select ${columns} from reviews where client_id = $1 and (created_at, id) > ($2::timestamptz, $3)
                   and created_at <= $4::timestamptz order by created_at, id limit $5`,
          values: [reader.id, time, id, began, limit + 1],
        }),
    rowMode: "array",
    types: asText,
  });
  const shown = rows.length > limit ? rows.slice(0, limit) : rows;
  const last = shown.at(-1);
  const links =
    rows.length > limit && last ? { next: nextLink(url, [order, began ?? iso(last[5]), iso(last[4]), last[1]]) } : {};
  const before = `"portal_url":"${publicUrl}/portal/reviews/`;
  const data = shown.map(([body, id, images]) => `${body},"images":${images},${before}${id}?client_id=${reader.id}"}`);
  return `{"data":[${data.join(",")}],"links":${JSON.stringify(links)}}`;
};

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
