-- Reviews and customers are written in batches of many rows of one client. A foreign key would look up and lock the
-- client once per row, and concurrent batches sharing that lock cost PostgreSQL more than the lookups. So each
-- statement checks once for all its rows, under an advisory lock that only the client's deletion waits for. An order
-- needs no check, since its customer has one.

create function client_lock(client_id text) returns bigint language sql immutable as $$
  select hashtextextended('client|' || client_id, 0)
$$;

create function vouch_for_clients() returns trigger language plpgsql as $$
declare
  missing text;
begin
  -- Each statement of this function sees what was committed before it: the second what became of clients meanwhile.
  perform pg_advisory_xact_lock_shared(client_lock(client_id)) from (select distinct client_id from came) named;
  select named.client_id into missing from (select distinct client_id from came) named
   where not exists (select from clients c where c.id = named.client_id) limit 1;
  if missing is not null then
    raise foreign_key_violation using message = format('%I names a client that is not there', tg_table_name),
      table = tg_table_name, column = 'client_id';
  end if;
  return null;
end $$;
create trigger reviews_vouch_for_clients after insert on reviews referencing new table as came
  for each statement execute function vouch_for_clients();
create trigger customers_vouch_for_clients after insert on customers referencing new table as came
  for each statement execute function vouch_for_clients();

-- Before its deletion, a client waits for concurrent writes, so that their rows are deleted, too.
create function end_client() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(client_lock(old.id));
  return old;
end $$;
create trigger clients_end before delete on clients for each row execute function end_client();

create function take_along_unvouched() returns trigger language plpgsql as $$
declare
  erasing text := coalesce(current_setting('candor.erasing', true), '');
begin
  delete from reviews where client_id = old.id;
  delete from review_counts where client_id = old.id;
  delete from customers where client_id = old.id;
  perform set_config('candor.erasing', 'on', true);
  delete from moderation_events where client_id = old.id;
  perform set_config('candor.erasing', erasing, true);
  delete from submissions where client_id = old.id;
  -- A store that is created with the same id must not get these.
  delete from responses where client_id = old.id;
  delete from mails where client_id = old.id;
  return null;
end $$;
create trigger clients_take_along_unvouched after delete on clients
  for each row execute function take_along_unvouched();

create function keep_client_id() returns trigger language plpgsql as $$
begin
  raise exception 'the id of a client does not change' using errcode = 'restrict_violation';
end $$;
create trigger clients_keep_id before update of id on clients for each row when (old.id is distinct from new.id)
  execute function keep_client_id();
