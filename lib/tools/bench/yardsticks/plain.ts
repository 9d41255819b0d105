import { randomBytes } from "node:crypto";
import { loadProductSummary } from "@/lib/display/show-product-summary";
import { type CurrentDisplay, lookUpDisplay } from "@/lib/display/versions";
import { imageObjects } from "@/lib/reviews/uploads/image-objects";
import type { StoredImage } from "@/lib/reviews/uploads/schema";
import { readerClient, writerClient } from "@/lib/tools/bench/seed";
import { nextLink, pool, publicUrl, readBody, readCursor, serve, withEtag, type YardstickHandler } from "./serve";

// What a careful engineer writes by hand: a parameterized query on the right index, rows from `pg` as objects,
// JSON.stringify. Writes are one autocommitted insert into a table equal to `reviews` or `orders`, without its
// triggers.

type Row = Record<string, unknown> & {
  id: string;
  images: StoredImage[];
  created_at: Date;
  updated_at: Date;
  accepted_at: Date | null;
};

const columns = `id, external_id, author, score, date::text, extract, pros, cons, lang, verified_buyer, votes_up, votes_down,
  product_name, responses, images, title, recommended, answers, family_id, product_id, order_id, customer_id, category,
  updated_at, accepted, accepted_at, reject_reason, verified_email, author_email, created_at, now() as read_at`;

const seconds = (moment: Date) => `${moment.toISOString().slice(0, 19)}Z`;

const toReview = (row: Row) => ({
  id: row.id,
  external_id: row.external_id,
  type: "customer",
  author: row.author,
  score: row.score,
  score_max: 5,
  date: row.date,
  extract: row.extract,
  pros: row.pros,
  cons: row.cons,
  lang: row.lang,
  verified_buyer: row.verified_buyer,
  votes_up: row.votes_up,
  votes_down: row.votes_down,
  product: row.product_name,
  responses: row.responses,
  properties: {
    ...(row.answers as object),
    ...(row.title === null ? {} : { title: row.title }),
    ...(row.recommended === null ? {} : { recommended: row.recommended }),
  },
  family_ids: row.family_id === null ? [] : [row.family_id],
  product_ids: row.product_id === null ? [] : [row.product_id],
  order_id: row.order_id,
  customer_id: row.customer_id,
  category: row.category,
  updated_at: seconds(row.updated_at),
  accepted: row.accepted,
  accepted_at: row.accepted_at && seconds(row.accepted_at),
  reject_reason: row.reject_reason,
  verified_email: row.verified_email,
  author_email: row.author_email,
  images: imageObjects(row.images, { signed: row.accepted !== true }),
  portal_url: `${publicUrl}/portal/reviews/${row.id}?client_id=${readerClient.id}`,
});

