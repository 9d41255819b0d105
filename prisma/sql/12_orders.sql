-- A run scans items without an invitation. Rows are locked in key order, like in all other writes of several items.
create function mark_asked_items() returns trigger language plpgsql as $$
begin
  with touched as (
    select i.client_id, i.order_id, i.id
      from changed a
      join order_items i on i.client_id = a.client_id and i.order_id = a.order_id and i.id = a.item_id
     where i.asked is distinct from (tg_op = 'INSERT')
     order by i.client_id, i.order_id, i.id for no key update of i
  )
  update order_items i set asked = (tg_op = 'INSERT')
    from touched t where i.client_id = t.client_id and i.order_id = t.order_id and i.id = t.id;
  return null;
end $$;
create trigger invitation_items_asked after insert on invitation_items
  referencing new table as changed for each statement execute function mark_asked_items();
create trigger invitation_items_freed after delete on invitation_items
  referencing old table as changed for each statement execute function mark_asked_items();

-- Personal data is found by former addresses, too. The current one is in customers.email_key, so a new customer needs
-- no row.
create function note_former_address() returns trigger language plpgsql as $$
begin
  insert into customer_emails (client_id, customer_id, email_key) values (old.client_id, old.id, old.email_key)
    on conflict do nothing;
  return null;
end $$;
create trigger customers_note_former_address after update of email_key on customers for each row
  when (old.email_key is not null and old.email_key is distinct from new.email_key)
  execute function note_former_address();

-- An item that the store excludes before its delivery, or without one, is canceled. One that came excluded with its day isn't.
create function note_exclusion() returns trigger language plpgsql as $$
begin
  if new.reviewable_set is distinct from false then
    new.canceled := false;
  elsif new.delivery_date is null then
    new.canceled := true;
  elsif tg_op = 'UPDATE' and old.reviewable_set is distinct from false then
    -- Today counts as before: in the store's time zone, it may still be the day before.
    new.canceled := new.delivery_date >= current_date;
  end if;
  return new;
end $$;
create trigger order_items_note_exclusion before update of reviewable_set, delivery_date on order_items for each row
  when (old.reviewable_set is distinct from new.reviewable_set or old.delivery_date is distinct from new.delivery_date)
  execute function note_exclusion();
create trigger order_items_note_canceled before insert on order_items for each row
  when (new.reviewable_set is false and new.delivery_date is null) execute function note_exclusion();
