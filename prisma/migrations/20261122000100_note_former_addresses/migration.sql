-- Whom an address belongs to, customers.email_key tells as well. Only those that it no longer tells need noting, so a new
-- customer is one row less.

create function note_former_address() returns trigger language plpgsql as $$
begin
  insert into customer_emails (client_id, customer_id, email_key) values (old.client_id, old.id, old.email_key)
    on conflict do nothing;
  return null;
end $$;
create trigger customers_note_former_address after update of email_key on customers for each row
  when (old.email_key is not null and old.email_key is distinct from new.email_key)
  execute function note_former_address();

delete from customer_emails e using customers c
 where c.client_id = e.client_id and c.id = e.customer_id and c.email_key = e.email_key;
