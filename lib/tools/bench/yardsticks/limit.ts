import { createHash, randomBytes, randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type ClientRow, readClient } from "@/lib/accounts/stores/get-client";
import { listSummaries } from "@/lib/catalog/summaries/list-summaries";
import { loadProductSummary } from "@/lib/display/show-product-summary";
import { loadRatings } from "@/lib/display/show-ratings-of-products";
import { type CurrentDisplay, lookUpDisplay } from "@/lib/display/versions";
import { postOrder } from "@/lib/orders/post-order";
import { batch } from "@/lib/platform/db/batch";
import { writePool } from "@/lib/platform/db/pool";
import { etagOf } from "@/lib/platform/http/etag";
import { rawPage } from "@/lib/platform/http/reply";
import { contributionJson, contributionParts } from "@/lib/reviews/contributions/serialize";
import { type ContributionLine, pageQuery } from "@/lib/reviews/contributions/sql";
import { insertReviews, type NewReview } from "@/lib/reviews/reviews/insert-reviews";
import { insertImportedReviews, type ReviewToImport, type StoredReviewLine } from "@/lib/reviews/reviews/write-sql";
import type { InsertedSubmission } from "@/lib/reviews/submissions/insert-submissions";
import { giveFeedback } from "@/lib/reviews/votes/give-feedback";
import { readerClient, writerClient } from "@/lib/tools/bench/seed";
import { nextLink, pool, publicUrl, readBody, readCursor, serve, withEtag, type YardstickHandler } from "./serve";

// The upper limit of Candor's own technique: its SQL and its row-to-JSON conversion, behind bare node:http.

/** PostgreSQL's `2026-01-31 08:00:00.123+00` as ISO text. */
const iso = (time: string) => new Date(time.replace(" ", "T").replace(/\+00$/, "Z")).toISOString();

const listReviews: YardstickHandler = async (url) => {
  const limit = Number(url.searchParams.get("limit") ?? 100);
  const after = url.searchParams.get("after");
  const [order = "reviews.created", startedAt = null, ...key] = after === null ? [] : readCursor(after);
  const cursor = after === null ? null : { order, key, startedAt };
  const { rows } = await pool.query<ContributionLine>(pageQuery("reviews", readerClient.id, { limit }, cursor));
  const page = rows.length > limit ? rows.slice(0, limit) : rows;
  const last = page.at(-1);
  const next =
    rows.length > limit && last
      ? nextLink(url, [order, startedAt ?? iso(last[5] as string), iso(last[4]), last[1]])
      : undefined;
  return rawPage(
    page.map((line) => contributionParts(line, portalUrl)),
    next,
  ).text as Buffer;
};

const portalUrl = { before: `${publicUrl}/portal/reviews/`, after: `?client_id=${readerClient.id}` };

const keys = new Map([[createHash("sha256").update(readerClient.secretKey).digest("base64"), readerClient.id]]);

/** The client, loaded as Candor's key lookup does. */
const readerRow = readClient(pool, readerClient.id) as Promise<ClientRow>;
const summaries: YardstickHandler = async (url) => {
  const { limit, after } = Object.fromEntries(url.searchParams);
  const filter = { client_id: readerClient.id, by_family: false, limit: Number(limit ?? 100), after };
  return JSON.stringify(await listSummaries(await readerRow, filter, url));
};

/** A request rejected before any SQL, with the required minimum: verify the key, parse the query, set a request id. */
const rejectInvalidQuery: YardstickHandler = (url, { headers }) => {
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

/** Cached responses, valid for one version, which is looked up for every hit. Concurrent lookups are batched. */
const answers = new LRUCache<string, { version: string; body: Buffer<ArrayBuffer>; etag: string }>({ max: 10_000 });
const display: YardstickHandler = async (url, request) => {
  const lookup = {
    clientId: readerClient.id,
    key: url.searchParams.get("key"),
    urlKey: url.searchParams.get("url_key"),
  };
  const display = (await lookUpDisplay(lookup)) as CurrentDisplay;
  const key = url.search;
  let answer = answers.get(key);
  if (answer?.version !== display.figures) {
    const body = Buffer.from(JSON.stringify(await loadProductSummary(pool, lookup, display)));
    answer = { version: display.figures, body, etag: etagOf(body) };
    answers.set(key, answer);
  }
  return withEtag(request, answer.body, answer.etag);
};

const ratings: YardstickHandler = async (url, request) => {
  const rated = await loadRatings(readerClient.id, url.searchParams.getAll("key"), []);
  return withEtag(request, Buffer.from(JSON.stringify({ ratings: rated })));
};

/** Candor's statements, without validation. */
const vote: YardstickHandler = async ({ pathname }, request) => {
  const form = new URLSearchParams(await readBody(request));
  const given = {
    type: form.get("type") === "up" ? ("up" as const) : ("down" as const),
    voter_id: form.get("voter_id") ?? "",
  };
  await giveFeedback(pathname.split("/").at(-1) ?? "", given, { address: "127.0.0.1", origin: null });
  return { status: 204, body: null };
};

/** Candor's statement with group commit, without validation. */
const insertBatched = batch<NewReview, InsertedSubmission>("bench-reviews", (reviews) => insertReviews(pool, reviews));
const submit: YardstickHandler = async (_, request) => {
  const { api_key, ...echo } = JSON.parse(await readBody(request));
  await insertBatched({
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
    incentivized: false,
    verification: null,
    terms_agreed_at: null,
    terms_version: null,
    feedback_token: randomBytes(16).toString("base64url"),
    salt: randomUUID(),
    images: [],
    clock_at: null,
  });
  return { status: 201, body: JSON.stringify(echo) };
};

/** Candor's statements and response, without validation. */
const postOrderHandler: YardstickHandler = async (_, request) => {
  const { order } = JSON.parse(await readBody(request));
  return `{"data":[${await postOrder({ id: writerClient.id }, order)}]}`;
};

/** The same for imported reviews, batched as in Candor. */
const importReview = batch<ReviewToImport, StoredReviewLine | null>("bench-brought", (all) =>
  insertImportedReviews(writePool(), all),
);
const postReview: YardstickHandler = async (_, request) => {
  const { review } = JSON.parse(await readBody(request));
  const line = await importReview({
    review: {
      client_id: writerClient.id,
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
      incentivized: false,
      accepted: null,
      reject_reason: null,
      feedback_token: randomBytes(16).toString("base64url"),
      salt: randomUUID(),
      actor_kind: "key",
      actor_id: `key_${writerClient.id}`,
      clock_at: null,
    },
    order: null,
  });
  if (!line) throw new Error("A review without an external id was not stored.");
  return { status: 201, body: `{"data":${contributionJson(line, writerPortalUrl)}}` };
};
const writerPortalUrl = { ...portalUrl, after: `?client_id=${writerClient.id}` };

serve({
  "GET /": () => "{}",
  "GET /v1/reviews": (url, request) =>
    (url.searchParams.get("limit") === "0" ? rejectInvalidQuery : listReviews)(url, request),
  [`GET /onpage/${readerClient.id}/reviews.json`]: display,
  [`GET /onpage/${readerClient.id}/ratings.json`]: ratings,
  "GET /v1/summaries": summaries,
  "POST /collect/feedback/": vote,
  "POST /collect/reviews": submit,
  "POST /v1/orders": postOrderHandler,
  "POST /v1/reviews": postReview,
});
