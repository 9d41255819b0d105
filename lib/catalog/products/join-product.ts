/**
 * SQL fragment: joins as `p` the product that column `id` of `row` names, or nulls. Lateral, so each row costs one key
 * lookup: with a plain join the planner assumes a hundred rows per batch and may scan a whole catalog of a few thousand
 * products for each of them.
 */
export const joinProduct = (row: string, id: string): string =>
  `left join lateral (select * from products where client_id = ${row}.client_id and id = ${row}.${id} limit 1) p on true`;
