-- Where an order holds only what the catalogue does not know, the shop alone may be asked about. Few items are like that;
-- without this every one that was ever cancelled would be read to find them.

create index "order_items_unknown_idx" on "order_items"("client_id", "delivery_date", "order_id", "id")
  where (not reviewable and reviewable_set is distinct from false and delivery_date is not null and not asked);
