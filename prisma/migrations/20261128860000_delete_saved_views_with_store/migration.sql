-- Saved views are deleted with their store: they had no foreign key to it and stayed, so that a store created with the
-- same id would have had them, with the customers' names they filter by. Those of deleted stores are deleted now.

delete from saved_views v where v.client_id is not null and not exists (select from clients c where c.id = v.client_id);
alter table saved_views add constraint saved_views_client_id_fkey foreign key (client_id) references clients (id) on delete cascade on update no action;
create index saved_views_client_id_idx on saved_views (client_id);
