import type { Db } from "@/lib/platform/db/pool";
import { searchWords } from "@/lib/platform/db/search-words";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";
import { tables } from "@/lib/reviews/decisions/tables";
import { wordsTables } from "@/lib/reviews/words/words-tables";
import type { SearchKind } from "@/lib/search/values";

type Table = keyof typeof searchWords;

export type ResultRow = {
  kind: SearchKind;
  id: string;
  title: string | null;
  detail: string | null;
  text: string | null;
  score: number | null;
};

/** Characters of a review's text in a result. */
const TEXT_LENGTH = 120;
/** Rows with the words that are compared. */
const CANDIDATES = 500;
/** Newest reviews and questions that are looked through: the words of the last minute may not be stored yet. */
const NEWEST = 100;

const columns = (kind: SearchKind, title: string, detail: string, text = "null", score = "null::int") =>
  `'${kind}' as kind, id, ${title} as title, ${detail} as detail, ${text} as text, ${score} as score`;

/**
 * Up to `limit` results of each kind in the order of the ways in which they are found. An index finds rows in no order,
 * of which the newest are taken. Not a prepared statement: how to read depends on how many rows have the words.
 */
export async function selectResults(
  db: Db,
  clientId: string,
  q: string,
  { people, limit }: { people: boolean; limit: number },
): Promise<ResultRow[]> {
  const byId = (table: string, shown: string) => `(select ${shown} from ${table} where client_id = $1 and id = $2)`;
  const found = (table: Table, query = "search_query($1, $2)") =>
    `(select * from ${table} where client_id = $1 and ${searchWords[table]} @@ ${query} limit ${CANDIDATES})`;
  const newest = (table: Table) =>
    `(select * from (select * from ${table} where client_id = $1 order by created_at desc, id desc limit ${NEWEST}) n
       where ${searchWords[table]} @@ search_query($1, $2))`;
  const best = (from: string, shown: string, order = "created_at desc, id desc") =>
    `(select ${shown} from ${from} r order by ${order} limit ${limit})`;
  const stored = (table: Table, words: string) =>
    `(select r.* from (select id from ${words} where client_id = $1 and words @@ search_query($1, $2) limit ${CANDIDATES}) w
       join ${table} r on r.client_id = $1 and r.id = w.id)`;
  const written = (kind: ModeratedKind, shown: string) => [
    byId(tables[kind], shown),
    best(newest(tables[kind]), shown),
    best(stored(tables[kind], wordsTables[kind]), shown),
  ];
  const name = people
    ? "(select coalesce(c.name, c.email) from customers c where c.client_id = r.client_id and c.id = r.customer_id)"
    : "null";
  const order = columns("order", "id", name);
  const customer = columns("customer", "coalesce(name, email)", "email");
  const product = columns("product", "name", "concat_ws(' · ', brand, id)");
  const excerpt = `left(extract, ${TEXT_LENGTH})`;
  const customers = found("customers");
  const parts = [
    `(select ${order} from (select * from orders where client_id = $1 and id >= $2 and id < $2 || chr(1114111) order by id limit ${limit}) r)`,
    best(found("orders", "search_query($1, $2, true)"), order),
    ...(people
      ? [
          byId("customers", customer),
          best(customers, customer),
          best(
            `(select o.* from ${customers} c cross join lateral
               (select * from orders where client_id = $1 and customer_id = c.id order by created_at desc, id desc limit ${limit}) o)`,
            order,
          ),
        ]
      : []),
    byId("products", product),
    best(found("products"), product, "deleted, name, id"),
    ...written("review", columns("review", "coalesce(title, product_name)", "author", excerpt, "score::int")),
    ...written("seller_review", columns("seller_review", "title", "author", excerpt, "score::int")),
    ...written("question", columns("question", "question", "author")),
  ];
  const { rows } = await db.query<ResultRow>(parts.join(" union all "), [clientId, q]);
  return rows;
}
