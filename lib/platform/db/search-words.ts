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
  reviews: "search_words(client_id, coalesce(author, '') || ' ' || coalesce(title, '') || ' ' || extract)",
  seller_reviews: "search_words(client_id, coalesce(author, '') || ' ' || coalesce(title, '') || ' ' || extract)",
  questions: "search_words(client_id, coalesce(author, '') || ' ' || question || ' ' || coalesce(details, ''))",
};
