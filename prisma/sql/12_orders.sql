-- A run scans items without an invitation. Rows are locked in key order, like in all other writes of several items.
create function mark_asked_items() returns trigger language plpgsql as $$
begin
  with touched as (
    select i.client_id, i.order_id, i.id,
           -- Planned until its last day was over: the store let it be asked about.
           tg_op = 'DELETE' and exists (select from recorded_exclusions e join invitations n on n.client_id = e.client_id
             where e.client_id = a.client_id and i.delivery_date between e.first_delivery and e.last_delivery
               and n.id = a.invitation_id and n.kind = 'invitation') as is_late
      from changed a
      join order_items i on i.client_id = a.client_id and i.order_id = a.order_id and i.id = a.item_id
     where i.asked is distinct from (tg_op = 'INSERT')
     order by i.client_id, i.order_id, i.id for no key update of i
  )
  update order_items i set asked = (tg_op = 'INSERT'), withheld = case when t.is_late then false else i.withheld end
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

-- Whether the store has excluded or paused the item.
create function is_withheld(i order_items, today date) returns boolean language sql immutable as $$
  select i.reviewable_set is false or i.held_at is not null and coalesce(i.held_until > today, true)
$$;

-- An item that the store excludes on the day of its delivery or before, or without one, is canceled. One that came excluded
-- isn't. It is withheld late if the store excludes or pauses it on the first day to ask about it, or later.
create function note_exclusion() returns trigger language plpgsql as $$
declare
  asks_after integer;
  today date;
begin
  select c.send_emails_after_days, (now() at time zone coalesce(c.config->>'time_zone', 'UTC'))::date into asks_after, today
    from clients c where c.id = new.client_id;
  if (old.reviewable_set is false) <> (new.reviewable_set is false) then
    -- Once it is marked, it stays canceled.
    new.canceled := old.canceled and old.withheld is not null
      or new.reviewable_set is false and coalesce(new.delivery_date >= today, true);
  end if;
  if not (is_withheld(old, today) and is_withheld(new, today)) then
    new.withheld_late := is_withheld(new, today) and coalesce(today >= old.delivery_date + asks_after, false);
  end if;
  return new;
end $$;
create trigger order_items_note_exclusion before update of reviewable_set, held_at, held_until on order_items for each row
  when ((old.reviewable_set, old.held_at, old.held_until) is distinct from (new.reviewable_set, new.held_at, new.held_until))
  execute function note_exclusion();
