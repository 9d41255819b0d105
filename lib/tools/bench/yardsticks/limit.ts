import { createHash, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type ClientRow, readClient } from "@/lib/accounts/stores/get-client";
import { listSummaries } from "@/lib/catalog/summaries/list-summaries";
import { rate } from "@/lib/display/show-ratings";
import { summarize } from "@/lib/display/show-summary";
import { lookUp, type Shown } from "@/lib/display/versions";
import { postOrder } from "@/lib/orders/post-order";
import { batch } from "@/lib/platform/db/batch";
import { writePool } from "@/lib/platform/db/pool";
import { etagOf } from "@/lib/platform/http/etag";
import { rawPage } from "@/lib/platform/http/reply";
import { contributionJson, contributionParts } from "@/lib/reviews/contributions/serialize";
import { type Line, pageQuery } from "@/lib/reviews/contributions/sql";
import { insertReviews, type NewReview } from "@/lib/reviews/reviews/insert-reviews";
import { type Imported, type ImportedLine, insertImported } from "@/lib/reviews/reviews/write-sql";
import type { Inserted } from "@/lib/reviews/submissions/insert-submissions";
import { giveFeedback } from "@/lib/reviews/votes/give-feedback";
import { reader, writer } from "@/lib/tools/bench/seed";
import { nextLink, pool, publicUrl, readBody, readCursor, type Serve, serve, tagged } from "./serve";

// How far Candor's own technique goes without Candor: its own statements and its own way from
// row to JSON, behind bare node:http.

/** PostgreSQL's `2026-01-31 08:00:00.123+00` as ISO text. */
const iso = (time: string) => new Date(time.replace(" ", "T").replace(/\+00$/, "Z")).toISOString();

const listReviews: Serve = async (url) => {
  const limit = Number(url.searchParams.get("limit") ?? 100);
  const after = url.searchParams.get("after");
  const [order = "reviews.created", began = null, ...key] = after === null ? [] : readCursor(after);
  const cursor = after === null ? null : { order, key, began };
  const { rows } = await pool.query<Line>(pageQuery("reviews", reader.id, { limit }, cursor));
  const shown = rows.length > limit ? rows.slice(0, limit) : rows;
  const last = shown.at(-1);
  const next =
    rows.length > limit && last
      ? nextLink(url, [order, began ?? iso(last[5] as string), iso(last[4]), last[1]])
      : undefined;
  return rawPage(
    shown.map((line) => contributionParts(line, portal)),
    next,
  ).text as Buffer;
};

const portal = { before: `${publicUrl}/portal/reviews/`, after: `?client_id=${reader.id}` };

const keys = new Map([[createHash("sha256").update(reader.secretKey).digest("base64"), reader.id]]);

/** The client as Candor's own look-up of the key has it. */
const readerRow = readClient(pool, reader.id) as Promise<ClientRow>;
const summaries: Serve = async (url) => {
  const { limit, after } = Object.fromEntries(url.searchParams);
  const filter = { client_id: reader.id, by_family: false, limit: Number(limit ?? 100), after };
  return JSON.stringify(await listSummaries(await readerRow, filter, url));
};

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

/** Ready answers, good as long as the version that is looked up for every hit; look-ups of a moment go together. */
const answers = new LRUCache<string, { version: string; body: Buffer<ArrayBuffer>; etag: string }>({ max: 10_000 });
const display: Serve = async (url, request) => {
  const asked = { clientId: reader.id, key: url.searchParams.get("key"), urlKey: url.searchParams.get("url_key") };
  const shown = (await lookUp(asked)) as Shown;
  const key = url.search;
  let answer = answers.get(key);
  if (answer?.version !== shown.figures) {
    const body = Buffer.from(JSON.stringify(await summarize(pool, asked, shown)));
    answer = { version: shown.figures, body, etag: etagOf(body) };
    answers.set(key, answer);
  }
  return tagged(request, answer.body, answer.etag);
};

const ratings: Serve = async (url, request) => {
  const rated = await rate(reader.id, url.searchParams.getAll("key"), []);
  return tagged(request, Buffer.from(JSON.stringify({ ratings: rated })));
};

