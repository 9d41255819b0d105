-- The portal finds orders by a SKU of theirs, newest first, and the register of requests about personal data among all
-- that is audited.
create index "order_items_client_id_id_created_at_order_id_idx" on "order_items"("client_id", "id", "created_at", "order_id");
create index "audit_entries_personal_data_idx" on "audit_entries"("client_id", "at", "id") where (action like 'personal_data.%');
