import type { Db } from "@/lib/platform/db/pool";
import { customersByWords, searchWords } from "@/lib/platform/db/search-words";
import { emailKey } from "@/lib/platform/secrets/person-hash";
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
/** Customers whose orders are compared. */
const CUSTOMERS = 100;
/**
 * Newest reviews and questions that are looked through, since the words of the last minute may not be stored yet, and
 * products.
 */
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
  { people, hidesStars, limit }: { people: boolean; hidesStars: boolean; limit: number },
): Promise<ResultRow[]> {
  const score = hidesStars ? "case when accepted is not null then score::int end" : "score::int";
  const byId = (table: string, shown: string) => `(select ${shown} from ${table} where client_id = $1 and id = $2)`;
  const found = (table: Table, query = "search_query($1, $2)") =>
    `(select * from ${table} where client_id = $1 and ${searchWords[table]} @@ ${query} limit ${CANDIDATES})`;
  const newest = (table: Table) =>
    `(select * from (select * from ${table} where client_id = $1 order by created_at desc, id desc limit ${NEWEST}) n
       where ${searchWords[table]} @@ search_query($1, $2))`;
  const best = (from: string, shown: string, order = "created_at desc, id desc") =>
    `(select ${shown} from ${from} r order by ${order} limit ${limit})`;
  // The limit is outside: with one, PostgreSQL may read the table until it has that many, which is all of it if none has
  // the words.
  const stored = (table: Table, words: string) =>
    `(with w as materialized (select id from ${words} where client_id = $1 and words @@ search_query($1, $2))
      select r.* from (select id from w limit ${CANDIDATES}) w join ${table} r on r.client_id = $1 and r.id = w.id)`;
  // If the newest rows have enough results, those with the words aren't read: they may be most of the table.
  const written = (kind: ModeratedKind, shown: string) => [
    byId(tables[kind], shown),
    `(with newest as materialized ${best(newest(tables[kind]), shown)}
      select * from newest union all
      select * from ${best(stored(tables[kind], wordsTables[kind]), shown)} s where (select count(*) from newest) < ${limit})`,
  ];
  const name = people
    ? "(select coalesce(c.name, c.email) from customers c where c.client_id = r.client_id and c.id = r.customer_id)"
    : "null";
  const order = columns("order", "id", name);
  const customer = columns("customer", "coalesce(name, email)", "email");
  const product = columns("product", "name", "concat_ws(' · ', brand, id)");
  const excerpt = `left(extract, ${TEXT_LENGTH})`;
  // A word that most products have is looked for in the first ones only: its rows are most of the catalog.
  const products = `(with first as materialized (
      select * from (select * from products where client_id = $1 order by id limit ${NEWEST}) n
       where ${searchWords.products} @@ search_query($1, $2)),
    frequent as materialized (select count(*) filter (where not deleted) > ${NEWEST / 2} as is_true from first)
    select * from first where (select is_true from frequent)
    union all select * from ${found("products")} p where not (select is_true from frequent))`;
  const parts = [
    `(select ${order} from (select * from orders where client_id = $1 and id >= $2 and id < $2 || chr(1114111) order by id limit ${limit}) r)`,
    best(found("orders", "search_query($1, $2, true)"), order),
    ...(people
      ? [
          byId("customers", customer),
          best("found_customers", customer),
          best(
            `(select o.* from found_customers c cross join lateral
               (select * from orders where client_id = $1 and customer_id = c.id order by created_at desc, id desc limit ${limit}) o)`,
            order,
          ),
        ]
      : []),
    byId("products", product),
    best(products, product, "deleted, name, id"),
    ...written("review", columns("review", "coalesce(title, product_name)", "author", excerpt, score)),
    ...written("seller_review", columns("seller_review", "title", "author", excerpt, score)),
    ...written("question", columns("question", "question", "author")),
  ];
  // By the beginning of an address first: the words of its domain may be those of most customers.
  const customers = `with by_address as materialized (
      select * from customers where client_id = $1 and email_key >= $3 and email_key < $3 || chr(1114111)
       order by email_key limit ${CUSTOMERS}),
    ${customersByWords("by_words", "$2", CUSTOMERS)},
    found_customers as materialized (
      select * from by_address union all select * from by_words where not exists (select from by_address))`;
  const address = q.includes("@") ? emailKey(q) : null;
  const { rows } = await db.query<ResultRow>(
    `${people ? customers : ""} ${parts.join(" union all ")}`,
    people ? [clientId, q, address] : [clientId, q],
  );
  return rows;
}
