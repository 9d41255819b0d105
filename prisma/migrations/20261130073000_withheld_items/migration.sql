-- Whether the store kept an item from being asked about is recorded once its last day is over, so that later changes don't count.
alter table order_items
  add column canceled boolean not null default false,
  add column withheld boolean;
update order_items set canceled = true
 where reviewable_set is false and (delivery_date is null or delivery_date >= current_date);
create index order_items_withheld_idx on order_items (client_id, delivery_date, order_id) where withheld is not null;

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

create table recorded_exclusions (
  client_id text collate "C" not null,
  first_delivery date not null,
  last_delivery date not null,
  constraint recorded_exclusions_pkey primary key (client_id),
  constraint recorded_exclusions_client_id_fkey foreign key (client_id) references clients (id) on delete cascade on update no action
);

-- Orders that can't be compared, since what was returned isn't known.
alter table log_figures add column not_compared integer not null default 0;
