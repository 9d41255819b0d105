-- What an external total adds to a sum of scores on the 0 to 10 scale: the mean of its distribution times its count.
-- Step i of five counts 2 × i, like i stars of a review. Null if no score is known: such reviews are counted but don't
-- affect the mean.
create function external_points(count int, dist int[]) returns double precision language sql immutable parallel safe as $$
  select count::double precision * (2 * dist[1]::bigint + 4 * dist[2]::bigint + 6 * dist[3]::bigint + 8 * dist[4]::bigint + 10 * dist[5]::bigint)
    / nullif(dist[1]::bigint + dist[2] + dist[3] + dist[4] + dist[5], 0)
$$;

-- External totals may change anything a client displays. Imports are rare, so this invalidates all its displays.
create function display_totals_anew() returns trigger language plpgsql as $$
begin
  update clients set version = version where id in (select client_id from changed);
  return null;
end $$;
create trigger external_totals_new after insert on external_totals referencing new table as changed
  for each statement execute function display_totals_anew();
create trigger external_totals_changed after update on external_totals referencing new table as changed
  for each statement execute function display_totals_anew();
create trigger external_totals_gone after delete on external_totals referencing old table as changed
  for each statement execute function display_totals_anew();

-- A family's totals are those of its products: they change when such a product is added, moved or deleted.
create function display_families_anew() returns trigger language plpgsql as $$
begin
  if not exists (select from external_totals) then return null; end if;
  if tg_op = 'UPDATE' then
    update clients set version = version where id in (
      select n.client_id from came n
        join gone l on l.client_id = n.client_id and l.id = n.id and l.family_id <> n.family_id
        join external_totals e on e.client_id = n.client_id and e.product_id = n.id);
  elsif tg_op = 'INSERT' then
    update clients set version = version where id in (
      select n.client_id from came n join external_totals e on e.client_id = n.client_id and e.product_id = n.id);
  else
    update clients set version = version where id in (
      select l.client_id from gone l join external_totals e on e.client_id = l.client_id and e.product_id = l.id);
  end if;
  return null;
end $$;
create trigger products_display_new after insert on products referencing new table as came
  for each statement execute function display_families_anew();
create trigger products_display_moved after update on products referencing old table as gone new table as came
  for each statement execute function display_families_anew();
create trigger products_display_gone after delete on products referencing old table as gone
  for each statement execute function display_families_anew();
