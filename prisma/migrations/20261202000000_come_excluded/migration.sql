-- Node.js knows zones that PostgreSQL doesn't, such as AET, or only as an abbreviation of one offset, such as PST.
update clients set config = config - 'time_zone'
 where not exists (select from pg_timezone_names where lower(name) = lower(config->>'time_zone')) and config ? 'time_zone';

-- An item that comes excluded without a day of delivery, and gets one later, is delivered although it is excluded, so it counts.
drop trigger order_items_note_canceled on order_items;

-- An item that the store excludes on the day of its delivery or before, or without one, is canceled. One that came excluded
-- isn't. It is withheld late if the store excludes or pauses it on the first day to ask about it, or later.
create or replace function note_exclusion() returns trigger language plpgsql as $$
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
drop trigger order_items_note_exclusion on order_items;
create trigger order_items_note_exclusion before update of reviewable_set, held_at, held_until on order_items for each row
  when ((old.reviewable_set, old.held_at, old.held_until) is distinct from (new.reviewable_set, new.held_at, new.held_until))
  execute function note_exclusion();
