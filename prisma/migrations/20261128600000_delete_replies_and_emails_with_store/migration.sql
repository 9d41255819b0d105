-- Replies and emails are deleted with their store: they have no foreign key and stayed, so that a store created with the
-- same id would have had the customers' addresses and the links in their emails. Those of deleted stores are deleted now.

create or replace function take_along_unvouched() returns trigger language plpgsql as $$
begin
  delete from reviews where client_id = old.id;
  delete from review_counts where client_id = old.id;
  delete from customers where client_id = old.id;
  delete from moderation_events where client_id = old.id;
  delete from submissions where client_id = old.id;
  -- A store that is created with the same id must not get these.
  delete from responses where client_id = old.id;
  delete from mails where client_id = old.id;
  return null;
end $$;

delete from responses r where not exists (select from clients c where c.id = r.client_id);
delete from mails m where m.client_id is not null and not exists (select from clients c where c.id = m.client_id);