/** Candor's statements; the address is not judged. */
const vote: Serve = async ({ pathname }, request) => {
  const form = new URLSearchParams(await readBody(request));
  const given = {
    type: form.get("type") === "up" ? ("up" as const) : ("down" as const),
    voter_id: form.get("voter_id") ?? "",
  };
  await giveFeedback(pathname.split("/").at(-1) ?? "", given, { address: "127.0.0.1", origin: null });
  return { status: 204, body: null };
};

/** Candor's statement, committed in groups, without anything that judges what is submitted. */
const commit = batch<NewReview, Inserted>("bench-reviews", (reviews) => insertReviews(pool, reviews));
const submit: Serve = async (_, request) => {
  const { api_key, ...echo } = JSON.parse(await readBody(request));
  await commit({
    client_id: echo.client_id,
    id: randomBytes(8).toString("hex"),
    fingerprint: randomBytes(16).toString("base64url"),
    source: "collect",
    product_id: echo.product_id,
    family_id: null,
    product_name: null,
    product_url: null,
    category: null,
    author: echo.author,
    author_email: echo.author_email,
    email_key: echo.author_email,
    author_ip: null,
    score: echo.score,
    title: echo.title ?? null,
    extract: echo.content,
    pros: echo.pros,
    cons: echo.cons,
    recommended: null,
    answers: {},
    lang: "en",
    date: new Date().toISOString().slice(0, 10),
    order_id: null,
    customer_id: null,
    invitation_id: null,
    verified_buyer: false,
    verified_email: false,
    verification: null,
    terms_agreed_at: null,
    terms_version: null,
    feedback_token: randomBytes(16).toString("base64url"),
    images: [],
    clock_at: null,
  });
  return { status: 201, body: JSON.stringify(echo) };
};

/** Candor's statements and its answer, of a request that nobody has judged. */
const submitOrder: Serve = async (_, request) => {
  const { order } = JSON.parse(await readBody(request));
  return `{"data":[${await postOrder({ id: writer.id }, order)}]}`;
};

/** The same for reviews from elsewhere, in groups as Candor has them. */
const bring = batch<Imported, ImportedLine | null>("bench-brought", (all) => insertImported(writePool(), all));
const bringReview: Serve = async (_, request) => {
  const { review } = JSON.parse(await readBody(request));
  const line = await bring({
    review: {
      client_id: writer.id,
      id: randomBytes(8).toString("hex"),
      source: "api",
      external_id: null,
      product_id: review.order.item.id,
      family_id: null,
      product_name: null,
      product_url: null,
      category: null,
      author: review.author,
      author_email: review.author_email,
      email_key: review.author_email,
      score: review.score,
      title: review.title,
      extract: review.extract,
      pros: review.pros,
      cons: review.cons,
      recommended: null,
      answers: {},
      lang: "en",
      date: new Date().toISOString().slice(0, 10),
      order_id: null,
      customer_id: null,
      verified_buyer: false,
      verified_email: false,
      accepted: null,
      reject_reason: null,
      feedback_token: randomBytes(16).toString("base64url"),
      actor_kind: "key",
      actor_id: `key_${writer.id}`,
      clock_at: null,
    },
    order: null,
  });
  if (!line) throw new Error("A review without an external id was not stored.");
  return { status: 201, body: `{"data":${contributionJson(line, broughtPortal)}}` };
};
const broughtPortal = { ...portal, after: `?client_id=${writer.id}` };

serve({
  "GET /": () => "{}",
  "GET /v1/reviews": (url, request) => (url.searchParams.get("limit") === "0" ? refuse : listReviews)(url, request),
  [`GET /onpage/${reader.id}/reviews.json`]: display,
  [`GET /onpage/${reader.id}/ratings.json`]: ratings,
  "GET /v1/summaries": summaries,
  "POST /collect/feedback/": vote,
  "POST /collect/reviews": submit,
  "POST /v1/orders": submitOrder,
  "POST /v1/reviews": bringReview,
});
