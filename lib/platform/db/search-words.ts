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

const nameWords = `plain_words(name) collate "C"`;

/** Up to `limit` customers of client `$1` whose names begin with the words of `given` (SQL), by the index of names. */
export const customersByName = (columns: string, given: string, limit: number): string => `
  select ${columns} from customers
   where client_id = $1 and name is not null
     and ${nameWords} >= plain_words(${given}) and ${nameWords} < plain_words(${given}) || chr(1114111)
   order by ${nameWords}, id limit ${limit}`;
