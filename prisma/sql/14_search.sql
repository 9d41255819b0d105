-- The portal's search by words.

-- Lower case, without accents (which only texts beyond ASCII have), with spaces for the punctuation that would join words.
create function plain_words(given text) returns text language sql immutable parallel safe
  return regexp_replace(
    case when given ~ '[^\u0001-\u007f]' then regexp_replace(normalize(lower(given collate "default"), nfkd), '[\u0300-\u036f]', '', 'g')
         else lower(given) end,
    '[-@._+/\\:#|~''’“”„«»–—]', ' ', 'g');

-- The words of a client's row. The client is one of them, so that other clients' rows aren't read.
create function search_words(client_id text, given text) returns tsvector language sql immutable parallel safe cost 1000
  return array_to_tsvector(array['@' || client_id]) || to_tsvector('simple', plain_words(given));

-- What finds the rows of a client that have all of the given words, or words that begin with them. Null if there are none.
create function search_query(client_id text, given text, whole boolean default false) returns tsquery
  language sql immutable parallel safe
  return (quote_literal('@' || client_id) || ' & ' ||
          (select string_agg(quote_literal(lexeme) || case when whole then '' else ':*' end, ' & ')
             from unnest(to_tsvector('simple', plain_words(given)))))::tsquery;

create index orders_search_idx on orders using gin (search_words(client_id, id)) with (fastupdate = off);
create index customers_search_idx on customers using gin (search_words(client_id, coalesce(name, '') || ' ' || coalesce(email, ''))) with (fastupdate = off);
create index customers_name_idx on customers (client_id, left(plain_words(name), 200) collate "C", id) where name is not null;
create index products_search_idx on products using gin (search_words(client_id, id || ' ' || name || ' ' || coalesce(brand, ''))) with (fastupdate = off);
-- Items that aren't in the catalog, or have a name of their own.
create index order_items_search_idx on order_items using gin (search_words(client_id, name)) with (fastupdate = off) where name is not null;
