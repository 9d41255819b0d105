import { randomBytes } from "node:crypto";
import { reader } from "@/lib/bench/seed";
import { summarize } from "@/lib/display/show-summary";
import { lookUp, type Shown } from "@/lib/display/versions";
import { imageObjects } from "@/lib/uploads/image-objects";
import type { StoredImage } from "@/lib/uploads/schema";
import { nextLink, pool, publicUrl, readBody, readCursor, type Serve, serve, tagged } from "./serve";

// What a careful engineer writes by hand: a parameterised query on the right index, rows as `pg` gives them, objects,
// JSON.stringify. Writes are one autocommitted insert into a table equal to `reviews`, without its triggers.

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
  portal_url: `${publicUrl}/portal/reviews/${row.id}?client_id=${reader.id}`,
});

const listReviews: Serve = async (url) => {
  const limit = Number(url.searchParams.get("limit") ?? 100);
  const after = url.searchParams.get("after");
  const [order, began, time, id] = after === null ? ["reviews.created"] : readCursor(after);
  const { rows } = await pool.query<Row & { read_at: Date }>(
    after === null
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
        },
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const links =
    rows.length > limit && last
      ? { next: nextLink(url, [order, began ?? last.read_at.toISOString(), last.created_at.toISOString(), last.id]) }
      : {};
  return JSON.stringify({ data: shown.map(toReview), links });
};

/** The least that answers the same: no key is looked at, nothing is read. */
const refusal = {
  status: 400,
  body: `{"errors":[{"code":"invalid_parameter","message":"limit must be a whole number of at least 1.","field":"limit"}]}`,
};

/** The display as its SQL makes it, run on every hit. */
const display: Serve = async (url, request) => {
  const asked = { clientId: reader.id, key: url.searchParams.get("key"), urlKey: null };
  const shown = (await lookUp(asked, pool)) as Shown;
  return tagged(request, Buffer.from(JSON.stringify(await summarize(pool, asked, shown))));
};

const submit: Serve = async (_, request) => {
  const { api_key, ...echo } = JSON.parse(await readBody(request));
  await pool.query({
    name: "insert",
    text: `insert into plain_reviews (client_id, id, source, product_id, author, author_email, email_key, score, title, extract,
             pros, cons, lang, date, feedback_token)
           values ($1, $2, 'collect', $3, $4, $5, $5, $6, $7, $8, $9, $10, 'en', current_date, $11)`,
    values: [
      echo.client_id,
      randomBytes(8).toString("hex"),
      echo.product_id,
      echo.author,
      echo.author_email,
      echo.score,
      echo.title,
      echo.content,
      echo.pros,
      echo.cons,
      randomBytes(16).toString("base64url"),
    ],
  });
  return { status: 201, body: JSON.stringify(echo) };
};

serve({
  "GET /": () => "{}",
  "GET /v1/reviews": (url, request) => (url.searchParams.get("limit") === "0" ? refusal : listReviews(url, request)),
  [`GET /onpage/${reader.id}/reviews.json`]: display,
  "POST /collect/reviews": submit,
});
