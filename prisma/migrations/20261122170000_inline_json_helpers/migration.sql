-- A function in SQL becomes part of the query that calls it, unless it promises more than what it calls keeps. These two
-- promised `immutable` around `to_json` and `to_char`, which are stable; so each ran as a query of its own, a dozen times for
-- each review that was written or voted on.
alter function json_text(text) stable;
alter function json_time(timestamptz) stable;