const listReviews: YardstickHandler = async (url) => {
  const limit = Number(url.searchParams.get("limit") ?? 100);
  const after = url.searchParams.get("after");
  const [order, began, time, id] = after === null ? ["reviews.created"] : readCursor(after);
  const { rows } = await pool.query<Row & { read_at: Date }>(
    after === null
      ? {
          name: "first",
          text: `select ${columns} from reviews where client_id = $1 order by created_at, id limit $2`,
          values: [readerClient.id, limit + 1],
        }
      : {
          name: "next",
          text: `select ${columns} from reviews where client_id = $1 and (created_at, id) > ($2::timestamptz, $3)
                   and created_at <= $4::timestamptz order by created_at, id limit $5`,
          values: [readerClient.id, time, id, began, limit + 1],
        },
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const links =
    rows.length > limit && last
      ? { next: nextLink(url, [order, began ?? last.read_at.toISOString(), last.created_at.toISOString(), last.id]) }
      : {};
  return JSON.stringify({ data: page.map(toReview), links });
};

type ScoreCounts = { count: number; sum: number; c1: number; c2: number; c3: number; c4: number; c5: number };
type SummaryRow = ScoreCounts & { id: string; family_id: string; title: string; brand: string | null };

const mean = (sum: number, count: number) => (count === 0 ? null : Math.round((100 * sum) / count) / 100);

const toSummary = ({ id, family_id, title, brand, count, sum, c1, c2, c3, c4, c5 }: SummaryRow) => ({
  id,
  family_id,
  title,
  brand,
  your_review_count: count,
  your_avg_score: mean(sum, count),
  pro_review_count: 0,
  user_review_count: 0,
  score: mean(2 * sum, count),
  your_score_dist: [c1, c2, c3, c4, c5],
  your_review_answers: null,
});

/** For a client without external ratings. */
const listSummaries: YardstickHandler = async (url) => {
  const limit = Number(url.searchParams.get("limit") ?? 100);
  const after = url.searchParams.get("after");
  const { rows } = await pool.query<SummaryRow>({
    name: "summaries",
    text: `select p.id, p.family_id, p.name as title, p.brand, coalesce(s.count, 0) as count, coalesce(s.sum, 0) as sum,
                  coalesce(s.c1, 0) as c1, coalesce(s.c2, 0) as c2, coalesce(s.c3, 0) as c3, coalesce(s.c4, 0) as c4,
                  coalesce(s.c5, 0) as c5
             from products p left join product_summaries s on s.client_id = p.client_id and s.product_id = p.id
            where p.client_id = $1 and p.id > $2 and (not p.deleted or s.count > 0) order by p.id limit $3`,
    values: [readerClient.id, after === null ? "" : readCursor(after)[2], limit + 1],
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const links = last ? { next: nextLink(url, ["summaries.product", null, last.id]) } : {};
  return JSON.stringify({ data: page.map(toSummary), links });
};

/** The minimum that returns the same: checks no key and reads nothing. */
const invalidQueryResponse = {
  status: 400,
  body: `{"errors":[{"code":"invalid_parameter","message":"limit must be a whole number of at least 1.","field":"limit"}]}`,
};

/** Runs the display's SQL on every request. */
const display: YardstickHandler = async (url, request) => {
  const lookup = {
    clientId: readerClient.id,
    key: url.searchParams.get("key"),
    urlKey: url.searchParams.get("url_key"),
  };
  const display = (await lookUpDisplay(lookup, pool)) as CurrentDisplay;
  return withEtag(request, Buffer.from(JSON.stringify(await loadProductSummary(pool, lookup, display))));
};

/** For a client without external ratings. */
const ratings: YardstickHandler = async (url, request) => {
  const keys = url.searchParams.getAll("key");
  const { rows } = await pool.query<ScoreCounts & { product_id: string }>({
    name: "ratings",
    text: `select product_id, count, sum, c1, c2, c3, c4, c5 from product_summaries
            where client_id = $1 and product_id = any($2)`,
    values: [readerClient.id, keys],
  });
  const found = new Map(rows.map((row) => [row.product_id, row]));
  const rated = keys.map((key) => {
    const { count, sum, c1, c2, c3, c4, c5 } = found.get(key) ?? {
      count: 0,
      sum: 0,
      c1: 0,
      c2: 0,
      c3: 0,
      c4: 0,
      c5: 0,
    };
    return {
      key,
      url_key: null,
      score: mean(2 * sum, count),
      your_review_count: count,
      your_avg_score: mean(sum, count),
      your_score_dist: [c1, c2, c3, c4, c5],
      pro_review_count: 0,
      user_review_count: 0,
    };
  });
  return withEtag(request, Buffer.from(JSON.stringify({ ratings: rated })));
};

/** Writes only the vote's row: no lookup of an earlier vote, no counters. */
const vote: YardstickHandler = async ({ pathname }, request) => {
  const form = new URLSearchParams(await readBody(request));
  await pool.query({
    name: "vote",
    text: `insert into plain_votes (client_id, review_id, voter, value)
           select client_id, id, $2, $3 from reviews where feedback_token = $1`,
    values: [pathname.split("/").at(-1), form.get("voter_id"), form.get("type") === "up" ? 1 : -1],
  });
  return { status: 204, body: null };
};

type ReviewInput = {
  author: string;
  author_email: string;
  score: number;
  title?: string | null;
  pros: string[];
  cons: string[];
};

const insertReview = (source: "collect" | "api", productId: string, extract: string, review: ReviewInput) =>
  pool.query({
    name: "insert",
    text: `insert into plain_reviews (client_id, id, source, product_id, author, author_email, email_key, score, title, extract,
             pros, cons, lang, date, feedback_token)
           values ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10, $11, 'en', current_date, $12)`,
    values: [
      writerClient.id,
      randomBytes(8).toString("hex"),
      source,
      productId,
      review.author,
      review.author_email,
      review.score,
      review.title,
      extract,
      review.pros,
      review.cons,
      randomBytes(16).toString("base64url"),
    ],
  });

const submit: YardstickHandler = async (_, request) => {
  const { api_key, ...echo } = JSON.parse(await readBody(request));
  await insertReview("collect", echo.product_id, echo.content, echo);
  return { status: 201, body: JSON.stringify(echo) };
};

const postReview: YardstickHandler = async (_, request) => {
  const { review } = JSON.parse(await readBody(request));
  await insertReview("api", review.order.item.id, review.extract, review);
  return { status: 201, body: JSON.stringify({ data: review }) };
};

/** Writes only the order's row, without customer and items. */
const submitOrder: YardstickHandler = async (_, request) => {
  const { order } = JSON.parse(await readBody(request));
  await pool.query({
    name: "insert-order",
    text: "insert into plain_orders (client_id, id, customer_id, store_name) values ($1, $2, $3, $4)",
    values: [writerClient.id, order.id, order.customer.id, order.store_name],
  });
  return JSON.stringify({ data: [order] });
};

serve({
  "GET /": () => "{}",
  "GET /v1/reviews": (url, request) =>
    url.searchParams.get("limit") === "0" ? invalidQueryResponse : listReviews(url, request),
  [`GET /onpage/${readerClient.id}/reviews.json`]: display,
  [`GET /onpage/${readerClient.id}/ratings.json`]: ratings,
  "GET /v1/summaries": listSummaries,
  "POST /collect/feedback/": vote,
  "POST /collect/reviews": submit,
  "POST /v1/orders": submitOrder,
  "POST /v1/reviews": postReview,
});
