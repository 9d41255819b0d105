import { type Db, pool } from "@/lib/platform/db/pool";
import type { StoredImage } from "@/lib/reviews/uploads/schema";
import { type ExportKind, exportFields } from "@/lib/transfer/schema";

/** An exported row: columns by their names in the file, in order. */
export type ExportedRow = { id: string; images: StoredImage[] } & Record<string, unknown>;

/** Limits of a page: rows, and bytes of text, since a review may have 60,000 characters and long lists. */
const PAGE = { rows: 1_000, bytes: 4 * 1024 * 1024 };

const moment = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const replies = (kind: "review" | "seller_review") => `
  case when responses = '[]' then '[]' else coalesce((
    select json_agg(json_build_object('author', c.author, 'date', c.date, 'extract', c.extract, 'lang', c.lang,
             'created_at', ${moment("c.created_at")}, 'updated_at', ${moment("c.updated_at")}) order by c.created_at, c.id)
      from responses c where c.client_id = r.client_id and c.kind = '${kind}' and c.subject_id = r.id), '[]') end`;

const answers = `coalesce((
  select json_agg(json_build_object('author', a.author, 'from_seller', a.from_seller, 'date', a.date, 'answer', a.answer, 'lang', a.lang,
           'accepted', a.accepted, 'reject_reason', a.reject_reason, 'created_at', ${moment("a.created_at")}, 'updated_at', ${moment("a.updated_at")})
         order by a.created_at, a.id)
    from answers a where a.client_id = r.client_id and a.question_id = r.id), '[]')`;

/** Fields that aren't columns of the same name. */
const derived: Record<ExportKind, Record<string, string>> = {
  reviews: { custom_questions: "answers", responses: replies("review") },
  seller_reviews: { custom_questions: "answers", responses: replies("seller_review") },
  questions: { custom_questions: "answers_given", answers },
};

// Only as many rows as fit, but at least one. The size is that of the public JSON, which has all texts and whose length
// PostgreSQL knows without reading it.
const columnsOf = (kind: ExportKind): string =>
  exportFields[kind].map((field) => `${derived[kind][field] ?? field} as ${field}`).join(", ");
const textOf = (kind: ExportKind): string =>
  `select ${columnsOf(kind)} from (
      select *, coalesce(sum(octet_length(body)) over (order by id rows between unbounded preceding and 1 preceding), 0) as before
        from ${kind} where client_id = $1 and id > $2 order by id limit ${PAGE.rows}) r
     where before < ${PAGE.bytes} order by id`;

/** All rows of a client by id, page by page. Each page is one query, limited in size so it fits in memory. */
export async function* selectAll(kind: ExportKind, clientId: string, db: Db = pool()): AsyncGenerator<ExportedRow[]> {
  const text = textOf(kind);
  for (let after = ""; ; ) {
    const { rows } = await db.query<ExportedRow>({ name: `transfer-${kind}`, text, values: [clientId, after] });
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)!.id;
  }
}

/** The rows with these ids, in no order. */
export async function selectByIds(kind: ExportKind, clientId: string, ids: string[]): Promise<ExportedRow[]> {
  const { rows } = await pool().query<ExportedRow>({
    name: `transfer-${kind}-ids`,
    text: `select ${columnsOf(kind)} from ${kind} r where client_id = $1 and id = any($2)`,
    values: [clientId, ids],
  });
  return rows;
}
