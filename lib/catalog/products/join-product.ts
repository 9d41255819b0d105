/**
 * Part of a statement: joins as `p` the product that `id` names, both of the same `row` of a batch; nothing where the
 * catalogue has none. One look by key for each row. As a plain join it is one only while the planner finds it cheaper: it
 * expects a hundred rows of any batch, and reads a catalogue of a few thousand products whole for each of them instead.
 */
export const joinProduct = (row: string, id: string): string =>
  `left join lateral (select * from products where client_id = ${row}.client_id and id = ${row}.${id} limit 1) p on true`;
