import type { DatedCursor } from "@/lib/display/dated-cursor";
import type { DisplayQuestion } from "@/lib/display/schema";
import type { Subject } from "@/lib/display/versions";
import type { Db } from "@/lib/platform/db/pool";
import type { StoredImage } from "@/lib/reviews/uploads/schema";
import { columnOf, select } from "./sql";

export type QuestionRow = Pick<
  DisplayQuestion,
  "id" | "author" | "date" | "question" | "details" | "lang" | "product" | "answers"
> & { images: StoredImage[]; created_at: Date };

/** Accepted questions about a product or family that have accepted answers, newest first; answers oldest first. */
export const selectQuestionPage = (
  db: Db,
  clientId: string,
  subject: Subject,
  after: DatedCursor | null,
  limit: number,
  offset = 0,
): Promise<QuestionRow[]> =>
  select(
    db,
    `select q.id, q.author, q.date, q.question, q.details, q.lang, q.product_name as product, q.images, q.created_at,
            (select coalesce(jsonb_agg(jsonb_build_object('author', a.author, 'date', to_char(a.date, 'YYYY-MM-DD'),
                      'answer', a.answer, 'lang', a.lang, 'from_seller', a.from_seller) order by a.created_at, a.id), '[]')
               from answers a where a.client_id = q.client_id and a.question_id = q.id and a.accepted) as answers
       from (select * from questions
              where client_id = $1 and ${columnOf(subject)} = $2 and accepted and answer_count > 0
                ${after ? "and (date, created_at, id) < ($4::date, $5::timestamptz, $6)" : ""}
              order by date desc, created_at desc, id desc limit $3${offset > 0 ? ` offset ${after ? "$7" : "$4"}` : ""}) q
      order by q.date desc, q.created_at desc, q.id desc`,
    [
      clientId,
      subject.id,
      limit,
      ...(after ? [after.date, after.createdAt, after.id] : []),
      ...(offset > 0 ? [offset] : []),
    ],
  );

export type SellerReviewRow = { id: string; body: string; images: StoredImage[]; date: string; created_at: Date };

/** Accepted seller reviews with these scores, newest first. Skipped ones are only counted in the index. */
export function selectSellerPage(
  db: Db,
  clientId: string,
  { scores, after, offset, limit }: { scores: number[]; after: DatedCursor | null; offset: number; limit: number },
): Promise<SellerReviewRow[]> {
  const order = "order by date desc, created_at desc, id desc";
  const place = after ? "and (date, created_at, id) < ($4::date, $5::timestamptz, $6)" : "";
  const of = (more: string) =>
    `(select id, date, created_at from seller_reviews where client_id = $1 and accepted ${more} ${place} ${order} limit $2::int + $3::int)`;
  // The index by date covers all scores; for selected ones, each score is read separately.
  const found = scores.length === 5 ? of("") : scores.map((score) => of(`and score = ${score}`)).join(" union all ");
  return select(
    db,
    `select s.id, s.body, s.images, s.date, s.created_at
       from (select * from (${found}) found ${order} offset $2 limit $3) page
       join seller_reviews s on s.client_id = $1 and s.id = page.id
      order by page.date desc, page.created_at desc, page.id desc`,
    [clientId, offset, limit, ...(after ? [after.date, after.createdAt, after.id] : [])],
  );
}
