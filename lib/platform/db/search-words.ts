/** The texts of reviews and questions that a search reads. Cut, since a row of words has a maximum size. */
const cut = (...texts: string[]) => `left(${texts.join(" || ' ' || ")}, 100000)`;
export const searchedTexts = {
  reviews: cut(
    ...["coalesce(author, '')", "coalesce(title, '')", "extract"],
    ...["array_to_string(pros, ' ')", "array_to_string(cons, ' ')"],
  ),
  seller_reviews: cut("coalesce(author, '')", "coalesce(title, '')", "extract"),
  questions: cut("coalesce(author, '')", "question", "details"),
};

/**
 * The words by which rows of a table are found: the expressions of the indexes in prisma/sql/14_search.sql. Those of
 * reviews and questions are stored by a job (lib/reviews/words), since indexing their texts as they are posted would take
 * as long as storing them; these find the words of the last minute.
 */
export const searchWords = {
  orders: "search_words(client_id, id)",
  order_items: "search_words(client_id, name)",
  customers: "search_words(client_id, coalesce(name, '') || ' ' || coalesce(email, ''))",
  products: "search_words(client_id, id || ' ' || name || ' ' || coalesce(brand, ''))",
  reviews: `search_words(client_id, ${searchedTexts.reviews})`,
  seller_reviews: `search_words(client_id, ${searchedTexts.seller_reviews})`,
  questions: `search_words(client_id, ${searchedTexts.questions})`,
};

/** The words of a name or a search. Cut, since a row of an index has a maximum size. */
const nameWords = (text: string) => `left(plain_words(${text}), 200) collate "C"`;

/**
 * Tables (SQL) of up to `limit` customers of client `$1` by the words of `given`, the last of them `as`. First those whose
 * names begin with them, by the sorted index of names: the index of words reads all hits before it gives one.
 */
export const customersByWords = (as: string, given: string, limit: number): string => `
  by_name as materialized (
    select * from customers
     where client_id = $1 and name is not null
       and ${nameWords("name")} >= ${nameWords(given)} and ${nameWords("name")} < ${nameWords(given)} || chr(1114111)
     order by ${nameWords("name")}, id limit ${limit}),
  ${as} as materialized (
    select * from by_name union all
    select c.* from (
      select * from customers where client_id = $1 and ${searchWords.customers} @@ search_query($1, ${given}) limit ${limit}) c
     where (select count(*) from by_name) < ${limit} and not exists (select from by_name n where n.id = c.id)
     limit ${limit})`;
