-- Excluded items of some days, for the comparisons of who is invited: without it, each look reads all that were ever excluded.
-- Building it takes about a second per million items.
create index order_items_excluded_days_idx on order_items (client_id, delivery_date, order_id, id)
  where not reviewable and reviewable_set is false and delivery_date is not null;
