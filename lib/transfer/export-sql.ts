import { type Db, pool } from "@/lib/db/pool";
import type { TransferredReview } from "@/lib/transfer/schema";
import type { StoredImage } from "@/lib/uploads/schema";

type Moments = "terms_agreed_at" | "accepted_at";
type Row = Omit<TransferredReview, "custom_questions" | "images" | Moments> &
  Record<Moments, Date | null> & { answers: TransferredReview["custom_questions"]; images: StoredImage[] };

const PAGE = 1_000;

const text = `
  select id, external_id, product_id, family_id, product_name, product_url, category, author, author_email, score, title, extract,
         pros, cons, recommended, answers, lang, date, order_id, customer_id, verified_buyer, verified_email, terms_agreed_at,
         terms_version, votes_up, votes_down, accepted, accepted_at, reject_reason, images,
         case when responses = '[]' then '[]' else coalesce((
           select json_agg(json_build_object('author', c.author, 'date', c.date, 'extract', c.extract, 'lang', c.lang,
                    'created_at', to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                    'updated_at', to_char(c.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by c.created_at, c.id)
             from responses c where c.client_id = r.client_id and c.kind = 'review' and c.subject_id = r.id), '[]') end as responses
    from reviews r where client_id = $1 and id > $2 order by id limit ${PAGE}`;

/** All reviews of a client by id, page by page; each page is one look at the database. */
export async function* selectAllReviews(clientId: string, db: Db = pool()): AsyncGenerator<Row[]> {
  for (let after = ""; ; ) {
    const { rows } = await db.query<Row>({ name: "transfer-export", text, values: [clientId, after] });
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}
