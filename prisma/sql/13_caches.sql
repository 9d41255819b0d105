-- Notifies the caches of every process: the kind of row and its id; processes with a cached copy drop it.

create function raise_client_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  new.updated_at := greatest(clock_timestamp(), old.updated_at);
  return new;
end $$;
create trigger clients_raise_version before update on clients for each row execute function raise_client_version();

create function tell_caches() returns trigger language plpgsql as $$
declare
  row_id text := to_jsonb(coalesce(new, old)) ->> tg_argv[1];
begin
  perform pg_notify('candor_cache', tg_argv[0] || ':' || row_id);
  return null;
end $$;
create trigger clients_tell_caches after insert or update or delete on clients
  for each row execute function tell_caches('client', 'id');
create trigger users_tell_caches after insert or update or delete on users
  for each row execute function tell_caches('user', 'id');
create trigger user_clients_tell_caches after insert or update or delete on user_clients
  for each row execute function tell_caches('user', 'user_id');
create trigger portal_sessions_tell_caches after update of ended_at, session_version or delete on portal_sessions
  for each row execute function tell_caches('user', 'user_id');
create trigger api_keys_tell_caches after insert or update of revoked_at, scopes or delete on api_keys
  for each row execute function tell_caches('key', 'id');
create trigger api_key_clients_tell_caches after insert or update or delete on api_key_clients
  for each row execute function tell_caches('key', 'key_id');
